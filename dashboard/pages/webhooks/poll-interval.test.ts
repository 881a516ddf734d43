import { expect, it } from 'vitest';
import { sampleWebhooks } from '#fixtures/webhooks.ts';
import { pollInterval } from './poll-interval.ts';

const NOW = Date.UTC(2026, 10, 23);
const [, failing] = sampleWebhooks(NOW);
if (!failing) throw new Error('The sample has two');
const { webhook, deliveries } = failing;
const off = { ...webhook, data: { ...webhook.data, isOn: false } };
/** Returns the messages with the next attempt of the waiting one set; undefined means that it is being sent. */
const withNext = (next: number | undefined) =>
  deliveries.map(({ data: { next: _next, ...data }, ...rest }) => ({
    ...rest,
    data: data.status === 'waiting' && next !== undefined ? { ...data, next } : data,
  }));

it('does not poll while the webhook is off', () => {
  for (const next of [NOW - 60_000, NOW + 1_000, undefined]) expect(pollInterval(off, withNext(next), NOW)).toBe(false);
});

it('polls while a message is due, due soon or being sent', () => {
  for (const next of [NOW - 60_000, NOW + 1_000, undefined]) expect(pollInterval(webhook, withNext(next), NOW)).toBe(1_000);
  expect(pollInterval(webhook, withNext(NOW + 60_000), NOW)).toBe(false);
  expect(pollInterval(webhook, [], NOW)).toBe(false);
});
