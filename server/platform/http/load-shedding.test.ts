import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ACCOUNT_ID, dana, pier } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../../test/support/app.ts';
import { submission } from '../../../test/support/submission.ts';
import { openDelayMeter } from './load-shedding.ts';

/* The requests that a process refuses when it can't keep up. */

let app: TestApp;
let token: string;
let delay = 0;
beforeAll(async () => {
  app = await openTestApp({ lateness: { sample: () => delay, stop() {} } });
  token = await app.signIn();
});
afterAll(() => app.stop());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const list = () => app.call('feedback', 'list', { accountId: ACCOUNT_ID }, token);
const rate = () => app.call('feedback', 'save', submission({ rating: 4 }));
const open = () => app.app.http.inject(`/feedback/${pier.data.formId}`);
const listen = () => app.app.http.inject({ url: '/api/live', headers: { authorization: `Bearer ${token}` } });
const signIn = () =>
  app.pool('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: dana.data.emailAddress, PASSWORD: SAMPLE_PASSWORD },
  });
const statuses = async () => ({
  team: (await list()).status,
  'sign-in': (await signIn()).status,
  visitors: [(await rate()).status, (await open()).statusCode],
});

it('refuses the team first, then sign-ins, and visitors never', async () => {
  expect(await statuses()).toEqual({ team: 200, 'sign-in': 200, visitors: [200, 200] });
  for (const [ms, signingIn] of [
    [250, 200],
    [500, 503],
  ] as const) {
    delay = ms;
    await expect.poll(statuses).toEqual({ team: 503, 'sign-in': signingIn, visitors: [200, 200] });
    const answer = await list();
    expect([answer.status, answer.body.code]).toEqual([503, 'overloaded']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(3);
    expect((await listen()).statusCode).toBe(503);
  }
  delay = 249;
  await expect.poll(statuses).toEqual({ team: 200, 'sign-in': 200, visitors: [200, 200] });
});

it('answers a browser that opens a link with a page, and programs with a problem', async () => {
  delay = 250;
  const openLink = (accept: string, path = '/alert/any') => app.app.http.inject({ url: path, headers: { accept } });
  await expect.poll(async () => (await openLink(BROWSER)).statusCode).toBe(503);
  for (const path of ['/alert/any', '/api/exports/any']) {
    const { statusCode, headers, body } = await openLink(BROWSER, path);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([503, 'text/html; charset=utf-8', 'no-store']);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-");
    expect(body).toContain('<h1>We’re very busy. Please try again in a moment.</h1>');
    const program = await openLink('application/json, */*', path);
    expect([program.statusCode, program.headers['content-type']]).toEqual([503, 'application/problem+json; charset=utf-8']);
    expect(program.json()).toMatchObject({ code: 'overloaded' });
  }
  delay = 0;
  await expect.poll(async () => (await openLink(BROWSER)).statusCode).toBe(404);
  const missing = await openLink(BROWSER, '/api/nothing');
  expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

it('a process reports the delay that blocking work causes', async () => {
  // Without a clock, only the event loop’s own measurements can show a delay.
  vi.useFakeTimers({ toFake: ['performance'] });
  const lateness = openDelayMeter();
  try {
    const blocked = async () => {
      lateness.sample();
      // An interval is measured from one turn of the event loop to another.
      for (let turn = 0; turn < 3; turn += 1) {
        block(300);
        await sleep(0);
      }
      return lateness.sample();
    };
    await expect.poll(blocked).toBeGreaterThan(100);
  } finally {
    lateness.stop();
    vi.useRealTimers();
  }
});

it('a process that was blocked since the last sample reports all of that time', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lateness = openDelayMeter();
  try {
    vi.advanceTimersByTime(300);
    expect(lateness.sample()).toBe(300);
    vi.advanceTimersByTime(40);
    expect(lateness.sample()).toBe(40);
  } finally {
    lateness.stop();
    vi.useRealTimers();
  }
});

function block(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
