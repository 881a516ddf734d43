import { ENDPOINT, openPool } from './pool/pool.ts';
import { allKeys } from './pool/pool-store.ts';
import { openUpkeep } from './pool/upkeep.ts';
import type { Identity, IdentityKernel, IdentityOptions } from './port.ts';
import { addDiscovery, addEndpoint } from './protocol/endpoint.ts';

/** Opens the user pool that the settings name: the product's own, or Amazon Cognito. */
export async function openIdentity(kernel: IdentityKernel, options: IdentityOptions): Promise<Identity> {
  const { cognito } = kernel.config;
  if (!cognito) return openOwnPool(kernel, options);
  // An installation with a pool of its own never loads the SDK.
  const { openGateway } = await import('./cognito/gateway.ts');
  return openGateway(kernel, { ...options, cognito });
}

/** Whether the product's own pool was only ever opened with other secrets than this one. */
export async function isOfAnotherSecret({
  config,
  database,
  secret,
}: Pick<IdentityKernel, 'config' | 'database' | 'secret'>): Promise<boolean> {
  if (config.cognito) return false;
  const keys = await database.transaction({}, allKeys);
  return keys.length > 0 && keys.every(({ sealedBy }) => sealedBy !== secret.name);
}

/** The product's own pool, which signs people in by Cognito's protocol, without Cognito. */
async function openOwnPool(kernel: IdentityKernel, options: IdentityOptions): Promise<Identity> {
  const { dependencies, authenticator, users, isPassword } = await openPool(kernel, options);
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
    work: openUpkeep(kernel),
    stop: () => undefined,
  };
}
