import { send } from '../data/client.ts';
import { t } from '../language.ts';

/* The pool's protocol, for what Amplify doesn't support: signing in again while signed in. */

/** The pool's endpoint and this app's client id. */
export interface PoolClient {
  readonly endpoint: string;
  readonly clientId: string;
}

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** From the authenticator app, or a backup code; empty if none was requested. */
  readonly code: string;
  readonly deviceKey: string | undefined;
}

interface SignInTokens {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly RefreshToken: string;
}

interface PoolResponse {
  readonly AuthenticationResult?: SignInTokens;
  readonly ChallengeName?: string;
  readonly Session?: string;
  readonly ChallengeParameters?: { readonly USER_ID_FOR_SRP?: string };
}

const APP_CODE = 'SOFTWARE_TOKEN_MFA';

/** Signs in alongside the current session. Returns 'code' if one is required but missing. Throws the pool's refusal under its name. */
export async function passwordSignIn(
  client: PoolClient,
  { email, password, code, deviceKey }: SignInRequest,
): Promise<SignInTokens | 'code'> {
  const parameters = { USERNAME: email, PASSWORD: password, ...(deviceKey !== undefined && { DEVICE_KEY: deviceKey }) };
  const challenge = await call(client, 'InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: parameters });
  if (challenge.ChallengeName !== APP_CODE) return tokensOf(challenge);
  if (code === '') return 'code';
  const USERNAME = challenge.ChallengeParameters?.USER_ID_FOR_SRP ?? email;
  const ChallengeResponses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code };
  return tokensOf(
    await call(client, 'RespondToAuthChallenge', { ChallengeName: APP_CODE, Session: challenge.Session, ChallengeResponses }),
  );
}

/** Ends the session of a refresh token. If that fails, the session stays listed until it expires. */
export async function endSession(client: PoolClient, refreshToken: string): Promise<void> {
  await call(client, 'RevokeToken', { Token: refreshToken }).catch(() => undefined);
}

function tokensOf({ AuthenticationResult, ChallengeName = '' }: PoolResponse): SignInTokens {
  if (!AuthenticationResult)
    throw errorNamed(
      'UnknownChallenge',
      `${t('This account uses a sign-in method that this page doesn’t support.')} ${ChallengeName}`.trim(),
    );
  return AuthenticationResult;
}

const TIMEOUT = 15_000;

async function call({ endpoint, clientId }: PoolClient, action: string, sent: object): Promise<PoolResponse> {
  const answer = await send(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` },
    body: JSON.stringify({ ClientId: clientId, ...sent }),
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch(() => {
    throw errorNamed('NetworkError', 'Couldn’t reach the pool');
  });
  const text = await answer.text();
  // Some answers have no body at all.
  const body = (text === '' ? {} : JSON.parse(text)) as PoolResponse & { readonly __type?: string; readonly message?: string };
  if (!answer.ok) throw errorNamed(body.__type?.split('#').at(-1) ?? 'UnknownError', body.message ?? '');
  return body;
}

const errorNamed = (name: string, message: string): Error => Object.assign(new Error(message), { name });
