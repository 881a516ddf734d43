import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { openTcpProxy, type TcpProxy } from '../test/support/tcp-proxy.ts';

/* A process that only works in the background: what it answers, and what it tells of itself. */

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

it('serves health and metrics, and neither the site nor an operation', async () => {
  for (const url of ['/health/live', '/health/ready', '/metrics']) expect((await ask(url)).statusCode, url).toBe(200);
  for (const url of ['/', '/signup', '/about', '/feedback/FORM_Pier04', '/api/config', '/api/live', '/outbox', '/push-worker.js'])
    expect((await ask(url)).statusCode, url).toBe(404);
  for (const url of ['/api/data', '/api/identity', '/signout']) expect((await ask(url, 'POST')).statusCode, url).toBe(404);
});

it('holds browsers to TLS at its own host alone', async () => {
  expect((await ask('/health/live')).headers['strict-transport-security']).toBe('max-age=63072000');
});

it('tells of mails, jobs and connections, and of its own connections still while the database is away', async () => {
  const told = await metrics();
  for (const name of ['afterword_mails_sent', 'afterword_mails_failed', 'afterword_mails_waiting', 'afterword_webhooks_waiting'])
    expect(Number(told.get(name)), name).toBeGreaterThanOrEqual(0);
  expect(told.get('afterword_jobs{job="report.make",state="waiting"}')).toBe('1');
  expect(Number(told.get('afterword_jobs_oldest_seconds{job="report.make"}'))).toBeGreaterThan(3_599);
  expect(told.get('afterword_jobs_oldest_seconds{job="push.send"}')).toBe('0');
  for (const state of ['waiting', 'active', 'failed']) expect(told.get(`afterword_jobs{job="mail.send",state="${state}"}`)).toBe('0');
  expect(told.get('afterword_database_connections_most{pool="team"}')).toBe('16');
  proxy.stall();
  await proxy.stop();
  await expect.poll(async () => (await metrics()).get('afterword_mails_waiting'), { timeout: 60_000 }).toBe('Nan');
  // Each figure is read by itself, and fails by itself.
  const isToldOfJobs = async () => [...(await metrics()).keys()].some((name) => name.startsWith('afterword_jobs{'));
  await expect.poll(isToldOfJobs, { timeout: 60_000 }).toBe(false);
  const left = await metrics();
  expect(Number(left.get('afterword_database_connections{pool="team",state="busy"}'))).toBeGreaterThanOrEqual(0);
  expect(Number(left.get('process_start_time_seconds'))).toBeGreaterThan(0);
});
