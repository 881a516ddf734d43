import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ARCHIVE_ORDER } from '#contract/account/account-archive.ts';
import type { ExportedFile } from '#contract/export/export.ts';
import { ACCOUNT_ID, account, airport, dana, formOf, noor, pier, sam, till } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { createWorld } from '#fixtures/world/world.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { exampleOf, subjectsOf } from '../../test/support/examples.ts';
import { addOtherAccount, CANARY, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { newKey, responsesTo, submission } from '../../test/support/submission.ts';
import { openBilling } from '../billing/billing.ts';
import { OF_LIVE_PROPERTIES } from '../feedback/store.ts';
import { openExportJobs } from './export-jobs.ts';

const EXPORT_INPUT = { accountId: ACCOUNT_ID, format: 'csv', zone: 'Europe/Lisbon' };
/** Includes the start of another process. */
const DAY = 86_400_000;

describe('files of feedback', () => {
  let app: TestApp;
  let admin: string;
  let member: string;
  const ask = (action: string, sent: object, token = admin): Promise<Answered> => app.call('export', action, sent, token);

  beforeAll(async () => {
    app = await openTestApp();
    [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
  });
  afterAll(() => app.stop());

  async function exportFile(sent: object, token = admin): Promise<ExportedFile> {
    const { body } = await ask('create', { ...EXPORT_INPUT, ...sent }, token);
    expect(body.file.data).toMatchObject({ status: 'waiting', rows: 0 });
    return waitUntilDone(body.file.id, token);
  }
  const waitUntilDone = (exportId: string, token = admin): Promise<ExportedFile> =>
    vi.waitFor(async () => {
      const { file } = (await ask('get', { exportId }, token)).body;
      expect(file.data.status).toBe('done');
      return file;
    }, PATIENT);
  async function download(exportId: string, token = admin) {
    const { address } = (await ask('link', { exportId }, token)).body;
    return app.app.http.inject(address);
  }
  async function idsInList(filters: object, cursor?: string): Promise<string[]> {
    const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, ...filters, limit: 100, cursor }, admin);
    const page = body.feedback.map(({ id }: { id: string }) => id);
    return body.cursor === null ? page : [...page, ...(await idsInList(filters, body.cursor))];
  }
  const textOf = async (file: ExportedFile, token = admin): Promise<string> => (await download(file.id, token)).rawPayload.toString();

  it('have the same feedback as the list, with every filter, in the caller’s time zone', async () => {
    for (const filters of [
      {},
      { kind: 'urgent' },
      { rating: 2, order: 'oldest' },
      { propertyId: pier.id, text: 'coffee' },
      { toolId: till.id },
    ]) {
      const feedback = await idsInList(filters);
      expect(feedback.length).toBeGreaterThan(0);
      const file = await exportFile(filters);
      expect(file.data).toMatchObject({ rows: feedback.length, expected: feedback.length });
      const lines = csvRows(await textOf(file));
      expect(lines.slice(1).map((line) => line.at(-1)?.split('?id=')[1])).toEqual(feedback);
      await ask('delete', { exportId: file.id });
    }
    const file = await exportFile({});
    expect(file.data.name).toMatch(/^afterword-feedback-\d{4}-\d\d-\d\d\.csv$/);
    const [headings = [], first = []] = csvRows(await textOf(file));
    expect(headings.slice(0, 4)).toEqual(['When', 'Property', 'Placement', 'Rating']);
    expect(first[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[01]:00$/);
    await ask('delete', { exportId: file.id });
  });

  it('have no cell that a spreadsheet would calculate', async () => {
    const hostile = '=HYPERLINK("https://evil.test","x")';
    await app.call('property', 'save', { payload: { id: airport.id, data: { displayName: hostile } } }, admin);
    const { tool } = (await app.call('tool', 'save', { payload: { data: { propertyId: airport.id, displayName: '+1+1' } } }, admin)).body;
    const { tag } = (await app.call('tag', 'save', { payload: { data: { displayName: '@SUM(A1)' } } }, admin)).body;
    const form = formOf(airport);
    const answers = {
      rating: 1,
      text: `${hostile}\r\n"x",<b>`,
      contact: { answer: 'Yes', name: '-1', phone: '+351 210 000 000', email: 'ann@a.test' },
    } as const;
    const data = { formId: form.id, responses: responsesTo(form, answers), at: tool.id.slice(5), url: 'https://a.test/=1' };
    const { feedback } = (await app.call('feedback', 'save', { idempotencyKey: newKey(), payload: { data } })).body;
    await app.call(
      'feedback',
      'modify',
      { changes: [{ feedbackId: feedback.id, status: 'open', assignee: noor.id, addTags: [tag.id] }] },
      admin,
    );

    const [headings = [], row = []] = csvRows(await textOf(await exportFile({ propertyId: airport.id, toolId: tool.id })));
    for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const cells = Object.fromEntries(headings.map((heading, index) => [heading, row[index]]));
    expect(cells).toMatchObject({
      Property: `'${hostile}`,
      Placement: "'+1+1",
      'What the visitor wrote': `'${hostile}\r\n"x",<b>`,
      'Other answers': 'Would you like us to get back to you? Yes',
      'Contact name': "'-1",
      'Contact phone': "'+351 210 000 000",
      Tags: "'@SUM(A1)",
      'Assigned to': noor.data.displayName,
      Status: 'Open',
      Page: 'https://a.test/=1',
      Comments: '0',
    });
    // Workbooks store texts unchanged.
    const book = await exportFile({ propertyId: airport.id, toolId: tool.id, format: 'xlsx' });
    expect((await download(book.id)).rawPayload.subarray(0, 2).toString()).toBe('PK');
    for (const { id } of (await ask('list', {})).body.files) await ask('delete', { exportId: id });
  });

  it('of members have no contacts and can’t be read by others', async () => {
    const file = await exportFile({}, member);
    const text = await textOf(file, member);
    expect(text).not.toContain('Contact');
    expect(text).not.toContain('ann@a.test');
    for (const action of ['get', 'link', 'delete']) expect((await ask(action, { exportId: file.id })).status).toBe(404);
    expect((await ask('list', {})).body.files).toEqual([]);
    expect((await ask('list', {}, member)).body.files).toHaveLength(1);
  });

  it('of admins are refused to people who are no longer admins', async () => {
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'admin' } } }, admin);
    const token = await app.signIn(noor.data.emailAddress);
    const file = await exportFile({}, token);
    const { address } = (await ask('link', { exportId: file.id }, token)).body;
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'user' } } }, admin);
    expect((await app.app.http.inject(address)).statusCode).toBe(404);
  });

  it('have a link that works once, for a minute, and cannot be guessed', async () => {
    const file = await exportFile({});
    const { address, name } = (await ask('link', { exportId: file.id })).body;
    expect((await app.app.http.inject({ method: 'HEAD', url: address })).statusCode).toBe(404);
    expect((await app.app.http.inject(`${address.slice(0, -3)}AAA`)).statusCode).toBe(404);
    const first = await app.app.http.inject(address);
    expect(first.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(file.data.size),
      'cache-control': 'no-store',
    });
    expect(first.rawPayload.length).toBe(file.data.size);
    expect((await app.app.http.inject(address)).statusCode).toBe(404);
    const expiringAddress = (await ask('link', { exportId: file.id })).body.address;
    app.advance(61_000);
    expect((await app.app.http.inject(expiringAddress)).statusCode).toBe(404);
    const events = await app.stored(`select data from event where name = 'export.fetched' and subject = $1`, [file.id]);
    expect(events).toEqual([{ data: { content: 'feedback', format: 'csv', contacts: true } }]);
    await ask('delete', { exportId: file.id });
    expect((await ask('get', { exportId: file.id })).status).toBe(404);
    await vi.waitFor(async () => expect(await app.stored('select from export where id = $1', [file.id])).toEqual([]), PATIENT);
  });

  it('expire after a day', async () => {
    const file = await exportFile({});
    app.advance(DAY + 1);
    const token = await app.signIn();
    expect((await ask('link', { exportId: file.id }, token)).status).toBe(404);
    expect((await ask('list', {}, token)).body.files).toEqual([]);
    await app.app.platform.database.transaction({}, (db) => app.app.platform.jobs.queue(db, 'export.upkeep', {}));
    await vi.waitFor(async () => expect(await app.stored('select from export_part')).toEqual([]), PATIENT);
  });

  it('are the same in the demo', async () => {
    const feedback = sampleFeedback(Date.now());
    const world = createWorld({ crypto, feedback });
    const created = (await world.call(dana, 'export', 'create', { ...EXPORT_INPUT, format: 'csv' })) as { file: ExportedFile };
    const { address } = (await world.call(dana, 'export', 'link', { exportId: created.file.id })) as { address: string };
    const rows = csvRows(decodeURIComponent(address.slice(address.indexOf(',') + 1)));
    expect(rows).toHaveLength(feedback.length + 1);
    expect(rows[0]?.slice(0, 4)).toEqual(['When', 'Property', 'Placement', 'Rating']);
  });
});

