import { expect, it } from 'vitest';
import { sampleWebhooks } from '#fixtures/webhooks.ts';
import { paceOf } from './pace.ts';

const NOW = Date.UTC(2026, 10, 23);
const [, failing] = sampleWebhooks(NOW);
if (!failing) throw new Error('The sample has two');
const { webhook, deliveries } = failing;
const off = { ...webhook, data: { ...webhook.data, isOn: false } };
/** The messages, with what waits among them tried next at a moment; undefined while it is tried. */
const triedAt = (next: number | undefined) =>
  deliveries.map(({ data: { next: _next, ...data }, ...rest }) => ({
    ...rest,
    data: data.status === 'waiting' && next !== undefined ? { ...data, next } : data,
  }));

it('messages of a webhook that is off are not asked for again and again, whatever waits', () => {
  for (const next of [NOW - 60_000, NOW + 1_000, undefined]) expect(paceOf(off, triedAt(next), NOW)).toBe(false);
});

it('messages are asked for again while one is due, about to be, or on its way', () => {
  for (const next of [NOW - 60_000, NOW + 1_000, undefined]) expect(paceOf(webhook, triedAt(next), NOW)).toBe(1_000);
  expect(paceOf(webhook, triedAt(NOW + 60_000), NOW)).toBe(false);
  expect(paceOf(webhook, [], NOW)).toBe(false);
});
