import type { Config } from '../../platform/config/config.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import * as secondFactor from './second-factor/second-factor-store.ts';
import { type SessionRow, signedInBy } from './sessions/sessions-store.ts';
import type { AccessClaims } from './sessions/tokens.ts';
import type { PoolUserRow } from './users/users-store.ts';

/** The group of the installation's operators. No stored or sent data makes someone a member. */
export const OPERATOR = 'operator';

/** The group of people the settings name who have yet to sign in with a second factor. It grants nothing; a page uses it to guide them. */
export const OPERATOR_TO_BE = 'operator-to-be';

/** The installation's operators: the settings list their addresses, and each sign-in needs a second factor. */
export interface Operators {
  /** Returns the groups for a session's tokens. */
  groupsOf(db: Transaction, signedIn: { readonly user: PoolUserRow; readonly session: SessionRow }): Promise<string[]>;
  /** Returns the groups of an access token that still apply, so that a removal takes effect at once. */
  currentGroups(claims: AccessClaims): Promise<readonly string[]>;
}

interface OperatorsOptions {
  readonly config: Pick<Config, 'operatorEmails'>;
  readonly database: Database;
  readonly now: () => number;
}

export function openOperators({ config, database, now }: OperatorsOptions): Operators {
  const addresses = new Set(config.operatorEmails);
  return {
    groupsOf,
    async currentGroups(claims) {
      if (!claims.groups.some(isFromSettings)) return claims.groups;
      return database.transaction({}, async (db) => {
        const signedIn = await signedInBy(db, claims, new Date(now()));
        return signedIn ? groupsOf(db, signedIn) : [];
      });
    },
  };

  async function groupsOf(
    db: Transaction,
    { user, session }: { readonly user: PoolUserRow; readonly session: SessionRow },
  ): Promise<string[]> {
    const groups = user.groups.filter((group) => !isFromSettings(group));
    if (!addresses.has(user.email) || !user.emailVerified) return groups;
    const isProven = session.twoFactor && (await secondFactor.isEnabled(db, user.sub));
    return [...groups, isProven ? OPERATOR : OPERATOR_TO_BE];
  }
}

/** Returns whether only the settings grant a group, whatever is stored. */
const isFromSettings = (group: string): boolean => group === OPERATOR || group === OPERATOR_TO_BE;
