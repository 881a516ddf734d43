import { expect, it } from 'vitest';
import { sampleWebhooks } from '#fixtures/webhooks.ts';
import { attemptText, messageStateOf, stateOf } from './labels.ts';

it('labels the state of a webhook', () => {
  const [healthy, failing] = sampleWebhooks(0).map(({ webhook }) => webhook);
  if (!healthy || !failing) throw new Error('The sample has two');
  expect([stateOf(healthy).label, stateOf(failing).label]).toEqual(['On', 'Failing']);
  const off = { ...failing, data: { ...failing.data, isOn: false } };
  expect(stateOf(off).label).toBe('Off');
  expect(stateOf({ ...off, data: { ...off.data, isGone: true } }).label).toBe('Receiver gone');
});

it('labels a waiting message without a next attempt as being sent', () => {
  const [waiting] = sampleWebhooks(0).flatMap(({ deliveries }) => deliveries.filter(({ data }) => data.status === 'waiting'));
  if (!waiting) throw new Error('The sample has no waiting message');
  expect(messageStateOf(waiting).label).toBe('Waiting');
  const { next: _next, ...data } = waiting.data;
  expect(messageStateOf({ ...waiting, data }).label).toBe('Being sent');
});

it('words an attempt as a sentence', () => {
  expect(attemptText({ at: 0, status: 500, duration: 210 })).toBe('Status 500, after 210 ms.');
  expect(attemptText({ at: 0, error: 'timeout', duration: 15_004 })).toBe('The server took too long, after 15.0 s.');
  expect(attemptText({ at: 0, error: 'lost-secret', duration: 0 })).toBe(
    'The webhook’s secret can no longer be decrypted. Create a new one.',
  );
});
