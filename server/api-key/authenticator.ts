import { createHash } from 'node:crypto';
import { KEY_PREFIX } from '#contract/api-key/api-key.ts';
import { refusal } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import { HOUR } from '#contract/core/time.ts';
import { VISITOR } from '#contract/event/event.ts';
import type { Platform } from '../platform/context.ts';
import { type Authenticator, inAccount } from '../platform/tenancy/access.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';

/** Per key. */
const REQUESTS = { name: 'requests of an API key', most: 10_000, within: HOUR };

/** Returns an authenticator that accepts API keys besides the tokens of people. */
export function withApiKeys(platform: Platform, people: Authenticator): Authenticator {
  return {
    ...people,
    async verifyToken(token) {
      const [prefix, accountId = ''] = token.split('.');
      if (prefix !== KEY_PREFIX) return people.verifyToken(token);
      // The caller is unknown, so requests with invented keys wait behind each other like those of visitors.
      const key = await inAccount(platform, { accountId, actor: VISITOR }, async (scope) => {
        const used = await store.use(scope, hashOf(token));
        if (used) await countWithin(scope, REQUESTS, used.id);
        return used;
      });
      if (!key) throw refusal('not-signed-in', 'This API key doesn’t exist, was revoked or has expired.');
      const { author, scopes } = key.data;
      return { sub: subOf(author), userId: author, family: key.id, groups: [], signedIn: undefined, scopes };
    },
    findPerson: (db, claims) => (claims.scopes ? users.person(db, claims.userId) : people.findPerson(db, claims)),
  };
}

export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
