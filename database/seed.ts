import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { subOf } from '#contract/core/ids.ts';
import { listsOf } from '#contract/property/property.ts';
import type { User } from '#contract/user/user.ts';
import { ACCOUNT_ID, account, dana, forms, pier, properties, tools, users } from '#fixtures/business.ts';
import { sampleComments } from '#fixtures/comments.ts';
import { sampleFeedback, sampleReadUntil } from '#fixtures/feedback.ts';
import { EXIT_PIN, exitKiosk } from '#fixtures/kiosks.ts';
import { sampleNotifications } from '#fixtures/notifications.ts';
import { savedReplies } from '#fixtures/saved-replies.ts';
import { savedViews } from '#fixtures/saved-views.ts';
import { sampleOpenings } from '#fixtures/views.ts';
import * as accounts from '../server/account/store.ts';
import * as subscriptions from '../server/billing/store.ts';
import * as commentStore from '../server/comment/store.ts';
import { markAllRead } from '../server/feedback/read-marks-store.ts';
import * as feedback from '../server/feedback/store.ts';
import { modify } from '../server/feedback/work-store.ts';
import * as formStore from '../server/form/store.ts';
import { pinHashOf } from '../server/kiosk/kiosk.ts';
import * as kiosks from '../server/kiosk/store.ts';
import { addNotifications } from '../server/notification/store.ts';
import type { Platform } from '../server/platform/context.ts';
import { type Database, INTAKE_ROLE, type Transaction } from '../server/platform/database/database.ts';
import { type AccountScope, inAccount } from '../server/platform/tenancy/access.ts';
import * as propertyStore from '../server/property/store.ts';
import { settingsOf } from '../server/report/report.ts';
import { plan } from '../server/report/store.ts';
import * as savedReplyStore from '../server/saved-reply/store.ts';
import * as savedViewStore from '../server/saved-view/store.ts';
import * as toolStore from '../server/tool/store.ts';
import * as userStore from '../server/user/store.ts';
import * as views from '../server/view/store.ts';

interface SeedOptions {
  readonly platform: Pick<Platform, 'database' | 'now'>;
  /** Adds a person to the identity pool who can sign in at once. */
  readonly signUp: (db: Transaction, person: { sub: string; email: string; password: string }) => Promise<void>;
  readonly password: string;
  /** The end of the sample business's trial (UTC ms), with billing only. */
  readonly trialEndsAt?: number;
  /** Adds form openings, which tests leave out to count their own. */
  readonly hasViews?: boolean;
}

/** Loads the sample business, and returns false if it exists already. Throws if another process takes over a minute to load it. */
export async function seed(options: SeedOptions): Promise<boolean> {
  for (let waited = 0; waited < TIMEOUT; waited += INTERVAL) {
    const isNew = await tryToSeed(options);
    if (isNew !== undefined) return isNew;
    await sleep(INTERVAL);
  }
  throw new Error('Another process has been loading the sample business for a minute.');
}

/** Returns whether this call loaded the sample; undefined while another process loads it. */
async function tryToSeed({ platform, signUp, password, trialEndsAt, hasViews = false }: SeedOptions): Promise<boolean | undefined> {
  return inAccount(platform, { accountId: ACCOUNT_ID, actor: dana.id }, async (scope) => {
    if (!(await tryLock(scope))) return undefined;
    if (await accounts.byScope(scope)) return false;
    await seedAccount(scope, trialEndsAt);
    for (const user of users) await seedUser(scope, user, { signUp, password });
    for (const property of properties) await plan(scope, settingsOf(await propertyStore.insert(scope, rowOf(property))));
    for (const { id, data } of forms) await formStore.insert(scope, { id, ...data, saved: new Date(data.updated), savedBy: dana.id });
    for (const { id, data } of tools) await toolStore.insert(scope, { id, ...data, created: new Date(data.created), author: dana.id });
    await seedKiosk(scope);
    for (const { id, data } of savedReplies)
      await savedReplyStore.insert({ ...scope, now: new Date(data.created) }, { id, displayName: data.displayName, text: data.text });
    const items = sampleFeedback(platform.now());
    const inTransaction = { ...platform, database: databaseWithin(platform.database, scope.db) };
    await seedFeedback(inTransaction, items);
    await seedSavedViews(inTransaction);
    if (hasViews) await views.add(inTransaction.database, sampleOpenings(items));
    return true;
  });
}

/** Returns a database whose transactions are all part of this one, so that a start that is killed leaves nothing behind. */
function databaseWithin(database: Database, db: Transaction): Database {
  const runAsVisitor: Database['intakeTogether'] = async (work) => {
    await db.$client.query(`set local role ${INTAKE_ROLE}`);
    const result = await work(async (statement) => (await db.$client.query(statement)).rows);
    await db.$client.query('reset role');
    return result;
  };
  return {
    ...database,
    transaction: (_settings, work) => work(db),
    intake: (statement) => runAsVisitor((run) => run(statement)),
    intakeTogether: runAsVisitor,
  };
}

