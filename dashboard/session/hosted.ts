// Finishes a returning hosted login as soon as Amplify is configured.
import 'aws-amplify/auth/enable-oauth-listener';
import { signInWithRedirect } from 'aws-amplify/auth';
import { Hub } from 'aws-amplify/utils';
import { asSignInError, hostedFailure } from './errors.ts';
import { clearFailure, leaveReturn, readAnswer, rememberPlace } from './hosted-return.ts';

/* Hosted login by Amplify's redirect. Loaded only when a tab leaves for it or returns (docs/protocols.md#hosted-login). */

/** Goes to the pool's sign-in page, which returns to this origin. Throws a `SignInError`. */
export async function leaveToSignIn(): Promise<void> {
  clearFailure();
  rememberPlace();
  followReturn();
  try {
    await signInWithRedirect();
  } catch (error) {
    throw asSignInError(error);
  }
}

/** Restores the place once Amplify has finished. Call it before Amplify is configured. */
export function followReturn(): void {
  Hub.listen('auth', ({ payload }) => {
    if (payload.event === 'signInWithRedirect') leaveReturn();
    if (payload.event === 'signInWithRedirect_failure') leaveReturn(hostedFailure(payload.data?.error, readAnswer(location)?.refused));
  });
}
