import { ENDPOINT, openPool } from './pool/pool.ts';
import { allKeys } from './pool/pool-store.ts';
import { openUpkeep } from './pool/upkeep.ts';
import type { Identity, IdentityOptions, IdentityPlatform } from './port.ts';
import { addDiscovery, addEndpoint } from './protocol/endpoint.ts';

/** Opens the user pool named in the settings: the product's own, or Amazon Cognito. */
export async function openIdentity(platform: IdentityPlatform, options: IdentityOptions): Promise<Identity> {
  const { cognito } = platform.config;
  if (!cognito) return openOwnPool(platform, options);
  // An installation with its own pool never loads the SDK.
  const { openGateway } = await import('./cognito/gateway.ts');
  return openGateway(platform, { ...options, cognito });
}

/** Returns whether the product's own pool has keys, but none that this secret decrypts. */
export async function isOfAnotherSecret({
  config,
  database,
  secret,
}: Pick<IdentityPlatform, 'config' | 'database' | 'secret'>): Promise<boolean> {
  if (config.cognito) return false;
  const keys = await database.transaction({}, allKeys);
  return keys.length > 0 && keys.every(({ sealedBy }) => sealedBy !== secret.name);
}

/** Opens the product's own pool, which implements Cognito's protocol. */
async function openOwnPool(platform: IdentityPlatform, options: IdentityOptions): Promise<Identity> {
  const { dependencies, authenticator, users, isPassword } = await openPool(platform, options);
  const { names } = dependencies;
  return {
    ...users,
    addRoutes(http) {
      addEndpoint(http, dependencies);
      addDiscovery(http, dependencies);
    },
    authenticator,
    config: { userPoolId: names.id, userPoolClientId: names.clientId, userPoolEndpoint: ENDPOINT },
    origins: [],
    reach: async () => undefined,
    isPassword,
    work: openUpkeep(platform),
    stop: () => undefined,
  };
}
