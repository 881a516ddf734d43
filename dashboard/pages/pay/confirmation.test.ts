import { expect, it } from 'vitest';
import { CallError } from '../../data/errors.ts';
import { confirmed } from './confirmation.ts';

/** Asks what answers so, one after the other and then the last again; gives when it was asked (s), and what came of it. */
async function asked(...answers: readonly (boolean | CallError)[]) {
  let clock = 0;
  const times: number[] = [];
  const ask = async () => {
    times.push(clock / 1_000);
    const answer = answers[Math.min(times.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer === true;
  };
  const isConfirmed = await confirmed(ask, { now: () => clock, sleep: async (ms) => (clock += ms) });
  return { isConfirmed, times };
}

/** So often the server is asked for an account in a minute (docs/limits.md#confirmations). */
const MOST_IN_A_MINUTE = 40;

it('asks every other second until the payment is there', async () => {
  expect(await asked(true)).toEqual({ isConfirmed: true, times: [0] });
  expect(await asked(false, false, true)).toEqual({ isConfirmed: true, times: [0, 2, 4] });
});

it('gives up after half a minute, and may look again at once', async () => {
  const { isConfirmed, times } = await asked(false);
  expect([isConfirmed, times.at(-1)]).toEqual([false, 30]);
  expect(times.length * 2).toBeLessThanOrEqual(MOST_IN_A_MINUTE);
});

it('keeps to the pace that the server wants, and waits for what is away', async () => {
  const tooMany = new CallError('', { status: 429, retryAfter: 3_000 });
  expect((await asked(tooMany, false, true)).times).toEqual([0, 3, 6]);
  expect((await asked(new CallError('', { status: 503 }), new CallError(''), true)).times).toEqual([0, 2, 4]);
  expect((await asked(new CallError('', { status: 429, retryAfter: 60_000 }))).times).toEqual([0]);
});

it('takes every other refusal for the last word', async () => {
  for (const error of [new CallError('', { status: 403 }), new CallError('', { status: 409 })])
    expect(await asked(error)).toEqual({ isConfirmed: false, times: [0] });
});
