import { afterEach, beforeEach, expect, it } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { submission } from '../../../test/support/submission.ts';
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';

/* Simulates a failover or an expired NAT entry: open connections go silent, new ones work. */

let proxy: TcpProxy;
let app: TestApp;
beforeEach(async () => {
  app = await openTestApp({
    connectThrough: async (connection) => {
      proxy = await openTcpProxy(connection);
      return proxy.connection;
    },
  });
});
afterEach(async () => {
  await app.stop();
  await proxy.stop();
});

it('replaces silent connections, and accepts submissions again automatically', async () => {
  const token = await app.signIn();
  // As many connections as a busy moment opens.
  await Promise.all(Array.from({ length: 12 }, () => app.call('property', 'list', { accountId: ACCOUNT_ID }, token)));
  await Promise.all(Array.from({ length: 4 }, () => app.call('feedback', 'save', submission({ rating: 4 }))));
  proxy.stall();
  expect(proxy.stalled()).toBeGreaterThan(5);

  const sent = Array.from({ length: 8 }, () => submission({ rating: 1 }));
  const [ready] = await Promise.all([
    app.app.http.inject('/health/ready'),
    ...sent.map((each) => expect.poll(async () => (await app.call('feedback', 'save', each)).status).toBe(200)),
    expect.poll(async () => (await app.call('property', 'list', { accountId: ACCOUNT_ID }, token)).status).toBe(200),
  ]);
  expect(ready.statusCode).toBe(503);
  expect(ready.headers['retry-after']).toBeDefined();
  expect((await app.app.http.inject('/health/ready')).statusCode).toBe(200);
  expect(await app.stored("select id from feedback where rating = 1 and created > now() - interval '1 minute'")).toHaveLength(sent.length);
  // The queue's connections have longer timeouts, because no request waits for them.
  await expect.poll(() => proxy.stalled()).toBe(0);
});
