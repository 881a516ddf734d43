import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { submission } from '../../../test/support/submission.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ settings: { METRICS_TOKEN: 'a-token-of-this-test-alone-32-chars' } });
});
afterAll(() => app.stop());

const metrics = async (headers: Record<string, string>, remoteAddress = '127.0.0.1'): Promise<number> =>
  (await app.app.http.inject({ url: '/metrics', headers, remoteAddress })).statusCode;

it('shows metrics to this machine and with the token, but not to a page of another site', async () => {
  expect(await metrics({ host: 'localhost:8080' })).toBe(200);
  expect(await metrics({ host: 'rebound.example' })).toBe(404);
  expect(await metrics({ host: 'localhost', 'x-forwarded-for': '192.0.2.1' })).toBe(404);
  expect(await metrics({ host: 'localhost' }, '192.0.2.1')).toBe(404);
  expect(await metrics({ authorization: 'Bearer a-token-of-this-test-alone-32-chars' }, '192.0.2.1')).toBe(200);
});

it('shows metrics of streams, the intake and load shedding', async () => {
  const { body } = await app.app.http.inject({ url: '/metrics', headers: { host: 'localhost' } });
  const zeros = ['afterword_streams 0', 'afterword_intake_waiting 0', 'afterword_intake_lanes_busy 0', 'afterword_shares_waiting 0'];
  for (const line of [...zeros, 'afterword_lane_refusing{lane="team"} 0', 'afterword_lane_refused{lane="sign-in"} 0'])
    expect(body.split('\n')).toContain(line);
});

it('shows the other metrics if the mail queue cannot be read', async () => {
  const readValue = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name} (\\S+)$`, 'm').exec((await app.app.http.inject({ url: '/metrics', headers: { host: 'localhost' } })).body)?.[1];
  expect(await readValue('afterword_mails_waiting')).toBe('0');
  await app.stored('alter table delivery rename to delivery_away');
  await expect.poll(() => readValue('afterword_mails_waiting')).toBe('Nan');
  expect(Number(await readValue('process_start_time_seconds'))).toBeGreaterThan(0);
  expect(await readValue('afterword_webhooks_waiting')).toBe('0');
  await app.stored('alter table delivery_away rename to delivery');
  await expect.poll(() => readValue('afterword_mails_waiting')).toBe('0');
});

it('is ready unless nothing can be written', async () => {
  const ready = async () => (await app.app.http.inject('/health/ready')).statusCode;
  expect(await ready()).toBe(200);
  // Fails like a standby or a full disk.
  await app.stored(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'full' using errcode = '53100'; end $$`,
  );
  await app.stored('create trigger full_disk before insert or update on heartbeat for each row execute function fail()');
  await expect.poll(ready).toBe(503);
  await app.stored('drop trigger full_disk on heartbeat');
  await expect.poll(ready).toBe(200);
});

it('writes a temporary file to check for disk space', async () => {
  const files = async (): Promise<number> => {
    const [row] = await app.stored<{ count: number }>(
      'select temp_files::int as count from pg_stat_database where datname = current_database()',
    );
    return row?.count ?? 0;
  };
  const before = await files();
  await expect.poll(async () => (await app.app.http.inject('/health/ready')).statusCode && (await files())).toBeGreaterThan(before);
});

it('is not ready while submissions fail, and notices without a visitor when they work again', async () => {
  const ready = async () => (await app.app.http.inject('/health/ready')).statusCode;
  const rate = async (key: string) => (await app.call('feedback', 'save', submission({ rating: 4 }, { key }))).status;
  await app.stored('create trigger full_disk before insert on feedback for each row execute function fail()');
  expect(await rate('not-stored-not-stored-1')).toBe(503);
  await expect.poll(ready).toBe(503);
  expect(await ready()).toBe(503);
  await app.stored('drop trigger full_disk on feedback');
  const count = () => app.stored('select count(*)::int as count from feedback');
  const before = await count();
  await expect.poll(ready).toBe(200);
  expect(await count()).toEqual(before);
  // A locked row doesn't count as a failure.
  await app.stored(
    `create or replace function lock() returns trigger language plpgsql as $$ begin raise 'locked' using errcode = '55P03'; end $$`,
  );
  await app.stored('create trigger locked before insert on feedback for each row execute function lock()');
  expect(await rate('not-stored-not-stored-2')).toBe(503);
  await app.stored('drop trigger locked on feedback');
  expect(await ready()).toBe(200);
});

it('answers a full disk with a retry-after, and logs it once', async () => {
  await app.stored('create trigger full_disk before insert on feedback for each row execute function fail()');
  const { body: form } = await app.call('form', 'get', { formId: 'FORM_Pier04' });
  const responses = [{ uuid: form.form.data.steps[0].blocks[0].uuid, block: 'EmojiGauge', response: 4 }];
  const sent = { payload: { data: { formId: 'FORM_Pier04', responses } } };
  const answers = [];
  for (let index = 0; index < 20; index += 1)
    answers.push(await app.call('feedback', 'save', { idempotencyKey: `full-disk-${String(index).padStart(14, '0')}`, ...sent }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers[0]?.headers['retry-after']).toBe('2');
  expect(app.log.filter((line) => line.includes('the database does not answer'))).toHaveLength(1);
  expect(app.log.filter((line) => line.includes('a bug'))).toEqual([]);
  await app.stored('drop trigger full_disk on feedback');
});
