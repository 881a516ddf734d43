import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, noor, pier, sam, till } from '#fixtures/business.ts';
import { exitKiosk } from '#fixtures/kiosks.ts';
import { savedViews } from '#fixtures/saved-views.ts';
import { type Answered, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { exampleOf, operations, subjectsOf } from '../../../test/support/examples.ts';
import { signInAsOperator } from '../../../test/support/operator.ts';
import { addDeletedAccount, addOtherAccount, CANARY, deletedAccount, otherAccount } from '../../../test/support/other-account.ts';

/* Calls every operation as every kind of caller, for their own records, another account's, missing ones, and invalid ids. */

const FIELDS = [
  'accountId',
  'userId',
  'propertyId',
  'formId',
  'toolId',
  'kioskId',
  'feedbackId',
  'commentId',
  'messageId',
  'apiKeyId',
  'feedbackRequestId',
  'topicId',
  'suppressionId',
  'savedReplyId',
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
  kioskId: 'TOOL_nobodyhere',
  feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy',
  commentId: 'COMMENT_nobodyhere',
  messageId: 'MESSAGE_nobodyhere',
  apiKeyId: 'APIKEY_nobodyhere',
  feedbackRequestId: 'FEEDBACKREQUEST_NobodyHere',
  topicId: 'TOPIC_nobodyhere',
  suppressionId: 'SUPPRESSION_nobodyhere',
  savedReplyId: 'SAVEDREPLY_nobodyhere',
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
  kioskId: 'TOOL_',
  feedbackId: '\0',
  commentId: 'COMMENT_%',
  messageId: 'MESSAGE_%',
  apiKeyId: 'APIKEY_%',
  feedbackRequestId: 'FEEDBACKREQUEST_%',
  topicId: 'TOPIC_%',
  suppressionId: 'SUPPRESSION_%',
  savedReplyId: 'SAVEDREPLY_%',
  savedViewId: 'SAVEDVIEW_%',
  exportId: 'EXPORT_%',
  deliveryId: 'DELIVERY_%',
  webhookId: 'WEBHOOK_%',
  sessionId: '%',
};

/** Operations for visitors, who may use any account's form. */
const PUBLIC = new Set(['form.get', 'feedback.save', 'view.track']);

type Prepare = (app: TestApp) => Promise<(() => void) | undefined>;

const walls: readonly (readonly [name: string, prepare: Prepare])[] = [
  ['by scopes and row security', async () => undefined],
  ['by row security alone', forgetScopes],
  ['by scopes alone', dropRowSecurity],
];

describe.each(walls)('tenants are separated %s', (_name, prepare) => {
  let app: TestApp;
  let restore: (() => void) | undefined;
  let tokens: Record<'admin' | 'member' | 'operator' | 'otherAdmin' | 'removed' | 'deleted', string>;
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
        await addDeletedAccount(app);
      },
    });
    const ofDeletedAccount = await app.signIn(deletedAccount.email);
    await app.stored('update account set deleted = now() where id = $1', [deletedAccount.accountId]);
    const operator = await signInAsOperator(app);
    const removed = await app.signIn(otherAccount.memberEmail);
    await app.stored(`delete from "user" where id = $1`, [otherAccount.memberId]);
    await app.stored(`update "user" set level = 'admin' where id = $1`, [noor.id]);
    tokens = {
      operator,
      deleted: ofDeletedAccount,
      admin: await app.signIn(noor.data.emailAddress),
      member: await app.signIn(sam.data.emailAddress),
      otherAdmin: await app.signIn(otherAccount.email),
      removed,
    };
    const { body } = await app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 1 }, tokens.admin);
    const sent = { idempotencyKey: 'k'.repeat(22), payload: { data: { feedbackId: body.feedback[0].id, text: 'Ours' } } };
    const comment = await app.call('comment', 'save', sent, tokens.admin);
    const file = await app.call('export', 'create', exampleOf('export.create', subjectsOf()), tokens.admin);
    const message = await app.call('message', 'save', exampleOf('message.save', subjectsOf()), tokens.admin);
    const key = await app.call('apiKey', 'create', exampleOf('apiKey.create', subjectsOf()), tokens.admin);
    const request = await app.call('feedbackRequest', 'add', exampleOf('feedbackRequest.add', subjectsOf()), tokens.admin);
    const topic = await app.call('topic', 'save', exampleOf('topic.save', subjectsOf()), tokens.admin);
    const suppression = await app.call('feedbackRequest', 'suppress', { email: 'ben@example.com' }, tokens.admin);
    const reply = await app.call('savedReply', 'save', exampleOf('savedReply.save', subjectsOf()), tokens.admin);
    const delivery = await app.call('delivery', 'test', {}, tokens.admin);
    const webhook = await app.call('webhook', 'save', exampleOf('webhook.save', subjectsOf()), tokens.admin);
    const sessionOf = async (token: string): Promise<string> => (await app.call('user', 'sessions', {}, token)).body.sessions[0].id;
    const { userId, propertyId, formId, toolId, kioskId, feedbackId, commentId, messageId } = otherAccount;
    const { feedbackRequestId, topicId, suppressionId, apiKeyId, savedReplyId, savedViewId, exportId, deliveryId, webhookId } =
      otherAccount;
    ids = {
      accountId: ACCOUNT_ID,
      userId: noor.id,
      propertyId: pier.id,
      formId: pier.data.formId,
      toolId: till.id,
      kioskId: exitKiosk.id,
      feedbackId: body.feedback[0].id,
      commentId: comment.body.comment.id,
      messageId: message.body.message.id,
      apiKeyId: key.body.key.id,
      feedbackRequestId: request.body.added[0],
      topicId: topic.body.topic.id,
      suppressionId: suppression.body.suppression.id,
      savedReplyId: reply.body.reply.id,
      savedViewId: savedViews[0]?.id ?? '',
      exportId: file.body.file.id,
      deliveryId: delivery.body.delivery.id,
      webhookId: webhook.body.webhook.id,
      sessionId: await sessionOf(tokens.admin),
    };
    foreignIds = {
      accountId: otherAccount.accountId,
      userId,
      propertyId,
      formId,
      toolId,
      kioskId,
      feedbackId,
      commentId,
      messageId,
      apiKeyId,
      feedbackRequestId,
      topicId,
      suppressionId,
      savedReplyId,
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

  it.each(operations)('$name answers for another account as for a missing one', async ({ name, access }) => {
    const before = await otherAccountRows(app);
    for (const token of [tokens.admin, tokens.member, ...(access === 'operator' ? [] : [tokens.operator])]) {
      const askAbout = (about: Partial<Ids>): Promise<Answered> => ask(name, exampleOf(name, subjectsOf({ ...ids, ...about })), token);
      for (const field of FIELDS.filter((each) => names(name, each))) {
        const foreignAnswer = await askAbout({ [field]: foreignIds[field] });
        const missingAnswer = await askAbout({ [field]: missing[field] });
        const malformedAnswer = await askAbout({ [field]: malformed[field] });
        if (!PUBLIC.has(name)) {
          expect(JSON.stringify(foreignAnswer.body)).not.toContain(CANARY);
          expect(plain(foreignAnswer)).toEqual(plain(missingAnswer));
        }
        expect(malformedAnswer.status).toBeLessThan(500);
        if (access !== 'visitor') expect(JSON.stringify([missingAnswer.body, malformedAnswer.body])).not.toContain(CANARY);
      }
    }
    if (name !== 'feedback.save') expect(await otherAccountRows(app)).toEqual(before);
  });

  it.each(operations.filter(({ name, access }) => access !== 'operator' && !FIELDS.some((field) => names(name, field))))(
    '$name, which takes no id, answers for the caller’s account only',
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
    '$name refuses callers without access',
    async ({ name, access, whileDeleted }) => {
      // An operator could change any account, so the ids are missing ones.
      const sent = exampleOf(name, subjectsOf({ ...ids, ...(access === 'operator' && missing) }));
      // Changes the middle of the signature, because the last letter has unused bits.
      const damaged = `${tokens.admin.slice(0, -40)}${tokens.admin.at(-40) === 'A' ? 'B' : 'A'}${tokens.admin.slice(-39)}`;
      for (const token of [undefined, '', 'x.y.z', damaged, tokens.removed]) {
        const { status, body } = await ask(name, sent, token);
        expect([status, body.code]).toEqual([401, 'not-signed-in']);
      }
      // Operations for a deleted account, which ask for its state and restore it, take no id.
      if (whileDeleted) expect(sent).toEqual({});
      else expect((await ask(name, sent, tokens.deleted)).body.code).toBe('account-deleted');
      if (access === 'member') return;
      expect((await ask(name, sent, tokens.member)).body.code).toBe('not-allowed');
      if (access !== 'operator') return;
      expect((await ask(name, sent, tokens.admin)).body.code).toBe('not-allowed');
      // Without its conditions an operator's statement affects every account, which operators may do.
      if (prepare !== forgetScopes) expect((await ask(name, sent, tokens.operator)).status).not.toBe(403);
    },
  );

  it('the other account sees its own canary', async () => {
    const { body } = await ask('feedback.list', { accountId: otherAccount.accountId }, tokens.otherAdmin);
    expect(JSON.stringify(body)).toContain(CANARY);
  });
});

