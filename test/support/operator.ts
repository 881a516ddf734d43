import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD, type TestApp } from './app.ts';
import { oneTimePassword } from './one-time-password.ts';

/** Known by OPERATOR_EMAILS, and by a code of the app on their phone at that sign-in. */
export async function signInAsOperator(house: TestApp, USERNAME: string = dana.data.emailAddress): Promise<string> {
  const { now } = house.app.kernel;
  const AccessToken = await house.signIn(USERNAME);
  const { SecretCode } = (await house.pool('AssociateSoftwareToken', { AccessToken })).body;
  await house.pool('VerifySoftwareToken', { AccessToken, UserCode: oneTimePassword(SecretCode, { now }) });
  await house.pool('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } });
  house.advance(60_000);
  const asked = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD } };
  const { Session } = (await house.pool('InitiateAuth', asked)).body;
  const ChallengeResponses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: oneTimePassword(SecretCode, { now }) };
  const { body } = await house.pool('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeResponses });
  return body.AuthenticationResult.AccessToken;
}
