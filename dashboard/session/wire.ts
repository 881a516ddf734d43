import { send } from '../data/client.ts';

/* The pool's protocol, for the one thing that Amplify does not do: somebody who is signed in gives the password once more. */

/** Where the protocol is spoken, and the id of this app there. */
export interface PoolWire {
  readonly endpoint: string;
  readonly clientId: string;
}

interface WireSignIn {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a backup code; empty where none was asked for. */
  readonly code: string;
  readonly deviceKey: string | undefined;
}

interface SignInTokens {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly RefreshToken: string;
}

interface WireAnswer {
  readonly AuthenticationResult?: SignInTokens;
  readonly ChallengeName?: string;
  readonly Session?: string;
  readonly ChallengeParameters?: { readonly USER_ID_FOR_SRP?: string };
}

const APP_CODE = 'SOFTWARE_TOKEN_MFA';

/** Signs in beside the session that is open. Gives 'code' where a code is asked for and there is none. Throws what the pool refuses, under its name. */
export async function passwordSignIn(wire: PoolWire, { email, password, code, deviceKey }: WireSignIn): Promise<SignInTokens | 'code'> {
  const parameters = { USERNAME: email, PASSWORD: password, ...(deviceKey !== undefined && { DEVICE_KEY: deviceKey }) };
  const asked = await call(wire, 'InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: parameters });
  if (asked.ChallengeName !== APP_CODE) return tokensOf(asked);
  if (code === '') return 'code';
  const USERNAME = asked.ChallengeParameters?.USER_ID_FOR_SRP ?? email;
  const ChallengeResponses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code };
  return tokensOf(await call(wire, 'RespondToAuthChallenge', { ChallengeName: APP_CODE, Session: asked.Session, ChallengeResponses }));
}

/** Ends the session of a refresh token. One that cannot be ended now stays in the list of sessions, and ends by itself. */
export async function endSession(wire: PoolWire, refreshToken: string): Promise<void> {
  await call(wire, 'RevokeToken', { Token: refreshToken }).catch(() => undefined);
}

function tokensOf({ AuthenticationResult, ChallengeName = '' }: WireAnswer): SignInTokens {
  if (!AuthenticationResult)
    throw named('UnknownChallenge', `This account uses a sign-in method that this page doesn’t support. ${ChallengeName}`.trim());
  return AuthenticationResult;
}

const TIMEOUT = 15_000;

async function call({ endpoint, clientId }: PoolWire, action: string, sent: object): Promise<WireAnswer> {
  const answer = await send(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` },
    body: JSON.stringify({ ClientId: clientId, ...sent }),
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch(() => {
    throw named('NetworkError', 'The pool was not reached');
  });
  const text = await answer.text();
  // Some answers have no body at all.
  const body = (text === '' ? {} : JSON.parse(text)) as WireAnswer & { readonly __type?: string; readonly message?: string };
  if (!answer.ok) throw named(body.__type?.split('#').at(-1) ?? 'UnknownError', body.message ?? '');
  return body;
}

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
