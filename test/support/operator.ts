import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD, type TestApp } from './app.ts';
import { oneTimePassword } from './one-time-password.ts';

/** Signs in with a new second factor as an operator, whose email must be in OPERATOR_EMAILS, and returns the access token. */
export async function signInAsOperator(app: TestApp, USERNAME: string = dana.data.emailAddress): Promise<string> {
  const { now } = app.app.platform;
  const AccessToken = await app.signIn(USERNAME);
  const SecretCode = await setUpApp(app, AccessToken);
  const request = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD } };
  const { Session } = (await app.pool('InitiateAuth', request)).body;
  const ChallengeResponses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: oneTimePassword(SecretCode, { now }) };
  const { body } = await app.pool('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeResponses });
  return body.AuthenticationResult.AccessToken;
}

/** Turns on two-step sign-in for the token's owner, advances the clock a minute so the next code is valid, and returns the app's secret. */
export async function setUpApp(app: TestApp, AccessToken: string): Promise<string> {
  const { SecretCode } = (await app.pool('AssociateSoftwareToken', { AccessToken })).body;
  await app.pool('VerifySoftwareToken', { AccessToken, UserCode: oneTimePassword(SecretCode, app.app.platform) });
  await app.pool('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } });
  app.advance(60_000);
  return SecretCode;
}
