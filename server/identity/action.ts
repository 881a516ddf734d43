import type { FastifyBaseLogger } from 'fastify';
import * as v from 'valibot';
import type { Kernel } from '../kernel/context.ts';
import type { Transaction } from '../kernel/database.ts';
import { notAuthorized } from './errors.ts';
import type { Passwords } from './passwords.ts';
import type { Pool } from './pool.ts';
import { userOf } from './session-store.ts';
import type { AccessClaims, Tokens } from './tokens.ts';
import type { User } from './user-store.ts';
import { accessToken, validated } from './validation.ts';

/** What every action works with. */
export interface Desk extends Pick<Kernel, 'database' | 'now'> {
  readonly pool: Pool;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
}

/** The request that an action answers. */
export interface Call {
  readonly address: string;
  /** The same for a call and its repetitions, different for everything else; undefined where the client does not number its calls. */
  readonly digest: Buffer | undefined;
  readonly log: FastifyBaseLogger;
}

/** A word of the protocol: checks its input, and does it. */
export interface Action {
  /** Whether a repetition of a call gets the first answer again, because doing it twice is not the same as once. */
  readonly isOnce: boolean;
  run(desk: Desk, sent: unknown, call: Call): Promise<object>;
}

type Run<S extends v.GenericSchema> = (desk: Desk, input: v.InferOutput<S>, call: Call) => Promise<object>;

export function action<S extends v.GenericSchema>(input: S, run: Run<S>, { isOnce = false } = {}): Action {
  return { isOnce, run: (desk, sent, call) => run(desk, validated(input, sent), call) };
}

/** Who asks, within the transaction that the action happens in. */
export interface SignedIn {
  readonly db: Transaction;
  readonly user: User;
  readonly claims: AccessClaims;
  readonly now: Date;
}

type RunSignedIn<S extends v.GenericSchema> = (caller: SignedIn, input: v.InferOutput<S>) => Promise<object>;

/** An action of somebody who is signed in: the body carries the access token. */
export function signedInAction<S extends v.GenericSchema>(input: S, run: RunSignedIn<S>): Action {
  return action(v.intersect([v.object({ AccessToken: accessToken }), input]), async ({ database, tokens, now }, sent) => {
    const claims = await tokens.readAccess(sent.AccessToken);
    if (claims === 'invalid') throw notAuthorized('Invalid Access Token');
    if (claims === 'expired') throw notAuthorized('Access Token has expired');
    return database.transaction({}, async (db) => {
      const at = new Date(now());
      const user = await userOf(db, claims, at);
      if (!user) throw notAuthorized('Access Token has been revoked');
      return run({ db, user, claims, now: at }, sent as v.InferOutput<S>);
    });
  });
}
