import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, noor, pier, sam, till } from '#fixtures/business.ts';
import { savedViews } from '#fixtures/saved-views.ts';
import { type Answered, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { exampleOf, operations, subjectsOf } from '../../../test/support/examples.ts';
import { signInAsOperator } from '../../../test/support/operator.ts';
import { addLocked, addOtherAccount, CANARY, locked, otherAccount } from '../../../test/support/other-account.ts';

/* Every operation, asked by everybody, about what is theirs, what is another account's, what is not there, and nonsense. */

const FIELDS = [
  'accountId',
  'userId',
  'propertyId',
  'formId',
  'toolId',
  'feedbackId',
  'commentId',
  'messageId',
  'savedViewId',
  'exportId',
  'deliveryId',
  'webhookId',
  'sessionId',
] as const;
type Ids = Readonly<Record<(typeof FIELDS)[number], string>>;

const missing: Ids = {
  accountId: 'ACCOUNT_NobodyHere',
  userId: 'USER_00000000-0000-4000-8000-000000000000',
  propertyId: 'PROPERTY_NobodyHere',
  formId: 'FORM_nobody',
  toolId: 'TOOL_nobodyhere',
  feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy',
  commentId: 'COMMENT_nobodyhere',
  messageId: 'MESSAGE_nobodyhere',
  savedViewId: 'SAVEDVIEW_nobodyhere',
  exportId: 'EXPORT_nobodyhere',
  deliveryId: 'DELIVERY_nobodyhere',
  webhookId: 'WEBHOOK_nobodyhere',
  sessionId: '00000000-0000-4000-8000-000000000000',
};
const malformed: Ids = {
  accountId: "' or 1=1",
  userId: '../..',
  propertyId: 'x'.repeat(300),
  formId: 'FORM_%',
  toolId: 'TOOL_',
  feedbackId: '\0',
  commentId: 'COMMENT_%',
  messageId: 'MESSAGE_%',
  savedViewId: 'SAVEDVIEW_%',
  exportId: 'EXPORT_%',
  deliveryId: 'DELIVERY_%',
  webhookId: 'WEBHOOK_%',
  sessionId: '%',
};

/** What a visitor may see of any business: that is what forms are for. */
const PUBLIC = new Set(['form.get', 'feedback.save', 'view.track']);

type Prepare = (app: TestApp) => Promise<(() => void) | undefined>;

const walls: readonly (readonly [name: string, prepare: Prepare])[] = [
  ['as it is', async () => undefined],
  ['by row security alone', forgetScopes],
  ['by scopes alone', dropRowSecurity],
];

describe.each(walls)('tenants are kept apart %s', (_name, prepare) => {
  let app: TestApp;
  let restore: (() => void) | undefined;
  let tokens: Record<'admin' | 'member' | 'operator' | 'otherAdmin' | 'removed' | 'locked', string>;
  let ids: Ids;
  let foreignIds: Ids;
  const ask = (name: string, sent: object, token?: string): Promise<Answered> => {
    const [service = '', action = ''] = name.split('.');
    return app.call(service, action, sent, token);
  };

  beforeAll(async () => {
    app = await openTestApp({
      settings: { OPERATOR_EMAILS: dana.data.emailAddress },
      also: async (app) => {
        await addOtherAccount(app);
        await addLocked(app);
      },
    });
    const lockedOut = await app.signIn(locked.email);
    await app.stored('update account set deleted = now() where id = $1', [locked.accountId]);
    const operator = await signInAsOperator(app);
    const removed = await app.signIn(otherAccount.memberEmail);
    await app.stored(`delete from "user" where id = $1`, [otherAccount.memberId]);
    await app.stored(`update "user" set level = 'admin' where id = $1`, [noor.id]);
    tokens = {
      operator,
      locked: lockedOut,
      admin: await app.signIn(noor.data.emailAddress),
      member: await app.signIn(sam.data.emailAddress),
      otherAdmin: await app.signIn(otherAccount.email),
      removed,
    };
    const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, tokens.admin);
    const said = { idempotencyKey: 'k'.repeat(22), payload: { data: { feedbackId: body.feedback[0].id, text: 'Ours' } } };
    const comment = (await app.call('comment', 'save', said, tokens.admin)).body.comment;
    const asked = await app.call('export', 'create', exampleOf('export.create', subjectsOf()), tokens.admin);
    const sent = await app.call('message', 'save', exampleOf('message.save', subjectsOf()), tokens.admin);
    const tested = await app.call('delivery', 'test', {}, tokens.admin);
    const hook = await app.call('webhook', 'save', exampleOf('webhook.save', subjectsOf()), tokens.admin);
    const sessionOf = async (token: string): Promise<string> => (await app.call('user', 'sessions', {}, token)).body.sessions[0].id;
    const { userId, propertyId, formId, toolId, feedbackId, commentId, messageId, savedViewId, exportId, deliveryId, webhookId } =
      otherAccount;
    ids = {
      accountId: ACCOUNT_ID,
      userId: noor.id,
      propertyId: pier.id,
      formId: pier.data.formId,
      toolId: till.id,
      feedbackId: body.feedback[0].id,
      commentId: comment.id,
      messageId: sent.body.message.id,
      savedViewId: savedViews[0]?.id ?? '',
      exportId: asked.body.file.id,
      deliveryId: tested.body.delivery.id,
      webhookId: hook.body.webhook.id,
      sessionId: await sessionOf(tokens.admin),
    };
    foreignIds = {
      accountId: otherAccount.accountId,
      userId,
      propertyId,
      formId,
      toolId,
      feedbackId,
      commentId,
      messageId,
      savedViewId,
      exportId,
      deliveryId,
      webhookId,
      sessionId: await sessionOf(tokens.otherAdmin),
    };
    restore = await prepare(app);
  });
  afterAll(async () => {
    restore?.();
    await app.stop();
  });

  it.each(operations)('$name shows nothing of another account, which is as good as missing', async ({ name, access }) => {
    const before = await otherAccountRows(app);
    for (const token of [tokens.admin, tokens.member, ...(access === 'operator' ? [] : [tokens.operator])]) {
      const asking = (about: Partial<Ids>): Promise<Answered> => ask(name, exampleOf(name, subjectsOf({ ...ids, ...about })), token);
      for (const field of FIELDS.filter((each) => names(name, each))) {
        const foreign = await asking({ [field]: foreignIds[field] });
        const absent = await asking({ [field]: missing[field] });
        const nonsense = await asking({ [field]: malformed[field] });
        if (!PUBLIC.has(name)) {
          expect(JSON.stringify(foreign.body)).not.toContain(CANARY);
          expect(plain(foreign)).toEqual(plain(absent));
        }
        expect(nonsense.status).toBeLessThan(500);
        if (access !== 'visitor') expect(JSON.stringify([absent.body, nonsense.body])).not.toContain(CANARY);
      }
    }
    if (name !== 'feedback.save') expect(await otherAccountRows(app)).toEqual(before);
  });

  it.each(operations.filter(({ name, access }) => access !== 'operator' && !FIELDS.some((field) => names(name, field))))(
    '$name, which names no record, is about one’s own',
    async ({ name }) => {
      const before = await otherAccountRows(app);
      for (const token of [tokens.admin, tokens.member, tokens.operator]) {
        const { status, body } = await ask(name, exampleOf(name, subjectsOf(ids)), token);
        expect(status).toBeLessThan(500);
        expect(body.code).not.toBe('bad-input');
        expect(JSON.stringify(body)).not.toContain(CANARY);
      }
      expect(await otherAccountRows(app)).toEqual(before);
    },
  );

  it.each(operations.filter(({ access }) => access !== 'visitor'))(
    '$name lets nobody in who may not',
    async ({ name, access, whileDeleted }) => {
      // An operator may do it to any account, so what is named is not there.
      const sent = exampleOf(name, subjectsOf({ ...ids, ...(access === 'operator' && missing) }));
      // In the middle of the signature: the last letter carries bits that mean nothing.
      const damaged = `${tokens.admin.slice(0, -40)}${tokens.admin.at(-40) === 'A' ? 'B' : 'A'}${tokens.admin.slice(-39)}`;
      for (const token of [undefined, '', 'x.y.z', damaged, tokens.removed]) {
        const { status, body } = await ask(name, sent, token);
        expect([status, body.code]).toEqual([401, 'not-signed-in']);
      }
      // Of a deleted account only that can be asked which takes no id: when it was deleted, and to have it back.
      if (whileDeleted) expect(sent).toEqual({});
      else expect((await ask(name, sent, tokens.locked)).body.code).toBe('account-deleted');
      if (access === 'member') return;
      expect((await ask(name, sent, tokens.member)).body.code).toBe('not-allowed');
      if (access !== 'operator') return;
      expect((await ask(name, sent, tokens.admin)).body.code).toBe('not-allowed');
      // Without its conditions an operator's statement is about every account: that is what operators may.
      if (prepare !== forgetScopes) expect((await ask(name, sent, tokens.operator)).status).not.toBe(403);
    },
  );

  it('another account sees its own, so that the canary is alive', async () => {
    const { body } = await ask('feedback.list', { accountId: otherAccount.accountId }, tokens.otherAdmin);
    expect(JSON.stringify(body)).toContain(CANARY);
  });
});

