import { refusal } from '#contract/errors.ts';
import { userId } from '#contract/ids.ts';
import type { Authenticator } from '../../kernel/access.ts';
import type { FindPerson } from '../port.ts';
import type { Operators } from './operators.ts';
import { isSignedIn } from './sessions-store.ts';
import type { Tokens } from './tokens.ts';

interface AuthenticatorOptions {
  readonly tokens: Tokens;
  readonly operators: Operators;
  readonly findPerson: FindPerson;
  readonly now: () => number;
}

export function openAuthenticator({ tokens, operators, findPerson, now }: AuthenticatorOptions): Authenticator {
  return {
    async verifyToken(token) {
      const claims = await tokens.readAccess(token);
      if (claims === 'invalid' || claims === 'expired') throw refusal('not-signed-in');
      const { sub, family } = claims;
      return { sub, userId: userId(sub), family, groups: await operators.currentGroups(claims) };
    },
    // One look at the database for both: whether the session lasts, and what the person may do today.
    findPerson: (db, claims) => findPerson(db, claims.userId, isSignedIn(db, claims, new Date(now()))),
  };
}