describe('an account’s archive', () => {
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    app = await openTestApp({ settings: { ROLES: 'web' }, also: addOtherAccount });
    token = await app.signIn();
  });
  afterAll(() => app.stop());

  it('is refused to members', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    expect((await app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'UTC' }, member)).body.code).toBe('not-allowed');
    expect((await app.call('export', 'archive', { accountId: otherAccount.accountId, zone: 'UTC' }, token)).status).toBe(404);
  });

  it('has every row of every table, in parts, and nothing of another account', async () => {
    const { feedback } = (await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, token)).body;
    const comment = { idempotencyKey: newKey(), payload: { data: { feedbackId: feedback[0].id, text: 'Called back' } } };
    await app.call('comment', 'save', comment, token);
    const contact = { answer: 'Yes' as const, email: 'ann@a.test' };
    const visit = (await app.call('feedback', 'save', submission({ rating: 2, contact }))).body;
    const reply = { idempotencyKey: newKey(), feedbackId: visit.feedback.id, text: 'Sorry!' };
    expect((await app.call('conversation', 'answer', reply, token)).status).toBe(200);
    await app.call('feedbackRequest', 'add', exampleOf('feedbackRequest.add', subjectsOf()), token);
    await app.call('topic', 'save', exampleOf('topic.save', subjectsOf()), token);
    await app.call('feedbackRequest', 'suppress', { email: 'ben@example.com' }, token);
    await app.call('savedReply', 'save', exampleOf('savedReply.save', subjectsOf()), token);
    await app.call('tag', 'save', { payload: { data: { displayName: 'Queue' } } }, token);
    await app.call('message', 'save', exampleOf('message.save', subjectsOf()), token);
    await app.call('view', 'track', { formId: pier.data.formId });
    await app.call('property', 'delete', { propertyId: airport.id }, token);
    await app.call('brand', 'save', { payload: { id: ACCOUNT_ID, data: { corners: 'round' } } }, token);
    const { body: hook } = await app.call('webhook', 'save', exampleOf('webhook.save', subjectsOf()), token);
    const { body: receipts } = await app.call('property', 'receiptSecret', { propertyId: pier.id }, token);
    await app.stored(`update feedback set order_number = 'TILL-1042' where id = $1`, [visit.feedback.id]);
    const { file } = (await app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'Europe/Lisbon' }, token)).body;
    expect(file.data.name).toMatch(/^afterword-account-\d{4}-\d\d-\d\d\.zip$/);
    // Small pages and files, so that each kind of record is continued.
    const limits = { page: 7, split: 3_000, pages: 3 };
    await vi.waitFor(async () => {
      await continueExport(app, file.id, limits);
      expect((await app.call('export', 'get', { exportId: file.id }, token)).body.file.data.status).toBe('done');
    }, PATIENT);
    const { address } = (await app.call('export', 'link', { exportId: file.id }, token)).body;
    const answer = await app.app.http.inject(address);
    expect(answer.headers['content-type']).toBe('application/zip');
    const files = unzipped(answer.rawPayload);
    expect(files.get('README.txt')).toContain(`All data of ${account.data.displayName}`);
    expect(files.has('feedback-2.jsonl')).toBe(true);
    expect([...files.values()].join('')).not.toContain(CANARY);
    expect(files.get('webhooks.jsonl')).toContain(hook.webhook.data.url);
    for (const secret of [hook.secret.slice('whsec_'.length), receipts.secret]) expect([...files.values()].join('')).not.toContain(secret);
    expect([...files.values()].join('')).toContain('"orderNumber":"TILL-1042"');
    const idsIn = (kind: string): string[] =>
      [...files]
        .filter(([name]) => new RegExp(`^${kind}(-\\d+)?\\.jsonl$`).test(name))
        .flatMap(([, text]) => text.trim().split('\n'))
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ id, formId, data, day }) => [id ?? formId, day ?? data?.version].filter((part) => part !== undefined).join(' '));
    for (const [kind, sql] of Object.entries(ID_QUERIES)) {
      const ids = (await app.stored<{ id: string }>(sql, [ACCOUNT_ID])).map(({ id }) => id);
      expect(ids.length, kind).toBeGreaterThan(0);
      expect(idsIn(kind).sort(), kind).toEqual(ids.sort());
    }
    expect(Object.keys(ID_QUERIES).sort()).toEqual([...ARCHIVE_ORDER].sort());
    const events = await app.stored(`select from event where account_id = $1 and name = 'export.requested'`, [ACCOUNT_ID]);
    expect(events).toHaveLength(1);
  });

  it('has every table with an account’s rows, except those listed with a reason', async () => {
    const tables = await app.stored<{ name: string }>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'account_id' and table_type = 'BASE TABLE'`,
    );
    const exported = Object.values(ID_QUERIES).map((sql) => / from "?(\w+)/.exec(sql)?.[1] ?? '');
    const listed = [...exported, ...Object.keys(OMITTED_TABLES)].filter((name) => name !== 'account');
    expect(tables.map(({ name }) => name).sort()).toEqual(listed.sort());
  });
});

/** Queries for the ids of stored records, by archive file. */
const ID_QUERIES: Readonly<Record<string, string>> = {
  account: 'select id from account where id = $1',
  users: 'select id from "user" where account_id = $1',
  properties: 'select id from property where account_id = $1',
  forms: `select form_id || ' ' || version as id from form_version where account_id = $1`,
  placements: 'select id from tool where account_id = $1',
  tags: 'select id from tag where account_id = $1',
  feedback: `select id from feedback where account_id = $1`,
  comments: 'select id from comment where account_id = $1',
  messages: 'select id from message where account_id = $1',
  events: `select id::text as id from event where account_id = $1 and name <> 'export.fetched'`,
  openings: `select form_id || ' ' || day as id from view where account_id = $1`,
  views: 'select id from saved_view where account_id = $1',
  webhooks: 'select id from webhook where account_id = $1',
  kiosks: 'select id from kiosk where account_id = $1',
  brand: 'select account_id as id from brand where account_id = $1',
  replies: 'select id from saved_reply where account_id = $1',
  conversations: 'select id from conversation_message where account_id = $1',
  topics: 'select id from topic where account_id = $1',
  requests: 'select id from feedback_request where account_id = $1',
  suppressions: 'select id from suppression where account_id = $1',
};

/** Tables that are left out of the archive, and why. */
const OMITTED_TABLES: Readonly<Record<string, string>> = {
  api_key: 'hashes of keys, which are of no use elsewhere; their creation is in events',
  subscription: 'in the account',
  topic_match: 'found from feedback and topics',
  billing_reference: 'ids at the payment provider, which has the payments',
  billing_event: 'events of the payment provider that are not applied yet',
  billing_notice: 'reminders to admins; in events',
  form: 'in its versions',
  feedback_mark: 'feedback that a person has read, which is private',
  feedback_reader: 'feedback that a person has read, which is private',
  feedback_tally: 'counted from feedback',
  feedback_day: 'counted from feedback',
  view_quarter: 'openings again, by quarter of an hour',
  delivery: 'mails of 90 days without their text; the reasons are in events',
  report: 'when reports were made from feedback; recipients are in properties',
  alert: 'alerts of 90 days; recipients are in properties',
  alert_recipient: 'mails that a person got within the hour',
  conversation: 'when conversations were read and closed; in events',
  conversation_key: 'hashes of visitors’ links',
  alert_link: 'hashes of links that work for three days',
  alert_escalation: 'the next escalation; the order is in properties',
  notification: 'notifications of 90 days; the reasons are in events',
  push_device: 'people’s devices, encrypted',
  webhook_delivery: 'events of thirty days; in events',
  export: 'files like this one, stored for a day',
  export_part: 'files like this one, stored for a day',
};

/** Runs the job once more, as the queue does when a process's time is over (jobs.test.ts). */
const continueExport = (app: TestApp, exportId: string, limits?: Parameters<typeof openExportJobs>[1]): Promise<void> | undefined =>
  openExportJobs({ ...app.app.platform, billing: openBilling({ platform: app.app.platform, provider: undefined }) }, limits)[
    'export.write'
  ]?.({
    data: { accountId: ACCOUNT_ID, userId: dana.id, exportId },
    isLast: false,
    signal: new AbortController().signal,
  });

describe('large files', () => {
  const ROWS = 2_600;
  /** The key of an advisory lock. */
  const THIRD_PART = 20_002;
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    // Only the tests run jobs.
    app = await openTestApp({ settings: { ROLES: 'web' } });
    token = await app.signIn();
    await app.stored('delete from feedback');
    await app.stored(
      `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses, text)
       select $1, 'EXPERIENCE_20260101_' || lpad(n::text, 13, '0') || '_aaaaa', $2, $3, 1, sha256(n::text::bytea), now(), 5, false, 'regular', 'none', '[]', 'Row ' || n
         from generate_series(1, $4::integer) n`,
      [ACCOUNT_ID, pier.id, pier.data.formId, ROWS],
    );
  });
  afterAll(() => app.stop());

  const start = async (sent: object = {}): Promise<string> =>
    (await app.call('export', 'create', { ...EXPORT_INPUT, ...sent }, token)).body.file.id;
  const stateOf = async (exportId: string) => (await app.call('export', 'get', { exportId }, token)).body.file.data;
  const partsOf = (id: string) =>
    app.stored<{ number: number; bytes: Buffer }>('select number, bytes from export_part where export_id = $1 order by number', [id]);

  const retry = (exportId: string, limits?: Parameters<typeof openExportJobs>[1]) => continueExport(app, exportId, limits);

  it.each(['csv', 'xlsx'])('are continued (%s) after a process was killed, with each row once', async (format) => {
    const exportId = await start({ format });
    // The third part waits for this lock, so that the process is killed while writing it.
    const holder = await app.connect();
    await holder.query('select pg_advisory_lock($1)', [THIRD_PART]);
    await app.stored(`
      create function wait_here() returns trigger language plpgsql set lock_timeout = 0 as $$
        begin if new.number = 2 then perform pg_advisory_xact_lock_shared(${THIRD_PART}); end if; return new; end $$;
      create trigger wait_here before insert on export_part for each row execute function wait_here()`);
    const worker = startWorker(app);
    const waiting = () => app.stored(`select 1 from pg_locks where locktype = 'advisory' and objid = ${THIRD_PART} and not granted`);
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), PATIENT);
    expect(await partsOf(exportId)).toHaveLength(2);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await holder.end();
    await app.stored('drop trigger wait_here on export_part; drop function wait_here');
    expect(await stateOf(exportId)).toMatchObject({ status: 'running', rows: 1_000, expected: ROWS });
    expect((await app.call('export', 'link', { exportId }, token)).body.code).toBe('conflict');

    await retry(exportId, { pages: 2 });
    expect(await stateOf(exportId)).toMatchObject({ status: 'running', rows: 2_000 });
    await Promise.all([retry(exportId), retry(exportId)]);
    expect(await stateOf(exportId)).toMatchObject({ status: 'done', rows: ROWS });
    const parts = await partsOf(exportId);
    expect(parts).toHaveLength(6);
    const rows = format === 'csv' ? parts.map(({ bytes }) => csvRows(bytes.toString()).length) : [501, 500, 500, 500, 500, 100];
    expect(rows).toEqual([501, 500, 500, 500, 500, 100]);
    const { address } = (await app.call('export', 'link', { exportId }, token)).body;
    const text = (format === 'csv' ? String : sheetOf)((await app.app.http.inject(address)).rawPayload);
    expect(new Set(text.match(/Row \d+/g)).size).toBe(ROWS);
    expect(text.match(/Row \d+/g)).toHaveLength(ROWS);
  });

  it('are read with an index scan, even if one property has nearly all feedback', async () => {
    await app.stored('analyze feedback');
    const { sql } = new PgDialect().sqlToQuery(OF_LIVE_PROPERTIES);
    const plan = await app.stored<{ 'QUERY PLAN': string }>(
      `explain select * from feedback where account_id = $1 and ${sql} and suspected is not true order by id desc limit 501`,
      [ACCOUNT_ID],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Scan/);
    expect(text).not.toMatch(/Sort|Seq Scan on feedback/);
  });

  it('stop if they are canceled, have too many rows or bytes, or their owner loses access', async () => {
    const canceled = await start();
    // Its time is over after the first part.
    await retry(canceled, { lasts: 1 });
    await app.call('export', 'delete', { exportId: canceled }, token);
    await retry(canceled);
    expect(await partsOf(canceled)).toHaveLength(1);
    const reasonOf = async (limits: object): Promise<string> => {
      const id = await start();
      await retry(id, limits);
      const { status, failure } = await stateOf(id);
      expect(status).toBe('failed');
      return failure;
    };
    expect(await reasonOf({ rows: ROWS - 1 })).toBe('too-many-rows');
    expect(await reasonOf({ size: 50_000 })).toBe('too-large');
    const demoted = await start();
    await app.stored(`update "user" set level = 'user' where id = $1`, [dana.id]);
    await retry(demoted);
    expect((await stateOf(demoted)).failure).toBe('not-allowed');
    await app.stored(`update "user" set level = 'admin' where id = $1`, [dana.id]);
  });

  it('are limited to two at a time per person', async () => {
    const [first] = [await start(), await start()];
    expect((await app.call('export', 'create', EXPORT_INPUT, token)).body).toMatchObject({ code: 'too-many' });
    await app.call('export', 'delete', { exportId: first }, token);
    const next = await start();
    for (const id of [next, ...(await app.stored<{ id: string }>(`select id from export where status = 'waiting'`)).map(({ id }) => id)])
      await app.call('export', 'delete', { exportId: id }, token);
  });

  it('are sent no faster than the client reads', async () => {
    const exportId = await start();
    await retry(exportId);
    const [PIECES, PIECE] = [40, 1_000_000];
    await app.stored('delete from export_part where export_id = $1', [exportId]);
    await app.stored(`insert into export_part select $1, $2, n, convert_to(repeat('x', $4), 'UTF8') from generate_series(0, $3 - 1) n`, [
      ACCOUNT_ID,
      exportId,
      PIECES,
      PIECE,
    ]);
    await app.stored('update export set parts = $2, size = $3 where id = $1', [exportId, PIECES, PIECES * PIECE]);
    const { address } = (await app.call('export', 'link', { exportId }, token)).body;
    const site = await app.app.http.listen({ port: 0 });
    const reads = vi.spyOn(pg.Client.prototype, 'query');
    const countReads = () =>
      reads.mock.calls.filter(([query]) => /select "bytes" from "export_part"/.test((query as { text?: string }).text ?? '')).length;
    try {
      const [answer] = (await once(http.get(site + address), 'response')) as [IncomingMessage];
      let before = -1;
      await vi.waitFor(
        () => {
          const now = countReads();
          const isStill = now === before;
          before = now;
          expect(isStill).toBe(true);
        },
        { ...PATIENT, interval: 500 },
      );
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(PIECES / 2);
      let bytes = 0;
      for await (const chunk of answer) bytes += (chunk as Buffer).length;
      expect(bytes).toBe(PIECES * PIECE);
      expect(countReads()).toBe(PIECES);
    } finally {
      reads.mockRestore();
    }
  });
});

/** Starts a process that runs jobs. */
const startWorker = ({ app: { platform }, connection }: TestApp): ChildProcess =>
  spawn(
    process.execPath,
    [path.resolve(import.meta.dirname, '../../test/support/worker.ts'), JSON.stringify(connection), platform.config.dataDir],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );

/** Returns the files in an archive's directory. */
function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = archive.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const name = archive.subarray(at + 46, at + 46 + archive.readUInt16LE(at + 28));
    const start = archive.readUInt32LE(at + 42) + 30 + name.length;
    files.set(name.toString(), inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString());
    at += 46 + name.length;
  }
  return files;
}

const sheetOf = (file: Buffer): string => unzipped(file).get('xl/worksheets/sheet1.xml') ?? '';

/** Parses a CSV (RFC 4180) into cells. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
