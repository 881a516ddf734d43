import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, pier } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { submission } from '../../test/support/submission.ts';

/* A process that comes to everything too late: who is served, and who gives way. */

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn();
}, 30_000);
afterAll(() => app.stop());

/** Keeps this process from its work for so long at a time (ms), until it is told to stop. */
function keepBusy(ms: number): () => void {
  const timer = setInterval(() => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, 1);
  return () => clearInterval(timer);
}

const list = () => app.call('feedback', 'list', { accountId: ACCOUNT_ID }, token);
const rate = () => app.call('feedback', 'save', submission({ rating: 4 }));
const open = () => app.app.http.inject(`/feedback/${pier.data.formId}`);
const listen = () => app.app.http.inject({ url: '/api/live', headers: { authorization: `Bearer ${token}` } });
const signIn = () =>
  app.pool('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: dana.data.emailAddress, PASSWORD: SAMPLE_PASSWORD },
  });

it('the team gives way first, then those who sign in, and visitors never', async () => {
  expect([(await list()).status, (await rate()).status, (await open()).statusCode]).toEqual([200, 200, 200]);
  for (const [ms, signingIn] of [
    [330, 200],
    [600, 503],
  ] as const) {
    const stop = keepBusy(ms);
    await sleep(2_500);
    const refused = await list();
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3);
    expect((await listen()).statusCode).toBe(503);
    expect((await signIn()).status).toBe(signingIn);
    expect((await rate()).status).toBe(200);
    expect((await open()).statusCode).toBe(200);
    stop();
  }
  await expect.poll(async () => (await list()).status, { timeout: 10_000, interval: 100 }).toBe(200);
}, 60_000);
