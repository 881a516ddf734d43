import { refusal } from '#contract/core/errors.ts';
import { userId } from '#contract/core/ids.ts';
import { FRESH_SIGN_IN_WINDOW } from '#contract/identity/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { type Authenticator, asUser } from '../../../platform/tenancy/access.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { notAuthorized, type PoolError, signInAgain, unwrap } from '../errors.ts';
import { emailOf, isEnabled, type PoolUserRow } from '../users/users-store.ts';
import { isSignedIn, type SessionRow, signedInBy } from './sessions-store.ts';
import type { AccessClaims } from './tokens.ts';

/** Returns the authenticator of requests to the product. */
export function openAuthenticator({ tokens, operators, directory, now }: Dependencies): Authenticator {
  return {
    async verifyToken(token) {
      const claims = await tokens.readAccess(token);
      if (claims === 'invalid' || claims === 'expired') throw refusal('not-signed-in');
      const { sub, family, signedIn } = claims;
      return { sub, userId: userId(sub), family, signedIn, groups: await operators.currentGroups(claims) };
    },
    addressOf: (db, { sub }) => emailOf(db, sub),
    // One query checks the session, or that an API key's author isn't disabled, and reads the person's current rights.
    findPerson: (db, claims) =>
      claims.scopes
        ? directory.findPerson(db, claims.userId, isEnabled(claims.sub), 'author of a key')
        : directory.findPerson(db, claims.userId, isSignedIn(db, claims, new Date(now())), 'holder of a session'),
  };
}

/** The caller of a request to the pool, in the request's transaction. */
export interface SignedIn {
  readonly db: Transaction;
  readonly user: PoolUserRow;
  readonly session: SessionRow;
  readonly claims: AccessClaims;
  readonly now: Date;
  readonly dependencies: Dependencies;
  readonly context: RequestContext;
}

interface TokenInContext {
  readonly accessToken: string;
  readonly context: RequestContext;
}

/** Runs work for the holder of an access token in a transaction, which is committed even if work returns a refusal; throws that refusal. */
export async function asSignedIn<T>(
  dependencies: Dependencies,
  { accessToken, context }: TokenInContext,
  work: (caller: SignedIn) => Promise<T | PoolError>,
): Promise<T> {
  const claims = await dependencies.tokens.readAccess(accessToken);
  if (claims === 'invalid') throw notAuthorized('Invalid Access Token');
  if (claims === 'expired') throw notAuthorized('Access Token has expired');
  const outcome = await asUser(dependencies, userId(claims.sub), async (db) => {
    const now = new Date(dependencies.now());
    const signedIn = await signedInBy(db, claims, now);
    if (!signedIn) throw notAuthorized('Access Token has been revoked');
    return work({ db, ...signedIn, claims, now, dependencies, context });
  });
  return unwrap(outcome);
}

/** Throws unless the password was entered recently, so that a stolen session can't take over the account. */
export function requireFresh({ session, now }: SignedIn): void {
  if (now.getTime() - session.signedIn.getTime() > FRESH_SIGN_IN_WINDOW) throw signInAgain();
}
