import * as v from 'valibot';
import { notAuthorized } from '../pool/errors.ts';
import * as totps from '../pool/second-factor-store.ts';
import { action, signedInAction } from './action.ts';

export const getUser = signedInAction(v.object({}), async ({ db, user: { sub, email, emailVerified, name } }) => ({
  Username: sub,
  UserAttributes: [
    { Name: 'sub', Value: sub },
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: String(emailVerified) },
    ...(name === '' ? [] : [{ Name: 'name', Value: name }]),
  ],
  ...((await totps.isEnabled(db, sub)) && { PreferredMfaSetting: SOFTWARE_TOKEN, UserMFASettingList: [SOFTWARE_TOKEN] }),
}));

const SOFTWARE_TOKEN = 'SOFTWARE_TOKEN_MFA';

/** People are made with their account by the product's own API, never by themselves alone. */
export const signUpOverTheWire = action(v.unknown(), async () => {
  throw notAuthorized('SignUp is not permitted for this user pool');
});
