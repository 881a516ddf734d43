import { refusal } from '#contract/core/errors.ts';
import { type Access, checkMayCall, checkMayCallWithKey, type KeyScope } from '#contract/core/operation.ts';
import { COMMAND_LINE, INSTALLATION, SYSTEM, VISITOR } from '#contract/event/event.ts';
import { SESSION_ENDS } from '#contract/identity/identity.ts';
import type { Level } from '#contract/user/user.ts';
import { type Database, setAccount, setDelivery, setOperator, type Transaction } from '../database/database.ts';

declare const admitted: unique symbol;
declare const allAccounts: unique symbol;
declare const delivering: unique symbol;

/** Who acts, and when. All changes of a transaction have the same time. */
export interface ChangeContext {
  /** A person's id, `visitor`, `afterword` for automatic changes, or `command-line`. */
  readonly actor: string;
  readonly now: Date;
}

/**
 * An account and the transaction limited to it. Stores take it as their first parameter, and only this file creates it, so no store
 * can be called for an account without access.
 */
export interface AccountScope extends ChangeContext {
  readonly accountId: string;
  readonly db: Transaction;
  readonly [admitted]: true;
}

/** Access to every account. Stores that read across accounts take it as their first parameter; only this file creates it. */
export interface OperatorScope extends ChangeContext {
  readonly db: Transaction;
  readonly [allAccounts]: true;
}

/** A delivery, in a transaction that sees no other; only this file creates it. */
export interface DeliveryScope {
  readonly db: Transaction;
  readonly id: string;
  readonly [delivering]: true;
}

/** The signed-in person, read from the user's row on each request. */
export interface Person {
  readonly userId: string;
  readonly accountId: string;
  readonly level: Level;
  readonly emailAddress: string;
  /** The id of the session that this request belongs to. */
  readonly session: string;
  /** When the session started; undefined if the token doesn't say. */
  readonly signedIn: Date | undefined;
}

/** A person as stored, without a session. */
export interface PersonRecord extends Omit<Person, 'session' | 'signedIn'> {
  /** Whether the account is deleted and can only be restored. */
  readonly isDeleted: boolean;
}

/** The claims of a valid access token or API key. */
interface Claims {
  readonly sub: string;
  readonly userId: string;
  /** The refresh token family, which a sign-out ends. */
  readonly family: string;
  readonly groups: readonly string[];
  /** When the password was entered; undefined if the token doesn't say. */
  readonly signedIn: Date | undefined;
  /** Those of an API key; undefined for a person's token, which has all. */
  readonly scopes?: readonly KeyScope[] | undefined;
}

/** Identifies the caller of a request, from the user pool and the users' table. */
export interface Authenticator {
  /** Returns the claims of an access token. Throws `not-signed-in` if it's invalid, expired or of another kind. */
  verifyToken(token: string): Promise<Claims>;
  /** Returns the person behind the claims; undefined if the session ended or the person was removed. */
  findPerson(transaction: Transaction, claims: Claims): Promise<PersonRecord | undefined>;
  /** Returns the email address that the claims' holder signs in with; undefined if the user pool has none. */
  addressOf(transaction: Transaction, claims: Claims): Promise<string | undefined>;
}

/** The database, and the clock that dates changes. */
export interface DatabaseAndClock {
  readonly database: Database;
  /** UTC ms. */
  readonly now: () => number;
}

/** The caller's `Authorization` header, and the access they need. */
interface Admission {
  readonly authorization: string | undefined;
  readonly access: Exclude<Access, 'visitor'>;
  /** The scope that an API key needs; without one, none is accepted. */
  readonly keyScope?: KeyScope | undefined;
  /** Whether people of a deleted account have access too. */
  readonly whileDeleted?: boolean | undefined;
  /** Whether it concerns the caller alone, so that they need no account. */
  readonly isOwn?: boolean | undefined;
}

/** Runs `work` for the person who sent this `Authorization` header, in a transaction that sees only that person's account. */
export async function asPerson<T>(
  { database, now, authenticator }: DatabaseAndClock & { readonly authenticator: Authenticator },
  { authorization, access, keyScope, whileDeleted = false, isOwn = false }: Admission,
  work: (person: Person, scope: AccountScope) => Promise<T>,
): Promise<T> {
  const claims = await authenticator.verifyToken(bearerOf(authorization));
  if (claims.scopes) checkMayCallWithKey(keyScope, claims.scopes);
  const { fairQueue } = database;
  const settings = { 'app.user_id': claims.userId };
  await fairQueue.introduce(claims.userId, () =>
    database.transaction(settings, async (db) => (await authenticator.findPerson(db, claims))?.accountId),
  );
  return fairQueue.run(claims.userId, () => database.transaction(settings, admit));

  async function admit(db: Transaction): Promise<T> {
    const { isDeleted, ...record } = (await authenticator.findPerson(db, claims)) ?? (await withoutAccount(db));
    if (isDeleted && !whileDeleted) throw refusal('account-deleted');
    fairQueue.join(claims.userId, record.accountId);
    const person = { ...record, session: claims.family, signedIn: claims.signedIn };
    checkMayCall(access, { level: person.level, isOperator: claims.groups.includes('operator') });
    return work(person, await scopeFor(db, person.accountId, { actor: person.userId, now: new Date(now()) }));
  }

  /** Returns a record for an operator without an account, who may use operators' operations and manage their own sign-in. */
  async function withoutAccount(db: Transaction): Promise<PersonRecord> {
    const isOperator = claims.groups.some((group) => group === 'operator' || group === 'operator-to-be');
    const emailAddress = await authenticator.addressOf(db, claims);
    if (emailAddress === undefined) throw refusal('not-signed-in', SESSION_ENDS.removed);
    if (!isOperator) throw refusal('not-signed-in');
    if (access !== 'operator' && !isOwn) throw refusal('no-account');
    return { userId: claims.userId, accountId: INSTALLATION, level: 'user', emailAddress, isDeleted: false };
  }
}

