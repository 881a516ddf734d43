import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { setUpApp, signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { addressOf } from '../../test/support/postgres/database.ts';
import { openTestSmtp, type TestSmtp } from '../../test/support/smtp.ts';
import { createLog } from '../platform/log/log.ts';
import { noteBackup } from './backup-note.ts';
import { type CommandEnvironment, run } from './run.ts';

/* Each command as typed, while the product is running. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OPERATOR = 'olga@installation.test';

let app: TestApp;
let smtp: TestSmtp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'afterword-admin-'));
  smtp = await openTestSmtp({ refuse: (attempt) => (attempt === 2 ? { code: 550, text: 'no such box' } : undefined) });
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress }, also: addOtherAccount });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command and returns its output and status. */
async function admin(line: string, { env = {}, ...environment }: Partial<CommandEnvironment> = {}) {
  let [out, err] = ['', ''];
  const status = await run(line.split(' '), {
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    folder,
    now: app.app.platform.now,
    env: {
      DATA_DIR: app.app.platform.config.dataDir,
      DATABASE_URL: addressOf(app.owner),
      // The tests' server writes nothing to the disk.
      ALLOW_VOLATILE: '1',
      DATABASE_APP_URL: addressOf(app.connection),
      OPERATOR_EMAILS: dana.data.emailAddress,
      ...env,
    },
    ...environment,
  });
  return { out, err, status };
}
const json = async (line: string) => JSON.parse((await admin(`${line} --json`)).out);
const auditEntries = () =>
  app.stored(`select name, subject from event where account_id = 'INSTALLATION' and actor = 'command-line' order by id`);
const lastAuditEntry = async () => (await auditEntries()).at(-1);

describe('a command', () => {
  it.each(['', 'acounts list', 'accounts', 'accounts find', 'accounts list extra', 'queue --loud'])('is unknown: %j', async (line) => {
    expect(await admin(line)).toMatchObject({ out: '', status: 2 });
    expect(await auditEntries()).toEqual([]);
  });

  it('prints its help', async () => {
    expect(await admin('second-factor reset --help')).toMatchObject({
      out: expect.stringContaining('--reason <text>'),
      err: '',
      status: 0,
    });
  });

  it('is refused for invalid settings and a missing installation', async () => {
    const elsewhere = await admin('accounts list', { env: { DATABASE_URL: '', DATABASE_APP_URL: '', DATA_DIR: folder } });
    expect(elsewhere).toEqual({ out: '', err: expect.stringMatching(/^There is no database in /), status: 1 });
    expect((await admin('accounts list', { env: { DATA_DIR: folder } })).err).toMatch(/ has no secret\. /);
    const keys = await app.stored('select id from identity_key');
    const secret = { IDENTITY_SECRET: 'x'.repeat(32) };
    expect((await admin('accounts list', { env: secret })).err).toMatch(/^The secret differs from Afterword’s/);
    expect(await app.stored('select id from identity_key')).toEqual(keys);
    expect((await admin('accounts list', { env: { PORT: 'x' } })).err).toMatch(/^PORT is "x"/);
  });

  it('is refused on a database of another version', async () => {
    const [latest] = await app.stored(
      'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations) returning *',
    );
    expect((await admin('accounts list')).err).toMatch(/is not set up for this version of Afterword yet/);
    expect(await finding('schema')).toMatchObject({ state: 'wrong', message: '1 migration is pending.' });
    const { id, hash, created_at } = latest as Record<string, unknown>;
    await app.stored('insert into drizzle.__drizzle_migrations (id, hash, created_at) values ($1, $2, $3)', [id, hash, created_at]);
    await app.stored('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', ['of the next version', Date.now()]);
    expect((await admin('accounts list')).err).toMatch(/^The database belongs to a newer version of Afterword/);
    await app.stored(`delete from drizzle.__drizzle_migrations where hash = 'of the next version'`);
  });
});

describe('accounts and people', () => {
  it('are listed as text and as JSON, and each list is in the audit log', async () => {
    const { out, err, status } = await admin('accounts list');
    expect([err, status]).toEqual(['', 0]);
    expect(out).toMatch(/^Id {2,}Name {2,}Signed up {2,}People {2}Places {2}Status\n/);
    expect(out).toMatch(new RegExp(`^${ACCOUNT_ID} +Harbor Coffee +2026-03-03 09:00 UTC +3 +3  active$`, 'm'));
    expect(out).toMatch(/\n2 accounts\.\n$/);
    expect(await lastAuditEntry()).toEqual({ name: 'accounts.listed', subject: '' });
    expect(await json('accounts find bayb')).toMatchObject({
      accounts: [{ id: otherAccount.accountId, people: 2, places: 1 }],
      hasMore: false,
    });
    expect(await admin('accounts find nothing-like-it')).toMatchObject({ out: 'No account was found.\n', status: 0 });
    const { people } = await json('people find sam');
    expect(people).toMatchObject([{ email: sam.data.emailAddress, level: 'user', account: { id: ACCOUNT_ID, name: 'Harbor Coffee' } }]);
    expect(await lastAuditEntry()).toEqual({ name: 'users.listed', subject: '' });
  });

  it('can’t control the terminal that shows them', async () => {
    await app.stored(`update account set display_name = E'\\u001b]0;mine\\u0007' where id = $1`, [otherAccount.accountId]);
    expect((await admin('accounts list')).out).toContain('\u{fffd}]0;mine\u{fffd}');
    expect((await admin('accounts list --json')).out).not.toContain('\u001b');
  });
});

describe('an account', () => {
  it('is restored within seven days, which is recorded in the account, too', async () => {
    const restore = (id: string) => admin(`accounts restore ${id}`);
    expect(await restore('harbor')).toMatchObject({ out: '', status: 1 });
    expect((await restore('ACCOUNT_Nobody')).err).toBe('There is no account ACCOUNT_Nobody.\n');
    expect((await restore(ACCOUNT_ID)).err).toBe(`${ACCOUNT_ID} is not deleted.\n`);
    const deleted = (ago: number) =>
      app.stored(`update account set deleted = $2 where id = $1`, [otherAccount.accountId, new Date(app.app.platform.now() - ago)]);
    await deleted(7 * DAY);
    expect((await restore(otherAccount.accountId)).err).toBe(`The seven days to restore ${otherAccount.accountId} have passed.\n`);
    await deleted(DAY);
    expect((await admin('accounts list')).out).toMatch(/ deleted, until 20/);
    expect((await admin(`accounts export ${otherAccount.accountId} gone.zip`)).err).toMatch(/is deleted. Restore it first/);
    expect(await restore(otherAccount.accountId)).toMatchObject({ err: '', status: 0 });
    expect(await lastAuditEntry()).toEqual({ name: 'account.restored', subject: otherAccount.accountId });
    const [entry] = await app.stored(`select actor from event where account_id = $1 and name = 'account.restored'`, [
      otherAccount.accountId,
    ]);
    expect(entry).toEqual({ actor: 'command-line' });
  });

  it('is exported to a new file', async () => {
    expect((await admin('accounts export ACCOUNT_Nobody all.zip')).err).toBe('There is no account ACCOUNT_Nobody.\n');
    await writeFile(path.join(folder, 'taken.zip'), 'dear');
    expect((await admin(`accounts export ${ACCOUNT_ID} taken.zip`)).err).toMatch(/already exists/);
    expect(await readFile(path.join(folder, 'taken.zip'), 'utf8')).toBe('dear');
    const { file, size } = await json(`accounts export ${ACCOUNT_ID} all.zip`);
    const bytes = await readFile(path.join(folder, 'all.zip'));
    expect([file, size]).toEqual([path.join(folder, 'all.zip'), bytes.length]);
    for (const name of ['README.txt', 'feedback.jsonl', 'webhooks.jsonl']) expect(bytes.includes(name)).toBe(true);
    expect(await lastAuditEntry()).toEqual({ name: 'account.exported', subject: ACCOUNT_ID });
  });
});

describe('a person who can’t sign in', () => {
  const nameOf = async (userId: string, token: string): Promise<string> =>
    (await app.call('user', 'get', { userId }, token)).body.user.data.displayName;

  it('gets a code for a new password, which isn’t printed', async () => {
    expect((await admin('password reset nobody')).err).toBe('nobody isn’t an email address.\n');
    expect((await admin('password reset nobody@example.com')).err).toBe('No one signs in with nobody@example.com.\n');
    const { out, status } = await admin(`password reset ${sam.data.emailAddress.toUpperCase()}`);
    expect(status).toBe(0);
    const [code = ''] = /\b\d{6}\b/.exec(await app.mailTo(sam.data.emailAddress, 'resets your Afterword password')) ?? [];
    expect(out).not.toContain(code);
    expect(await lastAuditEntry()).toEqual({ name: 'user.password-reset-mailed', subject: sam.id });
    const reset = { Username: sam.data.emailAddress, ConfirmationCode: code, Password: 'a battery of correct horses' };
    expect((await app.pool('ConfirmForgotPassword', reset)).status).toBe(200);
    expect(await nameOf(sam.id, await app.signIn(sam.data.emailAddress, reset.Password))).toBe(sam.data.displayName);
  });

  it('has two-step sign-in turned off a day later, after a confirmation', async () => {
    const reset = (email: string, more = ' --yes') => admin(`second-factor reset ${email}${more}`);
    await setUpApp(app, await app.signIn(otherAccount.email));
    expect((await reset(otherAccount.email, '')).err).toMatch(/^Nothing was changed/);
    expect((await admin(`second-factor reset ${otherAccount.email}`, { confirm: async () => false })).status).toBe(1);
    expect((await reset('nobody@example.com')).err).toBe('No one signs in with nobody@example.com.\n');
    expect((await reset(otherAccount.memberEmail)).err).toBe('An admin of the team can do this.\n');
    expect((await admin(`second-factor reset ${otherAccount.email}`, { confirm: async () => true })).out).toMatch(/unless they refuse/);
    expect(await lastAuditEntry()).toEqual({ name: 'user.second-factor-reset-requested', subject: otherAccount.userId });
    expect(await app.mailTo(otherAccount.email, 'about to be turned off')).toContain('the command line of localhost:8080');
  });

  it('has it turned off at once if they are an operator', async () => {
    const token = await signInAsOperator(app);
    expect(await json('operators list')).toEqual({ operators: [{ email: dana.data.emailAddress, isKnown: true, hasSecondFactor: true }] });
    expect((await admin(`second-factor reset ${dana.data.emailAddress} -y`)).status).toBe(0);
    expect(await lastAuditEntry()).toEqual({ name: 'user.second-factor-reset', subject: dana.id });
    expect((await app.call('account', 'list', {}, token)).status).toBe(401);
    expect(await nameOf(dana.id, await app.signIn(dana.data.emailAddress))).toBe(dana.data.displayName);
    expect(await app.mailTo(dana.data.emailAddress, 'was turned off')).toContain('the command line of');
    expect((await admin(`second-factor reset ${dana.data.emailAddress} -y`)).err).toMatch(/ is already off\.$/m);
  });

  it('gets an operator’s link if the settings list them', async () => {
    const { err, status } = await admin(`operators add ${OPERATOR}`);
    expect([status, err]).toEqual([1, expect.stringContaining(`OPERATOR_EMAILS=${dana.data.emailAddress},${OPERATOR}`)]);
    const env = { OPERATOR_EMAILS: `${dana.data.emailAddress}, ${OPERATOR}` };
    expect((await admin(`operators add ${dana.data.emailAddress}`)).out).toMatch(/already has a password/);
    expect((await admin(`operators add ${OPERATOR}`, { env })).status).toBe(0);
    expect(await app.mailTo(OPERATOR, 'You run an installation')).toMatch(/#invite=/);
    expect(await lastAuditEntry()).toMatchObject({ name: 'operator.invited' });
  });
});

describe('mail', () => {
  it('is sent as a test, and the mail server’s refusal is reported', async () => {
    const test = (env: NodeJS.ProcessEnv) => admin('mail test me@example.com', { env });
    expect((await test({ SMTP_URL: smtp.url })).out).toMatch(/accepted a test email to me@example.com/);
    expect(smtp.received.map(({ to }) => to)).toEqual([['me@example.com']]);
    const refusal = /refused the mail \(550\)\. It replied: 550 no such box/;
    expect(await test({ SMTP_URL: smtp.url })).toEqual({ out: '', err: expect.stringMatching(refusal), status: 1 });
    expect((await test({ SMTP_URL: 'smtp://127.0.0.1:1' })).err).toMatch(/could not be reached \(ECONNREFUSED\)/);
    const secure = await openTestSmtp({ secure: true });
    expect((await test({ SMTP_URL: secure.url })).err).toMatch(/certificate is not trusted \(\w+\)/);
    await secure.stop();
    expect(await lastAuditEntry()).toMatchObject({ name: 'mail.tested' });
    expect((await test({})).out).toMatch(/was written to .*outbox/);
    expect((await admin('mail test nobody')).status).toBe(1);
  });

  it('that isn’t sent appears in the queue and in the doctor’s findings', async () => {
    // The other account has an unsent mail whose job is gone.
    expect((await admin('queue')).out).toMatch(/^baybakery\.test +1 +0$/m);
    await app.stored(`update delivery set status = 'failed', last_error = 'It was too loud' where "to" = $1`, [OPERATOR]);
    const { out, status } = await admin('queue');
    expect([status, out]).toEqual([0, expect.stringMatching(/^installation\.test +0 +1 {2}It was too loud$/m)]);
    expect(await lastAuditEntry()).toEqual({ name: 'deliveries.looked-at', subject: '' });
    expect(await finding('mails')).toMatchObject({ state: 'warning', message: expect.stringContaining('1 mail failed') });
  });
});

interface DoctorReport {
  readonly isHealthy: boolean;
  readonly findings: readonly { readonly check: string; readonly state: string; readonly message: string; readonly advice?: string }[];
}

const examine = async (environment: Partial<CommandEnvironment> = {}): Promise<DoctorReport & { status: number }> => {
  const { out, status } = await admin('doctor --json', { now: Date.now, ...environment });
  return { ...JSON.parse(out), status };
};
const finding = async (check: string, environment: Partial<CommandEnvironment> = {}) =>
  (await examine(environment)).findings.find((each) => each.check === check);

describe('the doctor', () => {
  it('runs every check and succeeds if nothing is wrong', async () => {
    const before = await auditEntries();
    const { findings, isHealthy, status } = await examine({ env: { SMTP_URL: smtp.url, SNTP_URL: 'x' } });
    expect([isHealthy, status]).toEqual([true, 0]);
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    const well = Object.fromEntries(['secret', 'disk', 'mail server', 'database', 'schema', 'role', 'queue'].map((check) => [check, 'ok']));
    expect(states).toMatchObject({ ...well, settings: 'warning', operators: 'warning', backup: 'warning' });
    expect((await admin('doctor')).out).toMatch(/^ok {7}schema {7}The schema is up to date\.$/m);
    expect(await auditEntries()).toEqual(before);
  });

  it.each<[string, string, NodeJS.ProcessEnv]>([
    ['settings', 'PORT is "x"; it should be a port from 0 to 65535.', { PORT: 'x' }],
    ['mail server', expect.stringMatching(/^127.0.0.1: The mail server could not be reached/), { SMTP_URL: 'smtp://127.0.0.1:1' }],
    ['database', expect.stringMatching(/^The database cannot be reached: /), { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }],
    ['database', expect.stringMatching(/^DATABASE_POOLER is "127.0.0.1:1", which can't be used: /), { DATABASE_POOLER: '127.0.0.1:1' }],
    ['secret', expect.stringMatching(/^There is none in /), { DATA_DIR: import.meta.dirname }],
  ])('exits with 1 if something is wrong: %s', async (check, message, env) => {
    const { findings, isHealthy, status } = await examine({ env });
    expect([isHealthy, status]).toEqual([false, 1]);
    expect(findings).toContainEqual({ check, state: 'wrong', message, advice: expect.any(String) });
  });

  it('reports clocks that differ and jobs without a worker', async () => {
    expect(await finding('clock', { now: () => Date.now() - 5_000 })).toMatchObject({ state: 'warning' });
    expect(await finding('clock', { now: () => Date.now() + MINUTE })).toMatchObject({
      state: 'wrong',
      message: expect.stringMatching(/behind/),
    });
    await app.stored(`select pgboss.create_queue('an unknown kind', '{"policy": "standard"}')`);
    await app.stored(`insert into pgboss.job (name, created_on, start_after) values ('an unknown kind', $1, $1)`, [
      new Date(Date.now() - 20 * MINUTE),
    ]);
    expect(await finding('queue')).toMatchObject({ state: 'wrong', message: expect.stringContaining('has been waiting for 20 minutes') });
    expect((await json('queue')).jobs).toMatchObject([{ name: 'an unknown kind', waiting: 1, running: 0, failed: 0 }]);
  });

  it('reports the age of the newest backup', async () => {
    const options = { config: { database: { url: '', appUrl: addressOf(app.connection) } }, log: createLog({ logLevel: 'silent' }) };
    await noteBackup(app.owner, { ...options, name: 'monday.tar.gz' });
    expect(await lastAuditEntry()).toEqual({ name: 'backup.taken', subject: 'monday.tar.gz' });
    expect(await finding('backup')).toMatchObject({ state: 'ok' });
    expect(await finding('backup', { now: () => Date.now() + 3 * DAY })).toMatchObject({ state: 'warning' });
  });
});
