import type { FastifyBaseLogger } from 'fastify';
import * as v from 'valibot';
import { userId } from '#contract/ids.ts';
import { asUser } from '../../kernel/access.ts';
import type { Kernel } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { Codes } from '../pool/codes.ts';
import { notAuthorized, PoolError, signInAgain } from '../pool/errors.ts';
import type { PoolMails } from '../pool/mails.ts';
import type { Operators } from '../pool/operators.ts';
import type { Passwords } from '../pool/passwords.ts';
import type { PoolNames } from '../pool/pool.ts';
import type { Totps } from '../pool/second-factor.ts';
import type { SessionRow } from '../pool/sessions-store.ts';
import { signedInBy } from '../pool/sessions-store.ts';
import type { AccessClaims, Tokens } from '../pool/tokens.ts';
import type { UserRow } from '../pool/users-store.ts';
import { accessToken, validated } from './validation.ts';

/** Lets the team's list know that somebody signs in with another address now, in the transaction that made it so. */
export type ChangeEmail = (db: Transaction, changed: { claims: AccessClaims; email: string }) => Promise<void>;

/** What every action works with. */
export interface Dependencies extends Pick<Kernel, 'database' | 'now'> {
  readonly names: PoolNames;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly totps: Totps;
  readonly operators: Operators;
  readonly mails: PoolMails;
  readonly changeEmail: ChangeEmail;
}

/** The request that an action answers. */
export interface RequestContext {
  readonly address: string;
  /** The same for a call and its repetitions, different for everything else; undefined where the client does not number its calls. */
  readonly idempotencyKey: Buffer | undefined;
  readonly log: FastifyBaseLogger;
}

/** A word of the protocol: checks its input, and does it. */
export interface Action {
  /** Whether a repetition of a call gets the first answer again, because doing it twice is not the same as once. */
  readonly isReplayed: boolean;
  run(dependencies: Dependencies, sent: unknown, context: RequestContext): Promise<object>;
}

type Run<S extends v.GenericSchema> = (dependencies: Dependencies, input: v.InferOutput<S>, context: RequestContext) => Promise<object>;

export function action<S extends v.GenericSchema>(input: S, run: Run<S>, { isReplayed = false } = {}): Action {
  return { isReplayed, run: (dependencies, sent, context) => run(dependencies, validated(input, sent), context) };
}

/** Runs work whose writes stay even where its outcome is a refusal, such as a try that has to be counted. */
export async function decided<T>({ database }: Dependencies, work: (db: Transaction) => Promise<T | PoolError>): Promise<T> {
  const outcome = await database.transaction({}, work);
  if (outcome instanceof PoolError) throw outcome;
  return outcome;
}

/** Who asks, within the transaction that the action happens in. */
export interface SignedIn {
  readonly db: Transaction;
  readonly user: UserRow;
  readonly session: SessionRow;
  readonly claims: AccessClaims;
  readonly now: Date;
  readonly dependencies: Dependencies;
  readonly context: RequestContext;
}

/** A refusal that is given back keeps what was written; one that is thrown does not. */
type RunSignedIn<S extends v.GenericSchema> = (caller: SignedIn, input: v.InferOutput<S>) => Promise<object | PoolError>;

/** An action of somebody who is signed in: the body carries the access token. */
export function signedInAction<S extends v.GenericSchema>(input: S, run: RunSignedIn<S>, options?: { isReplayed?: boolean }): Action {
  return action(
    v.intersect([v.object({ AccessToken: accessToken }), input]),
    (dependencies, sent, context) => asSignedIn(dependencies, { sent, context }, (caller) => run(caller, sent as v.InferOutput<S>)),
    options,
  );
}

interface Sent {
  readonly sent: { readonly AccessToken: string };
  readonly context: RequestContext;
}

/** Runs work for the person whose access token it is, in a transaction of its own. */
export async function asSignedIn<T>(
  dependencies: Dependencies,
  { sent, context }: Sent,
  work: (caller: SignedIn) => Promise<T | PoolError>,
): Promise<T> {
  const claims = await dependencies.tokens.readAccess(sent.AccessToken);
  if (claims === 'invalid') throw notAuthorized('Invalid Access Token');
  if (claims === 'expired') throw notAuthorized('Access Token has expired');
  const outcome = await asUser(dependencies, userId(claims.sub), async (db) => {
    const now = new Date(dependencies.now());
    const found = await signedInBy(db, claims, now);
    if (!found) throw notAuthorized('Access Token has been revoked');
    return work({ db, ...found, claims, now, dependencies, context });
  });
  if (outcome instanceof PoolError) throw outcome;
  return outcome;
}

/** How long after a sign-in a session alone may change what guards the account. */
const FRESH = 15 * 60_000;

/** Refuses where the password was not given just now: a session that was stolen must not become the account (R31). */
export function requireFresh({ session, now }: SignedIn): void {
  if (now.getTime() - session.signedIn.getTime() > FRESH) throw signInAgain();
}