it('with neither wall another account would be seen: the test can fail', async () => {
  const app = await openTestApp({ also: addOtherAccount });
  const token = await app.signIn();
  await dropRowSecurity(app);
  const restore = await forgetScopes();
  try {
    const { body } = await app.call('feedback', 'get', { feedbackId: otherAccount.feedbackId }, token);
    expect(JSON.stringify(body)).toContain(CANARY);
  } finally {
    restore();
    await app.stop();
  }
});

/** Whether an operation is asked about such a record. */
const names = (name: string, field: keyof Ids): boolean =>
  JSON.stringify(exampleOf(name, subjectsOf({ [field]: missing[field] }))).includes(missing[field]);

/** Without what differs between any two answers. */
const plain = ({ status, body }: Answered) => ({
  status,
  body: { ...body, requestId: undefined, feedback: status === 200 ? undefined : body.feedback },
});

const TABLES = [
  'account',
  'subscription',
  '"user"',
  'property',
  'form',
  'form_version',
  'tool',
  'feedback',
  'comment',
  'message',
  'saved_view',
  'export',
  'export_part',
  'webhook',
  'webhook_delivery',
  'notification',
  'push_device',
  'event',
];

/** Everything of the other account, to see that nothing of it was changed. In one statement: it is asked for hundreds of times. */
const otherAccountRows = (app: TestApp): Promise<unknown> =>
  app.stored(
    `${TABLES.map(
      // Written so that `forgetScopes` does not widen it.
      (table) => `select '${table}' as place, t::text as row from ${table} t where ${table === 'account' ? 'id' : 'account_id'} in ($1)`,
    ).join(' union all ')} order by 1, 2`,
    [otherAccount.accountId],
  );

