import * as v from 'valibot';
import { PoolError } from '../pool/errors.ts';
import { requireClient } from '../pool/pool.ts';
import * as sessions from '../pool/sessions.ts';
import { action, type Call, type Desk, decided } from './action.ts';
import { type Authenticated, authenticationResult } from './authentication-result.ts';
import { clientId, token } from './validation.ts';

/** The client may name its device as well; a refresh token says it already. */
export const refreshParameters = v.object({ REFRESH_TOKEN: token });

/** The older way: the refresh token stays as it is. */
export async function refreshInPlace(
  desk: Desk,
  { REFRESH_TOKEN }: v.InferOutput<typeof refreshParameters>,
  { address }: Call,
): Promise<object> {
  const { refreshToken: _same, ...authenticated } = await refreshed(desk, { token: REFRESH_TOKEN, rotates: false, address });
  return authenticationResult(desk, authenticated);
}

export const getTokensFromRefreshToken = action(
  v.object({ ClientId: clientId, RefreshToken: token }),
  async (desk, { ClientId, RefreshToken }, { address }) => {
    requireClient(desk.pool, ClientId);
    const { AuthenticationResult } = await authenticationResult(
      desk,
      await refreshed(desk, { token: RefreshToken, rotates: true, address }),
    );
    return { AuthenticationResult };
  },
);

async function refreshed(desk: Desk, refresh: { token: string; rotates: boolean; address: string }): Promise<Authenticated> {
  return decided(desk, async (db) => {
    const outcome = await sessions.refresh(db, { ...refresh, now: desk.now() });
    return outcome instanceof PoolError ? outcome : { ...outcome, groups: await desk.operators.groupsOf(db, outcome) };
  });
}
