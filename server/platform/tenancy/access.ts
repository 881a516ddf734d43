import { refusal } from '#contract/core/errors.ts';
import { type Access, checkMayCall } from '#contract/core/operation.ts';
import { COMMAND_LINE, INSTALLATION, SYSTEM, VISITOR } from '#contract/event/event.ts';
import { SESSION_ENDS } from '#contract/identity/identity.ts';
import type { Level } from '#contract/user/user.ts';
import { type Database, setAccount, setDelivery, setOperator, type Transaction } from '../database/database.ts';

declare const admitted: unique symbol;
declare const allAccounts: unique symbol;
declare const delivering: unique symbol;

/** Who does something, and when: what is changed together is changed in one moment. */
export interface Acting {
  /** A person's id, `visitor`, `afterword` for what the product does by itself, or `command-line`. */
  readonly actor: string;
  readonly now: Date;
}

/**
 * One account and the transaction that is narrowed to it. Stores take it first; only this file makes it,
 * so no store can be called for an account that nobody was admitted to.
 */
export interface AccountScope extends Acting {
  readonly accountId: string;
  readonly db: Transaction;
  readonly [admitted]: true;
}

/**
 * Every account, in the transaction of an operator's own request. Stores that look beyond one account take it first;
 * only this file makes it.
 */
export interface OperatorScope extends Acting {
  readonly db: Transaction;
  readonly [allAccounts]: true;
}

/** One delivery, in a transaction that sees it and no other; only this file makes it. */
export interface DeliveryScope {
  readonly db: Transaction;
  readonly id: string;
  readonly [delivering]: true;
}

/** Who is signed in, read from the user's row at each request. */
export interface Person {
  readonly userId: string;
  readonly accountId: string;
  readonly level: Level;
  readonly emailAddress: string;
  /** The sign-in that this request belongs to. */
  readonly session: string;
  /** When that was; undefined where the token does not say. */
  readonly signedIn: Date | undefined;
}

/** A person of a team as the database has them, before a session is known. */
export interface PersonRecord extends Omit<Person, 'session' | 'signedIn'> {
  /** Whether the account is deleted, so that it can only be brought back. */
  readonly isDeleted: boolean;
}

/** What a valid access token says. */
interface Claims {
  readonly sub: string;
  readonly userId: string;
  /** The refresh-token family: what a sign-out ends. */
  readonly family: string;
  readonly groups: readonly string[];
  /** When the password was given; undefined where the token does not say. */
  readonly signedIn: Date | undefined;
}

/** Finds out who sent a request: the user pool and the team's list, as the platform needs them. */
export interface Authenticator {
  /** Throws `not-signed-in` unless the token is whole, ours, in time and for access. */
  verifyToken(token: string): Promise<Claims>;
  /** The person behind the claims; undefined when the session was ended or the person removed. */
  findPerson(transaction: Transaction, claims: Claims): Promise<PersonRecord | undefined>;
  /** The address that the holder of the claims signs in with; undefined where the pool has none. */
  addressOf(transaction: Transaction, claims: Claims): Promise<string | undefined>;
}

/** What opening a scope takes: the database, and the clock that its changes are dated by. */
export interface Clocked {
  readonly database: Database;
  /** UTC ms. */
  readonly now: () => number;
}

/** Who asks for something, and who may. */
interface Admission {
  readonly authorization: string | undefined;
  readonly access: Exclude<Access, 'visitor'>;
  /** Whether people of a deleted account may, too. */
  readonly whileDeleted?: boolean | undefined;
  /** It concerns the caller alone, whose business does not matter. */
  readonly isOwn?: boolean | undefined;
}

/** Runs `work` for the person who sent this `Authorization` header, in a transaction that sees that person's account only. */
export async function asPerson<T>(
  { database, now, authenticator }: Clocked & { readonly authenticator: Authenticator },
  { authorization, access, whileDeleted = false, isOwn = false }: Admission,
  work: (person: Person, scope: AccountScope) => Promise<T>,
): Promise<T> {
  const claims = await authenticator.verifyToken(bearerOf(authorization));
  const { shares } = database;
  const settings = { 'app.user_id': claims.userId };
  await shares.introduce(claims.userId, () =>
    database.transaction(settings, async (db) => (await authenticator.findPerson(db, claims))?.accountId),
  );
  return shares.take(claims.userId, () => database.transaction(settings, admit));

  async function admit(db: Transaction): Promise<T> {
    const found = (await authenticator.findPerson(db, claims)) ?? (await withoutBusiness(db));
    if (found.isDeleted && !whileDeleted) throw refusal('account-deleted');
    shares.join(claims.userId, found.accountId);
    const { isDeleted: _known, ...record } = found;
    const person = { ...record, session: claims.family, signedIn: claims.signedIn };
    checkMayCall(access, { level: person.level, isOperator: claims.groups.includes('operator') });
    return work(person, await scopeFor(db, person.accountId, { actor: person.userId, now: new Date(now()) }));
  }

  /** Whoever runs the installation needs no business: they may do what operators do, and see to their own sign-in. */
  async function withoutBusiness(db: Transaction): Promise<PersonRecord> {
    const isNamed = claims.groups.some((group) => group === 'operator' || group === 'operator-to-be');
    const emailAddress = await authenticator.addressOf(db, claims);
    if (emailAddress === undefined) throw refusal('not-signed-in', SESSION_ENDS.removed);
    if (!isNamed) throw refusal('not-signed-in');
    if (access !== 'operator' && !isOwn) throw refusal('no-account');
    return { userId: claims.userId, accountId: INSTALLATION, level: 'user', emailAddress, isDeleted: false };
  }
}

