import type { SQL } from 'drizzle-orm';
import { refusal } from '#contract/errors.ts';
import { userId } from '#contract/ids.ts';
import type { Doorkeeper, Somebody } from '../kernel/access.ts';
import type { Transaction } from '../kernel/database.ts';
import type { Operators } from './operators.ts';
import { isSignedIn } from './session-store.ts';
import type { Tokens } from './tokens.ts';

/** Reads a person of the teams where a condition holds. The team's list is another room's, so it is passed in. */
export type ReadPerson = (db: Transaction, userId: string, condition: SQL) => Promise<Somebody | undefined>;

interface DoorkeeperOptions {
  readonly tokens: Tokens;
  readonly operators: Operators;
  readonly person: ReadPerson;
  readonly now: () => number;
}

export function createDoorkeeper({ tokens, operators, person, now }: DoorkeeperOptions): Doorkeeper {
  return {
    async verify(token) {
      const claims = await tokens.readAccess(token);
      if (claims === 'invalid' || claims === 'expired') throw refusal('not-signed-in');
      const { sub, family } = claims;
      return { sub, userId: userId(sub), family, groups: await operators.holding(claims) };
    },
    // One look at the database for both: whether the session lasts, and what the person may do today.
    person: (db, claims) => person(db, claims.userId, isSignedIn(db, claims, new Date(now()))),
  };
}
