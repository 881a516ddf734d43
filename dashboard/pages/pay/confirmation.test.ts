import { expect, it } from 'vitest';
import { CallError } from '../../data/errors.ts';
import { waitForConfirmation } from './confirmation.ts';

/** Waits on the given answers in order, repeating the last. Returns the times of the requests (s) and the result. */
async function outcomeOf(...answers: readonly (boolean | CallError)[]) {
  let clock = 0;
  const times: number[] = [];
  const poll = async () => {
    times.push(clock / 1_000);
    const answer = answers[Math.min(times.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer === true;
  };
  const isConfirmed = await waitForConfirmation(poll, { now: () => clock, sleep: async (ms) => (clock += ms) });
  return { isConfirmed, times };
}

/** The server's limit per account and minute (docs/limits.md#confirmations). */
const MOST_IN_A_MINUTE = 40;

it('polls every two seconds until the payment is confirmed', async () => {
  expect(await outcomeOf(true)).toEqual({ isConfirmed: true, times: [0] });
  expect(await outcomeOf(false, false, true)).toEqual({ isConfirmed: true, times: [0, 2, 4] });
});

it('gives up after half a minute, within a rate that allows an immediate retry', async () => {
  const { isConfirmed, times } = await outcomeOf(false);
  expect([isConfirmed, times.at(-1)]).toEqual([false, 30]);
  expect(times.length * 2).toBeLessThanOrEqual(MOST_IN_A_MINUTE);
});

it('follows Retry-After, and keeps polling while the server is unreachable', async () => {
  const tooMany = new CallError('', { status: 429, retryAfter: 3_000 });
  expect((await outcomeOf(tooMany, false, true)).times).toEqual([0, 3, 6]);
  expect((await outcomeOf(new CallError('', { status: 503 }), new CallError(''), true)).times).toEqual([0, 2, 4]);
  expect((await outcomeOf(new CallError('', { status: 429, retryAfter: 60_000 }))).times).toEqual([0]);
});

it('gives up on every other refusal', async () => {
  for (const error of [new CallError('', { status: 403 }), new CallError('', { status: 409 })])
    expect(await outcomeOf(error)).toEqual({ isConfirmed: false, times: [0] });
});
