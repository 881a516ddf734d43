import { type apiKeyOperations, checkExpiry, ENDING, KEY_PREFIX, MOST_KEYS, tooManyKeys } from '#contract/api-key/api-key.ts';
import { apiKeyId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './store.ts';

const SECRET_BYTES = 32;

export function openApiKey({ random }: Pick<Platform, 'random'>) {
  return {
    async list({ scope }) {
      return { status: 'ok', keys: await store.all(scope) };
    },
    async create({ scope }, { payload: { data } }) {
      checkExpiry(data, scope.now.getTime());
      await accounts.lock(scope);
      if ((await store.countOf(scope)) >= MOST_KEYS) throw tooManyKeys();
      const { displayName, scopes, expires } = data;
      const secret = `${KEY_PREFIX}.${scope.accountId}.${Buffer.from(random(SECRET_BYTES)).toString('base64url')}`;
      const key = await store.insert(scope, {
        ...{ id: apiKeyId(random), hash: sha256(secret), ending: secret.slice(-ENDING), displayName, scopes },
        expires: expires === undefined ? null : new Date(expires),
      });
      await record(scope, 'api-key.created', { subject: key.id, data: { scopes } });
      return { status: 'ok', key, secret };
    },
    async revoke({ scope }, { apiKeyId: id }) {
      const key = await store.remove(scope, id);
      if (!key) return NOT_FOUND;
      await record(scope, 'api-key.revoked', { subject: id, data: { scopes: key.data.scopes } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof apiKeyOperations>;
}
