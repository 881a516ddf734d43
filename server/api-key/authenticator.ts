import { LRUCache } from 'lru-cache';
import { type ApiKey, KEY_PREFIX } from '#contract/api-key/api-key.ts';
import { refusal } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import { HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';
import { type Authenticator, inAccount } from '../platform/tenancy/access.ts';
import { openFairQueue } from '../platform/tenancy/fair-queue.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';

/** Per key. @limit api-keys */
const REQUESTS = { name: 'requests of an API key', most: 10_000, within: HOUR };
/** For keys that this process hasn't accepted yet, such as invented ones (ms). @limit api-keys */
const STRANGERS = { most: 2, waiting: 100, patience: 2_000 };
const MOST_ACCEPTED = 10_000;
const KEY = new RegExp(`^${KEY_PREFIX}\\.(ACCOUNT_[A-Za-z0-9]{4,40})\\.[\\w-]{43}$`);

/** Returns an authenticator that accepts API keys besides the tokens of people. */
export function withApiKeys(platform: Platform, people: Authenticator): Authenticator {
  const strangers = openFairQueue(STRANGERS);
  const acceptedKeys = new LRUCache<string, true>({ max: MOST_ACCEPTED });
  return {
    ...people,
    async verifyToken(token) {
      if (!token.startsWith(`${KEY_PREFIX}.`)) return people.verifyToken(token);
      const [, accountId] = KEY.exec(token) ?? [];
      const key = accountId && (await use(accountId, sha256(token)));
      if (!key) throw refusal('not-signed-in', 'This API key doesn’t exist, was revoked or has expired.');
      const { author, scopes } = key.data;
      return { sub: subOf(author), userId: author, family: key.id, groups: [], signedIn: undefined, scopes };
    },
  };

  /** Accepted keys wait behind their account's requests, others behind each other, so that a flood of them delays no one else. */
  async function use(accountId: string, hash: Buffer): Promise<ApiKey | undefined> {
    const name = hash.toString('base64url');
    const find = () =>
      inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
        const key = await store.use(scope, hash);
        if (key) await countWithin(scope, REQUESTS, key.id);
        return key;
      });
    const key = await (acceptedKeys.has(name) ? platform.database.fairQueue.run(accountId, find) : strangers.run('strangers', find));
    if (key) acceptedKeys.set(name, true);
    else acceptedKeys.delete(name);
    return key;
  }
}
