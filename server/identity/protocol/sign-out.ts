import * as v from 'valibot';
import { PoolError } from '../pool/errors.ts';
import { requireClient } from '../pool/pool.ts';
import * as sessions from '../pool/sessions.ts';
import { revokeAll } from '../pool/sessions-store.ts';
import { action, signedInAction } from './action.ts';
import { clientId, token } from './validation.ts';

const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Ends a session by its refresh token. A token that is unknown ends nothing, and that is fine (RFC 7009, 2.2). */
export const revokeToken = action(v.object({ ClientId: clientId, Token: token }), async ({ database, names, now }, { ClientId, Token }) => {
  requireClient(names, ClientId);
  if (SIGNED_TOKEN.test(Token)) throw new PoolError('UnsupportedTokenTypeException', 'The token is not a refresh token.');
  await database.transaction({}, (db) => sessions.end(db, Token, now()));
  return {};
});

/** Ends all sessions of the person. */
export const globalSignOut = signedInAction(v.object({}), async ({ db, user, now }) => {
  await revokeAll(db, { sub: user.sub, revoked: now });
  return {};
});