/** Every condition on the account is taken out of every statement: what holds now is row security. */
async function forgetScopes(): Promise<() => void> {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function forgetful(this: pg.Client, ...given: unknown[]) {
    const [first, ...rest] = given;
    const changed = typeof first === 'string' ? withoutScope(first) : changedQuery(first);
    return (query as (...all: unknown[]) => unknown).call(this, changed, ...rest);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}

function changedQuery(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('text' in given) || typeof given.text !== 'string') return given;
  return Object.assign(Object.create(Object.getPrototypeOf(given)), given, { text: withoutScope(given.text) });
}

const withoutScope = (sql: string): string =>
  /^\s*(?:insert|begin|commit)/i.test(sql)
    ? sql
    : sql
        .replace(/(?:(?:"\w+"|\b\w+)\.)?"?account_id"? = (\$\d+)/g, '($1::text is not null)')
        .replace(/"account"\."id" = (\$\d+)/g, '($1::text is not null)');

/**
 * Row security is switched off for every table: what holds now is the scope that stores are given. One table after the other, since
 * jobs go on meanwhile: whoever held one and waited for the next would be in each other's way.
 */
async function dropRowSecurity(app: TestApp): Promise<undefined> {
  const tables = await app.stored<{ name: string }>(`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  for (const { name } of tables) {
    await app.stored(`alter table ${name} no force row level security`);
    await app.stored(`alter table ${name} disable row level security`);
  }
}
