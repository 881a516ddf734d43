import * as v from 'valibot';
import { action, signedInAction } from '../action.ts';
import { notAuthorized } from '../errors.ts';

export const getUser = signedInAction(v.object({}), async ({ user: { sub, email, emailVerified } }) => ({
  Username: sub,
  UserAttributes: [
    { Name: 'sub', Value: sub },
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: String(emailVerified) },
  ],
}));

/** People are made with their account by the product's own API, never by themselves alone. */
export const signUpOverTheWire = action(v.unknown(), async () => {
  throw notAuthorized('SignUp is not permitted for this user pool');
});