/** The scope of an account that a verified fact points to, such as the form that feedback was left on. */
export async function scopeFor(db: Transaction, accountId: string, { actor, now }: Acting): Promise<AccountScope> {
  await setAccount(db, accountId);
  return accountScope(db, accountId, { actor, now });
}

/** Runs `work` in the same transaction, which meanwhile sees one account and no other. */
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

/** The same account and transaction, on behalf of somebody who became known in it. */
export const actingAs = ({ db, accountId, now }: AccountScope, actor: string): AccountScope => accountScope(db, accountId, { actor, now });

/** Opens every account to an operator's request. Call it after the caller was admitted as one. */
export async function openOperatorScope({ db, actor, now }: AccountScope): Promise<OperatorScope> {
  await setOperator(db, true);
  return operatorScope(db, { actor, now });
}

/** Runs `work` in the same transaction, which meanwhile sees every account; afterwards it sees the one that it saw before. */
export async function beyond<T>({ db, accountId, actor, now }: AccountScope, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  await setOperator(db, true);
  const result = await work(operatorScope(db, { actor, now }));
  await setOperator(db, false);
  await setAccount(db, accountId);
  return result;
}

/** Opens every account to scheduled work, such as purging accounts that were deleted a week ago. */
export function inEveryAccount<T>(clocked: Clocked, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  return everywhere(clocked, SYSTEM, work);
}

/** Opens every account to whoever runs the installation, at its command line. Only a program beside the product calls it. */
export function atCommandLine<T>(clocked: Clocked, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  return everywhere(clocked, COMMAND_LINE, work);
}

function everywhere<T>({ database, now }: Clocked, actor: string, work: (scope: OperatorScope) => Promise<T>): Promise<T> {
  return database.transaction({ 'app.operator': 'on' }, (db) => work(operatorScope(db, { actor, now: new Date(now()) })));
}

/** Runs `work` in a transaction narrowed to one account, for work that no signed-in person asked for. */
export function inAccount<T>(
  { database, now }: Clocked,
  { accountId, actor }: { readonly accountId: string; readonly actor: string },
  work: (scope: AccountScope) => Promise<T>,
): Promise<T> {
  const run = () =>
    database.transaction({ 'app.account_id': accountId }, (db) => work(accountScope(db, accountId, { actor, now: new Date(now()) })));
  return actor === VISITOR ? database.shares.take(`visitors of ${accountId}`, run) : run();
}

/** Runs `work` in a transaction that sees one person's own row, whatever their account. */
export function asUser<T>({ database }: Pick<Clocked, 'database'>, userId: string, work: (db: Transaction) => Promise<T>): Promise<T> {
  return database.transaction({ 'app.user_id': userId }, work);
}

/** Runs `work` for the job that works on one delivery. */
export function inDelivery<T>({ database }: Pick<Clocked, 'database'>, id: string, work: (scope: DeliveryScope) => Promise<T>): Promise<T> {
  return database.transaction({ 'app.delivery_id': id }, (db) => work({ db, id } as DeliveryScope));
}

/** Runs `work` in the same transaction, which meanwhile sees one delivery, too. */
export async function withDelivery<T>(db: Transaction, id: string, work: (scope: DeliveryScope) => Promise<T>): Promise<T> {
  await setDelivery(db, id);
  const result = await work({ db, id } as DeliveryScope);
  await setDelivery(db, '');
  return result;
}

// The brands exist for the compiler only: no value carries them.
const accountScope = (db: Transaction, accountId: string, { actor, now }: Acting) => ({ accountId, db, actor, now }) as AccountScope;
const operatorScope = (db: Transaction, { actor, now }: Acting) => ({ db, actor, now }) as OperatorScope;

function bearerOf(authorization: string | undefined): string {
  const [, token] = /^Bearer ([\w.-]{1,8192})$/.exec(authorization ?? '') ?? [];
  if (token === undefined) throw refusal('not-signed-in');
  return token;
}
