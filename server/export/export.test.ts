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
import { newKey, responsesTo } from '../../test/support/submission.ts';
import { openBilling } from '../billing/billing.ts';
import { OF_LIVE_PROPERTIES } from '../feedback/store.ts';
import { openWriting } from './writing.ts';

const MINE = { accountId: ACCOUNT_ID, format: 'csv', zone: 'Europe/Lisbon' };
const WITHIN = { timeout: 60_000, interval: 50 };
/** Another process is begun meanwhile. */
const BOOTS_WITHIN = { timeout: 60_000, interval: 50 };
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

  async function written(sent: object, token = admin): Promise<ExportedFile> {
    const { body } = await ask('create', { ...MINE, ...sent }, token);
    expect(body.file.data).toMatchObject({ status: 'waiting', rows: 0 });
    return whole(body.file.id, token);
  }
  const whole = (exportId: string, token = admin): Promise<ExportedFile> =>
    vi.waitFor(async () => {
      const { file } = (await ask('get', { exportId }, token)).body;
      expect(file.data.status).toBe('done');
      return file;
    }, WITHIN);
  async function fetched(exportId: string, token = admin) {
    const { address } = (await ask('link', { exportId }, token)).body;
    return app.app.http.inject(address);
  }
  async function listed(filters: object, cursor?: string): Promise<string[]> {
    const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, ...filters, limit: 100, cursor }, admin);
    const page = body.feedback.map(({ id }: { id: string }) => id);
    return body.cursor === null ? page : [...page, ...(await listed(filters, body.cursor))];
  }
  const textOf = async (file: ExportedFile, token = admin): Promise<string> => (await fetched(file.id, token)).rawPayload.toString();

  it('has what the list has, with every filter, in the zone of whoever asks', async () => {
    for (const filters of [
      {},
      { kind: 'urgent' },
      { rating: 2, order: 'oldest' },
      { propertyId: pier.id, text: 'coffee' },
      { toolId: till.id },
    ]) {
      const feedback = await listed(filters);
      expect(feedback.length).toBeGreaterThan(0);
      const file = await written(filters);
      expect(file.data).toMatchObject({ rows: feedback.length, expected: feedback.length });
      const lines = csvRows(await textOf(file));
      expect(lines.slice(1).map((line) => line.at(-1)?.split('?id=')[1])).toEqual(feedback);
      await ask('delete', { exportId: file.id });
    }
    const file = await written({});
    expect(file.data.name).toMatch(/^afterword-feedback-\d{4}-\d\d-\d\d\.csv$/);
    const [headings = [], first = []] = csvRows(await textOf(file));
    expect(headings.slice(0, 4)).toEqual(['When', 'Property', 'Placement', 'Rating']);
    expect(first[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[01]:00$/);
    await ask('delete', { exportId: file.id });
  });

  it('gives no way to make a cell calculate, whatever stands in which field', async () => {
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

    const [headings = [], row = []] = csvRows(await textOf(await written({ propertyId: airport.id, toolId: tool.id })));
    for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const said = Object.fromEntries(headings.map((heading, place) => [heading, row[place]]));
    expect(said).toMatchObject({
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
    // As a workbook the texts are as they were, and texts.
    const book = await written({ propertyId: airport.id, toolId: tool.id, format: 'xlsx' });
    expect((await fetched(book.id)).rawPayload.subarray(0, 2).toString()).toBe('PK');
    for (const { id } of (await ask('list', {})).body.files) await ask('delete', { exportId: id });
  });

  it('leaves contacts out for members, and is their own', async () => {
    const file = await written({}, member);
    const text = await textOf(file, member);
    expect(text).not.toContain('Contact');
    expect(text).not.toContain('ann@a.test');
    for (const action of ['get', 'link', 'delete']) expect((await ask(action, { exportId: file.id })).status).toBe(404);
    expect((await ask('list', {})).body.files).toEqual([]);
    expect((await ask('list', {}, member)).body.files).toHaveLength(1);
  });

  it('gives an admin’s file to nobody who is no admin any more', async () => {
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'admin' } } }, admin);
    const token = await app.signIn(noor.data.emailAddress);
    const file = await written({}, token);
    const { address } = (await ask('link', { exportId: file.id }, token)).body;
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'user' } } }, admin);
    expect((await app.app.http.inject(address)).statusCode).toBe(404);
  });

  it('has a link that works once, for a minute, and names nothing that it could be guessed from', async () => {
    const file = await written({});
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
    const late = (await ask('link', { exportId: file.id })).body.address;
    app.advance(61_000);
    expect((await app.app.http.inject(late)).statusCode).toBe(404);
    const happened = await app.stored(`select data from event where name = 'export.fetched' and subject = $1`, [file.id]);
    expect(happened).toEqual([{ data: { content: 'feedback', format: 'csv', contacts: true } }]);
    await ask('delete', { exportId: file.id });
    expect((await ask('get', { exportId: file.id })).status).toBe(404);
    await vi.waitFor(async () => expect(await app.stored('select from export where id = $1', [file.id])).toEqual([]), WITHIN);
  });

  it('is gone after a day', async () => {
    const file = await written({});
    app.advance(DAY + 1);
    const token = await app.signIn();
    expect((await ask('link', { exportId: file.id }, token)).status).toBe(404);
    expect((await ask('list', {}, token)).body.files).toEqual([]);
    await app.app.platform.database.transaction({}, (db) => app.app.platform.jobs.queue(db, 'export.upkeep', {}));
    await vi.waitFor(async () => expect(await app.stored('select from export_part')).toEqual([]), WITHIN);
  });

  it('is the demo’s file, too', async () => {
    const feedback = sampleFeedback(Date.now());
    const world = createWorld({ crypto, feedback });
    const made = (await world.call(dana, 'export', 'create', { ...MINE, format: 'csv' })) as { file: ExportedFile };
    const { address } = (await world.call(dana, 'export', 'link', { exportId: made.file.id })) as { address: string };
    const rows = csvRows(decodeURIComponent(address.slice(address.indexOf(',') + 1)));
    expect(rows).toHaveLength(feedback.length + 1);
    expect(rows[0]?.slice(0, 4)).toEqual(['When', 'Property', 'Placement', 'Rating']);
  });
});

