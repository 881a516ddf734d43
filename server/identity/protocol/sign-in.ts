import * as v from 'valibot';
import { sha256 } from '../../platform/sha256.ts';
import type { Dependencies, RequestContext } from '../pool/dependencies.ts';
import { invalidParameter } from '../pool/errors.ts';
import { type AuthenticatedSession, endSession, refreshSession } from '../pool/sessions/sessions.ts';
import { revoke, revokeAll } from '../pool/sessions/sessions-store.ts';
import { answerChallenge, signIn } from '../pool/sessions/sign-in.ts';
import { TOKEN_LIFE } from '../pool/sessions/tokens.ts';
import { clientAction, signedInAction } from './action.ts';
import { notARefreshToken } from './errors.ts';
import { challengeSession, clientId, password, signInCode, token, username, validatedParameters } from './validation.ts';

const SOFTWARE_TOKEN_MFA = 'SOFTWARE_TOKEN_MFA';

type Flow = (dependencies: Dependencies, parameters: unknown, context: RequestContext) => Promise<object>;

const passwordParameters = v.object({
  USERNAME: username,
  PASSWORD: password,
  /** Any string, because a malformed key is treated as an unknown one. */
  DEVICE_KEY: v.optional(v.string()),
});

const passwordFlow: Flow = async (dependencies, parameters, context) => {
  const { USERNAME: email, PASSWORD, DEVICE_KEY: deviceKey } = validatedParameters(passwordParameters, parameters);
  const outcome = await signIn(dependencies, { email, password: PASSWORD, deviceKey }, context);
  if (!('challenge' in outcome)) return authenticationResult(dependencies, outcome);
  // No user name in the challenge, because Amplify would store tokens under it (docs/protocols.md#names-in-challenges).
  return { ChallengeName: SOFTWARE_TOKEN_MFA, Session: outcome.challenge, ChallengeParameters: {} };
};

/** A device key is ignored, because the refresh token implies it. */
const refreshParameters = v.object({ REFRESH_TOKEN: token });

/** The older way, which doesn't rotate the refresh token. */
const refreshFlow: Flow = async (dependencies, parameters, { address }) => {
  const { REFRESH_TOKEN } = validatedParameters(refreshParameters, parameters);
  const { refreshToken: _same, ...refreshed } = await refreshSession(dependencies, { token: REFRESH_TOKEN, rotates: false, address });
  return authenticationResult(dependencies, refreshed);
};

/** All flows that Cognito accepts. */
const FLOWS = [
  'USER_SRP_AUTH',
  'REFRESH_TOKEN_AUTH',
  'REFRESH_TOKEN',
  'CUSTOM_AUTH',
  'ADMIN_NO_SRP_AUTH',
  'USER_PASSWORD_AUTH',
  'ADMIN_USER_PASSWORD_AUTH',
  'USER_AUTH',
] as const;

const SERVED: Readonly<Partial<Record<(typeof FLOWS)[number], Flow>>> = {
  USER_PASSWORD_AUTH: passwordFlow,
  REFRESH_TOKEN_AUTH: refreshFlow,
  REFRESH_TOKEN: refreshFlow,
};

const initiateInput = v.object({
  AuthFlow: v.picklist(FLOWS),
  ClientId: clientId,
  AuthParameters: v.optional(v.record(v.string(), v.string()), {}),
});

const respondInput = v.object({
  ChallengeName: v.string(),
  ClientId: clientId,
  Session: challengeSession,
  ChallengeResponses: v.optional(v.record(v.string(), v.string()), {}),
});

const responses = v.object({ USERNAME: username, SOFTWARE_TOKEN_MFA_CODE: signInCode });

const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Actions that begin, refresh and end sessions. */
export const signInActions = {
  InitiateAuth: clientAction(
    initiateInput,
    async (dependencies, { AuthFlow, AuthParameters }, context) => {
      const flow = SERVED[AuthFlow];
      if (!flow) throw invalidParameter(`${AuthFlow} flow not enabled for this client`);
      return flow(dependencies, AuthParameters, context);
    },
    { isReplayed: true },
  ),
  RespondToAuthChallenge: clientAction(
    respondInput,
    async (dependencies, { ChallengeName, Session: challenge, ChallengeResponses }, context) => {
      if (ChallengeName !== SOFTWARE_TOKEN_MFA) throw invalidParameter(`${ChallengeName.slice(0, 64)} is not served here.`);
      const { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code } = validatedParameters(responses, ChallengeResponses);
      return authenticationResult(dependencies, await answerChallenge(dependencies, { challenge, username: USERNAME, code }, context));
    },
    { isReplayed: true },
  ),
  GetTokensFromRefreshToken: clientAction(
    v.object({ ClientId: clientId, RefreshToken: token }),
    async (dependencies, { RefreshToken }, { address }) => {
      const refreshed = await refreshSession(dependencies, { token: RefreshToken, rotates: true, address });
      const { AuthenticationResult } = await authenticationResult(dependencies, refreshed);
      return { AuthenticationResult };
    },
  ),
  /** Revoking an unknown token succeeds (RFC 7009, 2.2). */
  RevokeToken: clientAction(v.object({ ClientId: clientId, Token: token }), async (dependencies, { Token }) => {
    if (SIGNED_TOKEN.test(Token)) throw notARefreshToken();
    await endSession(dependencies, Token);
    return {};
  }),
  GlobalSignOut: signedInAction(v.object({}), async ({ db, user, session, now }) => {
    // Ends its own session first and without a reason, so that its other tabs don't blame another device.
    await revoke(db, session.family, now);
    await revokeAll(db, { sub: user.sub, revoked: now, endedBy: 'signed-out' });
    return {};
  }),
};

/** Without a new refresh token, the client keeps the one it has. */
type IssuedSession = Omit<AuthenticatedSession, 'refreshToken'> & Partial<Pick<AuthenticatedSession, 'refreshToken'>>;

/** Issues tokens for a session and returns them in Cognito's format. */
async function authenticationResult({ tokens }: Dependencies, { user, session, groups, refreshToken, newDeviceKey }: IssuedSession) {
  const { family, deviceKey, signedIn } = session;
  const { sub, email, emailVerified, name } = user;
  const { accessToken, idToken } = await tokens.issue({ sub, email, emailVerified, name, groups, family, deviceKey, signedIn });
  return {
    AuthenticationResult: {
      AccessToken: accessToken,
      IdToken: idToken,
      ExpiresIn: TOKEN_LIFE,
      TokenType: 'Bearer',
      ...(refreshToken !== undefined && { RefreshToken: refreshToken }),
      ...(newDeviceKey !== undefined && { NewDeviceMetadata: { DeviceKey: newDeviceKey, DeviceGroupKey: groupKeyOf(newDeviceKey) } }),
    },
    ChallengeParameters: {},
  };
}

const GROUP_LENGTH = 9;

/** Derived from the device's key, so it is not stored. A device signs it to prove itself. */
const groupKeyOf = (key: string): string => `-${sha256(key).toString('hex').slice(0, GROUP_LENGTH)}`;