async function seedKiosk(scope: AccountScope): Promise<void> {
  const { id, data } = exitKiosk;
  const { propertyId, hours, repeatWithin } = data;
  await kiosks.insert(scope, { id, propertyId, hours, repeatWithin, thanks: null, pinHash: pinHashOf(id, EXIT_PIN) });
}

/** Saves each view as its owner. */
async function seedSavedViews({ database }: SeedOptions['platform']): Promise<void> {
  for (const { id, data } of savedViews) {
    const { created, createdBy: actor, displayName, isShared, shows } = data;
    await inAccount({ database, now: () => created }, { accountId: ACCOUNT_ID, actor }, (scope) =>
      savedViewStore.insert(scope, { id, displayName, isShared, shows }),
    );
  }
}

async function seedFeedback(platform: SeedOptions['platform'], items: ReturnType<typeof sampleFeedback>): Promise<void> {
  await feedback.insertMany(platform.database, items.map(newFeedback), { lane: 0, subscribedNames: [] });
  const at = (time: number) => ({ ...platform, now: () => time });
  for (const { id: feedbackId, data } of items) {
    const { status, statusBy: actor, statusAt } = data;
    if (actor === undefined || statusAt === undefined) continue;
    await inAccount(at(statusAt), { accountId: ACCOUNT_ID, actor }, (scope) => modify(scope, [{ feedbackId, status }]));
  }
  for (const { comment, key, mentioned } of sampleComments(items)) {
    const { created, createdBy: actor, feedbackId, propertyId, text } = comment.data;
    await inAccount(at(created), { accountId: ACCOUNT_ID, actor }, (scope) =>
      commentStore.insert(scope, { id: comment.id, feedbackId, propertyId, text, mentioned: [...mentioned], key }),
    );
  }
  for (const { created, ...row } of sampleNotifications(items))
    await inAccount(at(created), { accountId: ACCOUNT_ID, actor: row.userId }, (scope) => addNotifications(scope, [row]));
  for (const { id: actor } of users)
    await inAccount(at(sampleReadUntil(platform.now()) - 1), { accountId: ACCOUNT_ID, actor }, markAllRead);
}

/** Returns whether this process gets the lock: of several starting on an empty database, one loads the sample. */
async function tryLock({ db }: AccountScope): Promise<boolean> {
  const { rows } = await db.$client.query<{ locked: boolean }>("select pg_try_advisory_xact_lock(hashtextextended('sample', 0)) as locked");
  return rows[0]?.locked === true;
}

/** The time (ms) that another process may take, and the interval between checks. */
const [TIMEOUT, INTERVAL] = [60_000, 250];

/** The sample account, its admin's email, and the form shown at startup. */
export const SAMPLE_ACCOUNT = ACCOUNT_ID;
export const SAMPLE_EMAIL = dana.data.emailAddress;
export const SAMPLE_FORM = pier.data.formId;

async function seedAccount(scope: AccountScope, trialEndsAt: number | undefined): Promise<void> {
  const { created, displayName, subscription } = account.data;
  const { plan, cost, paymentFrequency, billingDate, startDate } = subscription;
  const started = new Date(startDate ?? created);
  await accounts.insert(scope, { created: new Date(created), displayName });
  const trial = trialEndsAt === undefined ? {} : { trialStartedAt: scope.now, trialEndsAt: new Date(trialEndsAt) };
  const terms = { plan, cost, paymentFrequency, billingDate, startDate: started, onboardedAt: started };
  await subscriptions.insert(scope, { status: 'active', ...terms, ...trial });
}

async function seedUser(
  scope: AccountScope,
  { id, data }: User,
  { signUp, password }: Pick<SeedOptions, 'signUp' | 'password'>,
): Promise<void> {
  const { created, createdBy, displayName, emailAddress, level } = data;
  await userStore.insert(scope, { id, created: new Date(created), createdBy, displayName, emailAddress, level });
  await signUp(scope.db, { sub: subOf(id), email: emailAddress, password });
}

function rowOf({ id, data }: (typeof properties)[number]) {
  const { created, notifications, propertyType: _type, accountId: _account, ...rest } = data;
  return { id, ...rest, created: new Date(created), ...listsOf(notifications) };
}

function newFeedback({ id, gs1sk, data }: ReturnType<typeof sampleFeedback>[number]): feedback.NewFeedback {
  const {
    accountId,
    projectId,
    formId,
    formVersion,
    created,
    rating,
    kind,
    source,
    textFeedback,
    converted,
    responses,
    diagnostics,
    toolId,
  } = data;
  return {
    accountId,
    id,
    propertyId: projectId,
    formId,
    formVersion,
    keyHash: randomBytes(32).toString('hex'),
    suspected: undefined,
    created,
    rating,
    urgent: gs1sk === 'URGENT',
    kind,
    source,
    text: textFeedback,
    converted,
    responses,
    diagnostics,
    url: undefined,
    toolId,
  };
}

export const makePassword = (): string => randomUUID().replaceAll('-', '').slice(0, 16);