describe('everything of an account', () => {
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    app = await openTestApp({ settings: { ROLES: 'web' }, also: addOtherAccount });
    token = await app.signIn();
  });
  afterAll(() => app.stop());

  it('is an admin’s to ask for', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    expect((await app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'UTC' }, member)).body.code).toBe('not-allowed');
    expect((await app.call('export', 'archive', { accountId: otherAccount.accountId, zone: 'UTC' }, token)).status).toBe(404);
  });

  it('has every row of every table, in pieces, and nothing of another account', async () => {
    const { feedback } = (await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, token)).body;
    const said = { idempotencyKey: newKey(), payload: { data: { feedbackId: feedback[0].id, text: 'Called back' } } };
    await app.call('comment', 'save', said, token);
    await app.call('tag', 'save', { payload: { data: { displayName: 'Queue' } } }, token);
    await app.call('message', 'save', exampleOf('message.save', subjectsOf()), token);
    await app.call('view', 'track', { formId: pier.data.formId });
    await app.call('property', 'delete', { propertyId: airport.id }, token);
    const { body: hook } = await app.call('webhook', 'save', exampleOf('webhook.save', subjectsOf()), token);
    const { file } = (await app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'Europe/Lisbon' }, token)).body;
    expect(file.data.name).toMatch(/^afterword-account-\d{4}-\d\d-\d\d\.zip$/);
    // Small pages and files, so that each kind of record is continued.
    const limits = { page: 7, split: 3_000, pages: 3 };
    await vi.waitFor(async () => {
      await writeOn(app, file.id, limits);
      expect((await app.call('export', 'get', { exportId: file.id }, token)).body.file.data.status).toBe('done');
    }, WITHIN);
    const { address } = (await app.call('export', 'link', { exportId: file.id }, token)).body;
    const answer = await app.app.http.inject(address);
    expect(answer.headers['content-type']).toBe('application/zip');
    const files = unzipped(answer.rawPayload);
    expect(files.get('README.txt')).toContain(`All data of ${account.data.displayName}`);
    expect(files.has('feedback-2.jsonl')).toBe(true);
    expect([...files.values()].join('')).not.toContain(CANARY);
    expect(files.get('webhooks.jsonl')).toContain(hook.webhook.data.url);
    expect([...files.values()].join('')).not.toContain(hook.secret.slice('whsec_'.length));
    const idsIn = (kind: string): string[] =>
      [...files]
        .filter(([name]) => new RegExp(`^${kind}(-\\d+)?\\.jsonl$`).test(name))
        .flatMap(([, text]) => text.trim().split('\n'))
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ id, formId, data, day }) => [id ?? formId, day ?? data?.version].filter((part) => part !== undefined).join(' '));
    for (const [kind, sql] of Object.entries(STORED)) {
      const ids = (await app.stored<{ id: string }>(sql, [ACCOUNT_ID])).map(({ id }) => id);
      expect(ids.length, kind).toBeGreaterThan(0);
      expect(idsIn(kind).sort(), kind).toEqual(ids.sort());
    }
    expect(Object.keys(STORED).sort()).toEqual([...ARCHIVE_ORDER].sort());
    const events = await app.stored(`select from event where account_id = $1 and name = 'export.requested'`, [ACCOUNT_ID]);
    expect(events).toHaveLength(1);
  });

  it('has every table with rows of accounts, but for those that are named with a reason', async () => {
    const tables = await app.stored<{ name: string }>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'account_id' and table_type = 'BASE TABLE'`,
    );
    const taken = Object.values(STORED).map((sql) => / from "?(\w+)/.exec(sql)?.[1] ?? '');
    const known = [...taken, ...Object.keys(NOT_TAKEN)].filter((name) => name !== 'account');
    expect(tables.map(({ name }) => name).sort()).toEqual(known.sort());
  });
});

/** The ids of what is stored, by the file that they are in. */
const STORED: Readonly<Record<string, string>> = {
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
};

/** Tables with rows of accounts that are no file of an archive, and why not. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  subscription: 'stands in the account',
  billing_reference: 'what the payment provider calls its records; payments are its',
  billing_event: 'what the payment provider told, until it is applied',
  billing_notice: 'what admins were reminded of; stands in events',
  form: 'stands in its versions',
  feedback_mark: 'what a person has read, which is theirs',
  feedback_reader: 'what a person has read, which is theirs',
  feedback_tally: 'counted from feedback',
  feedback_day: 'counted from feedback',
  view_quarter: 'openings once more, by quarter of an hour',
  delivery: 'who was mailed within 90 days, without the words; why, stands in events',
  report: 'when which was made from feedback; whose they are stands in properties',
  alert: 'who was told of which feedback within 90 days; who is to be told stands in properties',
  alert_recipient: 'how many mails a person got within the hour',
  alert_link: 'hashes of links that work for three days',
  alert_escalation: 'who hears next; the order stands in properties',
  notification: 'what a person was told behind the bell within 90 days; why, stands in events',
  push_device: 'the devices of people, sealed',
  webhook_delivery: 'events that stand in events, on their way for thirty days',
  export: 'files like this one, kept for a day',
  export_part: 'files like this one, kept for a day',
};

/** What the queue does once more when a process's time is over (jobs.test.ts). */
const writeOn = (app: TestApp, exportId: string, limits?: Parameters<typeof openWriting>[1]): Promise<void> | undefined =>
  openWriting({ ...app.app.platform, billing: openBilling({ platform: app.app.platform, provider: undefined }) }, limits)['export.write']?.(
    {
      data: { accountId: ACCOUNT_ID, userId: dana.id, exportId },
      isLast: false,
      signal: new AbortController().signal,
    },
  );

describe('large files', () => {
  const MANY = 2_600;
  /** The key of an advisory lock. */
  const THIRD_PART = 20_002;
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    // Nothing works on the queue but what a test starts.
    app = await openTestApp({ settings: { ROLES: 'web' } });
    token = await app.signIn();
    await app.stored('delete from feedback');
    await app.stored(
      `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses, text)
       select $1, 'EXPERIENCE_20260101_' || lpad(n::text, 13, '0') || '_aaaaa', $2, $3, 1, sha256(n::text::bytea), now(), 5, false, 'regular', 'none', '[]', 'Row ' || n
         from generate_series(1, $4::integer) n`,
      [ACCOUNT_ID, pier.id, pier.data.formId, MANY],
    );
  });
  afterAll(() => app.stop());

  const started = async (sent: object = {}): Promise<string> =>
    (await app.call('export', 'create', { ...MINE, ...sent }, token)).body.file.id;
  const stateOf = async (exportId: string) => (await app.call('export', 'get', { exportId }, token)).body.file.data;
  const partsOf = (id: string) =>
    app.stored<{ number: number; bytes: Buffer }>('select number, bytes from export_part where export_id = $1 order by number', [id]);

  const tryAgain = (exportId: string, limits?: Parameters<typeof openWriting>[1]) => writeOn(app, exportId, limits);

  it.each(['csv', 'xlsx'])(
    'are written (%s) by whoever goes on where a process was killed, with each row once, a page at a time',
    async (format) => {
      const exportId = await started({ format });
      // The third part waits for this lock, so that the process is killed while it writes it.
      const holder = await app.connect();
      await holder.query('select pg_advisory_lock($1)', [THIRD_PART]);
      await app.stored(`
      create function wait_here() returns trigger language plpgsql set lock_timeout = 0 as $$
        begin if new.number = 2 then perform pg_advisory_xact_lock_shared(${THIRD_PART}); end if; return new; end $$;
      create trigger wait_here before insert on export_part for each row execute function wait_here()`);
      const killed = startWorker(app);
      const waiting = () => app.stored(`select 1 from pg_locks where locktype = 'advisory' and objid = ${THIRD_PART} and not granted`);
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), BOOTS_WITHIN);
      expect(await partsOf(exportId)).toHaveLength(2);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      await holder.end();
      await app.stored('drop trigger wait_here on export_part; drop function wait_here');
      expect(await stateOf(exportId)).toMatchObject({ status: 'running', rows: 1_000, expected: MANY });
      expect((await app.call('export', 'link', { exportId }, token)).body.code).toBe('conflict');

      await tryAgain(exportId, { pages: 2 });
      expect(await stateOf(exportId)).toMatchObject({ status: 'running', rows: 2_000 });
      await Promise.all([tryAgain(exportId), tryAgain(exportId)]);
      expect(await stateOf(exportId)).toMatchObject({ status: 'done', rows: MANY });
      const parts = await partsOf(exportId);
      expect(parts).toHaveLength(6);
      const rows = format === 'csv' ? parts.map(({ bytes }) => csvRows(bytes.toString()).length) : [501, 500, 500, 500, 500, 100];
      expect(rows).toEqual([501, 500, 500, 500, 500, 100]);
      const { address } = (await app.call('export', 'link', { exportId }, token)).body;
      const text = (format === 'csv' ? String : sheetOf)((await app.app.http.inject(address)).rawPayload);
      expect(new Set(text.match(/Row \d+/g)).size).toBe(MANY);
      expect(text.match(/Row \d+/g)).toHaveLength(MANY);
    },
    90_000,
  );

  it('are read by walking an index, also where one property has nearly all feedback', async () => {
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

  it('stop where they are cancelled, have too many rows or bytes, or their person has left', async () => {
    const cancelled = await started();
    // Its time is over after the first piece.
    await tryAgain(cancelled, { lasts: 1 });
    await app.call('export', 'delete', { exportId: cancelled }, token);
    await tryAgain(cancelled);
    expect(await partsOf(cancelled)).toHaveLength(1);
    const reasonOf = async (limits: object): Promise<string> => {
      const id = await started();
      await tryAgain(id, limits);
      const { status, failure } = await stateOf(id);
      expect(status).toBe('failed');
      return failure;
    };
    expect(await reasonOf({ rows: MANY - 1 })).toBe('too-many-rows');
    expect(await reasonOf({ size: 50_000 })).toBe('too-large');
    const left = await started();
    await app.stored(`update "user" set level = 'user' where id = $1`, [dana.id]);
    await tryAgain(left);
    expect((await stateOf(left)).failure).toBe('not-allowed');
    await app.stored(`update "user" set level = 'admin' where id = $1`, [dana.id]);
  });

  it('are two at a time for a person', async () => {
    const [first] = [await started(), await started()];
    expect((await app.call('export', 'create', MINE, token)).body).toMatchObject({ code: 'too-many' });
    await app.call('export', 'delete', { exportId: first }, token);
    const next = await started();
    for (const id of [next, ...(await app.stored<{ id: string }>(`select id from export where status = 'waiting'`)).map(({ id }) => id)])
      await app.call('export', 'delete', { exportId: id }, token);
  });

  it('are sent no faster than they are read', async () => {
    const exportId = await started();
    await tryAgain(exportId);
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
    const many = () =>
      reads.mock.calls.filter(([query]) => /select "bytes" from "export_part"/.test((query as { text?: string }).text ?? '')).length;
    try {
      const [answer] = (await once(http.get(site + address), 'response')) as [IncomingMessage];
      let before = -1;
      await vi.waitFor(
        () => {
          const now = many();
          const isStill = now === before;
          before = now;
          expect(isStill).toBe(true);
        },
        { timeout: 10_000, interval: 500 },
      );
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(PIECES / 2);
      let bytes = 0;
      for await (const chunk of answer) bytes += (chunk as Buffer).length;
      expect(bytes).toBe(PIECES * PIECE);
      expect(many()).toBe(PIECES);
    } finally {
      reads.mockRestore();
    }
  });
});

/** A process of its own that works on the queue. */
const startWorker = ({ app: { platform }, connection }: TestApp): ChildProcess =>
  spawn(
    process.execPath,
    [path.resolve(import.meta.dirname, '../../test/support/worker.ts'), JSON.stringify(connection), platform.config.dataDir],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );

/** The files of an archive, by its list. */
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

/** The cells of a CSV, as a reader of RFC 4180 has them. */
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
