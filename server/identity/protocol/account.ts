import * as v from 'valibot';
import { invalidParameter, notAuthorized } from '../pool/errors.ts';
import { beginSetUp, finishSetUp, setEnabled } from '../pool/second-factor/second-factor.ts';
import { changePassword, forgotPassword, resetPassword } from '../pool/users/password-change.ts';
import { confirmSignUp, resendSignUpCode } from '../pool/users/sign-up.ts';
import { action, clientAction, signedInAction } from './action.ts';
import { accessToken, clientId, confirmationCode, password, softwareTokenCode, username } from './validation.ts';

const namedInput = v.object({ ClientId: clientId, Username: username });
const confirmInput = v.object({ ClientId: clientId, Username: username, ConfirmationCode: confirmationCode });
const resetInput = v.object({ ClientId: clientId, Username: username, ConfirmationCode: confirmationCode, Password: password });
const changeInput = v.object({ AccessToken: accessToken, PreviousPassword: password, ProposedPassword: password });

/** Actions on the person's address and password, by mailed codes. */
export const accountActions = {
  /** Refused, because the product's own API creates people together with their account. */
  SignUp: action(v.unknown(), async () => {
    throw notAuthorized('SignUp is not permitted for this user pool');
  }),
  ConfirmSignUp: clientAction(
    confirmInput,
    async (dependencies, { Username, ConfirmationCode: code }, context) => {
      await confirmSignUp(dependencies, { username: Username, code }, context);
      return {};
    },
    { isReplayed: true },
  ),
  ResendConfirmationCode: clientAction(
    namedInput,
    async (dependencies, { Username: email }, context) => {
      await resendSignUpCode(dependencies, email, context);
      return { CodeDeliveryDetails: deliveryTo(email) };
    },
    { isReplayed: true },
  ),
  ForgotPassword: clientAction(
    namedInput,
    async (dependencies, { Username: email }, context) => {
      await forgotPassword(dependencies, email, context);
      return { CodeDeliveryDetails: deliveryTo(email) };
    },
    { isReplayed: true },
  ),
  ConfirmForgotPassword: clientAction(
    resetInput,
    async (dependencies, { Username: email, ConfirmationCode: code, Password }, context) => {
      await resetPassword(dependencies, { email, code, password: Password }, context);
      return {};
    },
    { isReplayed: true },
  ),
  ChangePassword: action(
    changeInput,
    async (dependencies, { AccessToken, PreviousPassword: previous, ProposedPassword: proposed }, context) => {
      await changePassword(dependencies, { accessToken: AccessToken, previous, proposed }, context);
      return {};
    },
    { isReplayed: true },
  ),
};

const setting = v.optional(v.object({ Enabled: v.optional(v.boolean(), false), PreferredMfa: v.optional(v.boolean(), false) }));
const preferenceInput = v.object({ SoftwareTokenMfaSettings: setting, SMSMfaSettings: setting, EmailMfaSettings: setting });

/** Actions on the authenticator app. */
export const secondFactorActions = {
  AssociateSoftwareToken: signedInAction(v.object({}), async (caller) => ({ SecretCode: await beginSetUp(caller) }), { isReplayed: true }),
  VerifySoftwareToken: signedInAction(
    v.object({ UserCode: softwareTokenCode }),
    async (caller, { UserCode }) => (await finishSetUp(caller, UserCode)) ?? { Status: 'SUCCESS' },
    { isReplayed: true },
  ),
  SetUserMFAPreference: signedInAction(preferenceInput, async (caller, sent) => {
    if (sent.SMSMfaSettings?.Enabled || sent.EmailMfaSettings?.Enabled) throw invalidParameter('Only software tokens are served here.');
    if (sent.SoftwareTokenMfaSettings) await setEnabled(caller, sent.SoftwareTokenMfaSettings.Enabled);
    return {};
  }),
};

/** Returns the address a mail went to, as the caller typed it, masked. */
export function deliveryTo(email: string) {
  const [name = '', host = ''] = email.split('@');
  return { Destination: `${name.slice(0, 1)}***@${host.slice(0, 1)}***`, DeliveryMedium: 'EMAIL', AttributeName: 'email' };
}
