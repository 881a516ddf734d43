import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { PATIENT } from '../test/support/patience.ts';
import { openTcpProxy, type TcpProxy } from '../test/support/tcp-proxy.ts';

/* The routes and metrics of a process that only works in the background. */

let app: TestApp;
let proxy: TcpProxy;
beforeAll(async () => {
  app = await openTestApp({
    settings: { ROLES: 'worker', PUBLIC_URL: 'https://feedback.example' },
    async connectThrough(connection) {
      proxy = await openTcpProxy(connection);
      return proxy.connection;
    },
  });
  await app.stored(`insert into pgboss.job (name, start_after, blocked) values ('report.make', now() - interval '1 hour', true)`);
});
afterAll(() => app.stop());

const ask = (url: string, method: 'GET' | 'POST' = 'GET') => app.app.http.inject({ url, method, headers: { host: 'localhost' } });
const metrics = async (): Promise<Map<string, string>> =>
  new Map(
    (await ask('/metrics')).body.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );

it('serves health and metrics, but no pages or operations', async () => {
  for (const url of ['/health/live', '/health/ready', '/metrics']) expect((await ask(url)).statusCode, url).toBe(200);
  for (const url of ['/', '/signup', '/about', '/feedback/FORM_Pier04', '/api/config', '/api/live', '/outbox', '/push-worker.js'])
    expect((await ask(url)).statusCode, url).toBe(404);
  for (const url of ['/api/data', '/api/identity', '/signout']) expect((await ask(url, 'POST')).statusCode, url).toBe(404);
});

it('requires TLS for its own host only', async () => {
  expect((await ask('/health/live')).headers['strict-transport-security']).toBe('max-age=63072000');
});

it('shows metrics of mails, jobs and connections, and those of its connections even without the database', async () => {
  // On a busy machine, a group may miss its time limit, and is read again.
  await vi.waitFor(async () => {
    const values = await metrics();
    for (const name of ['afterword_mails_sent', 'afterword_mails_failed', 'afterword_mails_waiting', 'afterword_webhooks_waiting'])
      expect(Number(values.get(name)), name).toBeGreaterThanOrEqual(0);
    expect(values.get('afterword_jobs{job="report.make",state="waiting"}')).toBe('1');
    expect(Number(values.get('afterword_jobs_oldest_seconds{job="report.make"}'))).toBeGreaterThan(3_599);
    expect(values.get('afterword_jobs_oldest_seconds{job="push.send"}')).toBe('0');
    for (const state of ['waiting', 'active', 'failed']) expect(values.get(`afterword_jobs{job="mail.send",state="${state}"}`)).toBe('0');
    expect(values.get('afterword_database_connections_most{pool="team"}')).toBe('16');
  }, PATIENT);
  proxy.stall();
  await proxy.stop();
  await expect.poll(async () => (await metrics()).get('afterword_mails_waiting')).toBe('Nan');
  // Each group of metrics is read separately.
  const hasJobs = async () => [...(await metrics()).keys()].some((name) => name.startsWith('afterword_jobs{'));
  await expect.poll(hasJobs).toBe(false);
  const remaining = await metrics();
  expect(Number(remaining.get('afterword_database_connections{pool="team",state="busy"}'))).toBeGreaterThanOrEqual(0);
  expect(Number(remaining.get('process_start_time_seconds'))).toBeGreaterThan(0);
});
