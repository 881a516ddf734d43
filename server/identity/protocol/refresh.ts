import * as v from 'valibot';
import { PoolError } from '../pool/errors.ts';
import { requireClient } from '../pool/pool.ts';
import * as sessions from '../pool/sessions.ts';
import { action, type Dependencies, decided, type RequestContext } from './action.ts';
import { type Authenticated, authenticationResult } from './authentication-result.ts';
import { clientId, token } from './validation.ts';

/** The client may name its device as well; a refresh token says it already. */
export const refreshParameters = v.object({ REFRESH_TOKEN: token });

/** The older way: the refresh token stays as it is. */
export async function refreshInPlace(
  dependencies: Dependencies,
  { REFRESH_TOKEN }: v.InferOutput<typeof refreshParameters>,
  { address }: RequestContext,
): Promise<object> {
  const { refreshToken: _same, ...authenticated } = await refreshed(dependencies, { token: REFRESH_TOKEN, rotates: false, address });
  return authenticationResult(dependencies, authenticated);
}

export const getTokensFromRefreshToken = action(
  v.object({ ClientId: clientId, RefreshToken: token }),
  async (dependencies, { ClientId, RefreshToken }, { address }) => {
    requireClient(dependencies.names, ClientId);
    const { AuthenticationResult } = await authenticationResult(
      dependencies,
      await refreshed(dependencies, { token: RefreshToken, rotates: true, address }),
    );
    return { AuthenticationResult };
  },
);

async function refreshed(
  dependencies: Dependencies,
  refresh: { token: string; rotates: boolean; address: string },
): Promise<Authenticated> {
  return decided(dependencies, async (db) => {
    const outcome = await sessions.refresh(db, { ...refresh, now: dependencies.now() });
    return outcome instanceof PoolError ? outcome : { ...outcome, groups: await dependencies.operators.groupsOf(db, outcome) };
  });
}
