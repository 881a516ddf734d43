import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD, type TestApp } from './app.ts';
import { oneTimePassword } from './one-time-password.ts';

/** Signs in as an operator: the email is in OPERATOR_EMAILS, and a second factor is set up and used. */
export async function signInAsOperator(app: TestApp, USERNAME: string = dana.data.emailAddress): Promise<string> {
  const { now } = app.app.platform;
  const AccessToken = await app.signIn(USERNAME);
  const SecretCode = await setUpApp(app, AccessToken);
  const asked = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD } };
  const { Session } = (await app.pool('InitiateAuth', asked)).body;
  const ChallengeResponses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: oneTimePassword(SecretCode, { now }) };
  const { body } = await app.pool('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeResponses });
  return body.AuthenticationResult.AccessToken;
}

/** Turns two-step sign-in on for whoever holds the token; gives the app's secret. A minute later, its next code is good. */
export async function setUpApp(app: TestApp, AccessToken: string): Promise<string> {
  const { SecretCode } = (await app.pool('AssociateSoftwareToken', { AccessToken })).body;
  await app.pool('VerifySoftwareToken', { AccessToken, UserCode: oneTimePassword(SecretCode, app.app.platform) });
  await app.pool('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } });
  app.advance(60_000);
  return SecretCode;
}
