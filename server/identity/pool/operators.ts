import type { Config } from '../../platform/config/config.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import * as secondFactor from './second-factor/second-factor-store.ts';
import { type SessionRow, signedInBy } from './sessions/sessions-store.ts';
import type { AccessClaims } from './sessions/tokens.ts';
import type { PoolUserRow } from './users/users-store.ts';

/** The group of those who run the installation. Nothing that is stored or sent makes anybody one. */
export const OPERATOR = 'operator';

/** The group of those whom the settings name, and who have yet to sign in with a second factor: it opens nothing, and tells a page to lead them there. */
export const OPERATOR_TO_BE = 'operator-to-be';

/** Who runs the installation: the settings name the addresses, and a second factor has to stand behind each sign-in. */
export interface Operators {
  /** The groups that a session's tokens name. */
  groupsOf(db: Transaction, signedIn: { readonly user: PoolUserRow; readonly session: SessionRow }): Promise<string[]>;
  /** The groups of an access token that are still right: what was taken away counts at once. */
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
      if (!claims.groups.some(isGiven)) return claims.groups;
      return database.transaction({}, async (db) => {
        const found = await signedInBy(db, claims, new Date(now()));
        return found ? groupsOf(db, found) : [];
      });
    },
  };

  async function groupsOf(
    db: Transaction,
    { user, session }: { readonly user: PoolUserRow; readonly session: SessionRow },
  ): Promise<string[]> {
    const groups = user.groups.filter((group) => !isGiven(group));
    if (!addresses.has(user.email) || !user.emailVerified) return groups;
    const isProven = session.twoFactor && (await secondFactor.isEnabled(db, user.sub));
    return [...groups, isProven ? OPERATOR : OPERATOR_TO_BE];
  }
}

/** Whether a group is given by the settings alone, whatever is stored. */
const isGiven = (group: string): boolean => group === OPERATOR || group === OPERATOR_TO_BE;
