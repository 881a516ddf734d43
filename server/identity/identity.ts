import { ENDPOINT, openPool } from './pool/pool.ts';
import { allKeys } from './pool/pool-store.ts';
import { openUpkeep } from './pool/upkeep.ts';
import type { Identity, IdentityOptions, IdentityPlatform } from './port.ts';
import { addDiscovery, addEndpoint } from './protocol/endpoint.ts';

/** Opens the user pool that the settings name: the product's own, or Amazon Cognito. */
export async function openIdentity(platform: IdentityPlatform, options: IdentityOptions): Promise<Identity> {
  const { cognito } = platform.config;
  if (!cognito) return openOwnPool(platform, options);
  // An installation with a pool of its own never loads the SDK.
  const { openGateway } = await import('./cognito/gateway.ts');
  return openGateway(platform, { ...options, cognito });
}

/** Whether the product's own pool was only ever opened with other secrets than this one. */
export async function isOfAnotherSecret({
  config,
  database,
  secret,
}: Pick<IdentityPlatform, 'config' | 'database' | 'secret'>): Promise<boolean> {
  if (config.cognito) return false;
  const keys = await database.transaction({}, allKeys);
  return keys.length > 0 && keys.every(({ sealedBy }) => sealedBy !== secret.name);
}

/** The product's own pool, which signs people in by Cognito's protocol, without Cognito. */
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