/** Returns the scope of an account that the caller has verified, such as the one of the form that feedback was left on. */
export async function scopeFor(db: Transaction, accountId: string, { actor, now }: ChangeContext): Promise<AccountScope> {
  await setAccount(db, accountId);
  return accountScope(db, accountId, { actor, now });
}

/** Runs `work` in the same transaction, limited to one account until `work` is done. */
export async function narrowTo<T>(
  { db, actor, now }: OperatorScope,
  accountId: string,
  work: (scope: AccountScope) => Promise<T>,
): Promise<T> {
  await setOperator(db, false);
  const result = await work(await scopeFor(db, accountId, { actor, now }));
  await setAccount(db, '');
  await setOperator(db, true);
  return result;
}

/** Returns the same scope with another actor, who was identified within the transaction. */
export const actingAs = ({ db, accountId, now }: AccountScope, actor: string): AccountScope => accountScope(db, accountId, { actor, now });

/** Gives an operator's request access to every account. Call it only after the caller was admitted as an operator. */
export async function openOperatorScope({ db, actor, now }: AccountScope): Promise<OperatorScope> {
  await setOperator(db, true);
  return operatorScope(db, { actor, now });
}

/** Runs `work` in the same transaction with access to every account, then limits it to the previous account again. */
export async function widenToEveryAccount<T>(
  { db, accountId, actor, now }: AccountScope,
  work: (scope: OperatorScope) => Promise<T>,
): Promise<T> {
  await setOperator(db, true);
  const result = await work(operatorScope(db, { actor, now }));
  await setOperator(db, false);
  await setAccount(db, accountId);
  return result;
}

/** Runs scheduled work with access to every account, such as purging accounts deleted a week ago. */
export function inEveryAccount<T>(source: DatabaseAndClock, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  return asActorInEveryAccount(source, SYSTEM, work);
}

/** Runs `work` of the operators' command line with access to every account. Only `server/admin/` calls it. */
export function atCommandLine<T>(source: DatabaseAndClock, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  return asActorInEveryAccount(source, COMMAND_LINE, work);
}

function asActorInEveryAccount<T>(
  { database, now }: DatabaseAndClock,
  actor: string,
  work: (scope: OperatorScope) => Promise<T>,
): Promise<T> {
  return database.transaction({ 'app.operator': 'on' }, (db) => work(operatorScope(db, { actor, now: new Date(now()) })));
}

/** Runs `work` in a transaction limited to one account, without a signed-in person. */
export function inAccount<T>(
  { database, now }: DatabaseAndClock,
  { accountId, actor }: { readonly accountId: string; readonly actor: string },
  work: (scope: AccountScope) => Promise<T>,
): Promise<T> {
  const run = () =>
    database.transaction({ 'app.account_id': accountId }, (db) => work(accountScope(db, accountId, { actor, now: new Date(now()) })));
  return actor === VISITOR ? database.fairQueue.run(`visitors of ${accountId}`, run) : run();
}

/**
 * Runs `work` for someone without an account. All of them share a quarter of the connections, because their transactions may wait for a
 * password's hash or for Amazon Cognito.
 */
export const asStranger = <T>({ database }: Pick<DatabaseAndClock, 'database'>, work: () => Promise<T>): Promise<T> =>
  database.fairQueue.run('strangers', work);

/** Runs `work` in a transaction that sees one person's own row, whatever their account. */
export function asUser<T>(
  { database }: Pick<DatabaseAndClock, 'database'>,
  userId: string,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction({ 'app.user_id': userId }, work);
}

/** Runs `work` in a transaction that sees one delivery. */
export function inDelivery<T>(
  { database }: Pick<DatabaseAndClock, 'database'>,
  id: string,
  work: (scope: DeliveryScope) => Promise<T>,
): Promise<T> {
  return database.transaction({ 'app.delivery_id': id }, (db) => work({ db, id } as DeliveryScope));
}

/** Runs `work` in the same transaction, which also sees one delivery until `work` is done. */
export async function withDelivery<T>(db: Transaction, id: string, work: (scope: DeliveryScope) => Promise<T>): Promise<T> {
  await setDelivery(db, id);
  const result = await work({ db, id } as DeliveryScope);
  await setDelivery(db, '');
  return result;
}

// The brands exist only for the compiler; no value has them.
const accountScope = (db: Transaction, accountId: string, { actor, now }: ChangeContext) => ({ accountId, db, actor, now }) as AccountScope;
const operatorScope = (db: Transaction, { actor, now }: ChangeContext) => ({ db, actor, now }) as OperatorScope;

function bearerOf(authorization: string | undefined): string {
  const [, token] = /^Bearer ([\w.-]{1,8192})$/.exec(authorization ?? '') ?? [];
  if (token === undefined) throw refusal('not-signed-in');
  return token;
}
