import { refusal } from '#contract/errors.ts';
import { userId } from '#contract/ids.ts';
import type { Doorkeeper } from '../../kernel/access.ts';
import type { ReadPerson } from '../port.ts';
import type { Operators } from './operators.ts';
import { isSignedIn } from './sessions-store.ts';
import type { Tokens } from './tokens.ts';

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
