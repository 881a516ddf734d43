import * as v from 'valibot';
import { action, type Call, type Desk } from '../action.ts';
import { PoolError } from '../errors.ts';
import { requireClient } from '../pool.ts';
import * as sessions from '../sessions.ts';
import { clientId, token } from '../validation.ts';
import { authenticationResult } from './authentication-result.ts';

/** The client may name its device as well; a refresh token says it already. */
export const refreshParameters = v.object({ REFRESH_TOKEN: token });

/** The older way: the refresh token stays as it is. */
export async function refreshInPlace(
  desk: Desk,
  { REFRESH_TOKEN }: v.InferOutput<typeof refreshParameters>,
  { address }: Call,
): Promise<object> {
  const { user, session } = await refreshed(desk, { token: REFRESH_TOKEN, rotates: false, address });
  return authenticationResult(desk, { user, session });
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

async function refreshed(
  { database, now }: Desk,
  refresh: { token: string; rotates: boolean; address: string },
): Promise<sessions.Refreshed> {
  const outcome = await database.transaction({}, (db) => sessions.refresh(db, { ...refresh, now: now() }));
  if (outcome instanceof PoolError) throw outcome;
  return outcome;
}
