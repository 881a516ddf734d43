import type { Config } from '../../kernel/config.ts';
import type { Database, Transaction } from '../../kernel/database.ts';
import * as secondFactor from './second-factor-store.ts';
import { type SessionRow, signedInBy } from './sessions-store.ts';
import type { AccessClaims } from './tokens.ts';
import type { PoolUserRow } from './users-store.ts';

/** The group of those who run the installation. Nothing that is stored or sent makes anybody one. */
export const OPERATOR = 'operator';

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
      if (!claims.groups.includes(OPERATOR)) return claims.groups;
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
    const groups = user.groups.filter((group) => group !== OPERATOR);
    const isNamed = addresses.has(user.email) && user.emailVerified && session.twoFactor;
    return isNamed && (await secondFactor.isEnabled(db, user.sub)) ? [...groups, OPERATOR] : groups;
  }
}