it('without scopes and row security, another account is visible, so these tests can fail', async () => {
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

/** Returns whether an operation's example has this id. */
const names = (name: string, field: keyof Ids): boolean =>
  JSON.stringify(exampleOf(name, subjectsOf({ [field]: missing[field] }))).includes(missing[field]);

/** Returns an answer without the parts that always differ. */
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
  'conversation',
  'conversation_key',
  'conversation_message',
  'message',
  'api_key',
  'saved_reply',
  'saved_view',
  'export',
  'export_part',
  'webhook',
  'webhook_delivery',
  'notification',
  'push_device',
  'event',
];

/** Returns every row of the other account, in one statement because it runs hundreds of times. */
const otherAccountRows = (app: TestApp): Promise<unknown> =>
  app.stored(
    `${TABLES.map(
      // Written so that `forgetScopes` does not widen it.
      (table) => `select '${table}' as place, t::text as row from ${table} t where ${table === 'account' ? 'id' : 'account_id'} in ($1)`,
    ).join(' union all ')} order by 1, 2`,
    [otherAccount.accountId],
  );

/** Removes the condition on the account from every statement, so that only row security is left. */
async function forgetScopes(): Promise<() => void> {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function forgetful(this: pg.Client, ...parameters: unknown[]) {
    const [first, ...rest] = parameters;
    const changed = typeof first === 'string' ? withoutScope(first) : changedQuery(first);
    return (query as (...all: unknown[]) => unknown).call(this, changed, ...rest);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}

function changedQuery(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('text' in query) || typeof query.text !== 'string') return query;
  return Object.assign(Object.create(Object.getPrototypeOf(query)), query, { text: withoutScope(query.text) });
}

const withoutScope = (sql: string): string =>
  /^\s*(?:insert|begin|commit)/i.test(sql)
    ? sql
    : sql
        .replace(/(?:(?:"\w+"|\b\w+)\.)?"?account_id"? = (\$\d+)/g, '($1::text is not null)')
        .replace(/"account"\."id" = (\$\d+)/g, '($1::text is not null)');

/**
 * Turns off row security for every table, so that only the stores' scopes are left. Each table is altered in its own transaction,
 * because holding several locks would deadlock with running jobs.
 */
async function dropRowSecurity(app: TestApp): Promise<undefined> {
  const tables = await app.stored<{ name: string }>(`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  for (const { name } of tables) {
    await app.stored(`alter table ${name} no force row level security`);
    await app.stored(`alter table ${name} disable row level security`);
  }
}
