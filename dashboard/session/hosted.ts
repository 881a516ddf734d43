// Finishes what came back, as soon as Amplify is configured.
import 'aws-amplify/auth/enable-oauth-listener';
import { signInWithRedirect } from 'aws-amplify/auth';
import { Hub } from 'aws-amplify/utils';
import { asSignInError, hostedFailure } from './errors.ts';
import { clearFailure, leaveReturn, readAnswer, rememberPlace } from './hosted-return.ts';

/* Hosted login, by Amplify's own redirect. Loaded only where a tab goes out to it or comes back (docs/protocols.md#hosted-login). */

/** Leaves for the pool's own page, which comes back to this one's origin. */
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

/** Leads on once Amplify has finished, be it that the person came back at once. Call it before Amplify is configured. */
export function followReturn(): void {
  Hub.listen('auth', ({ payload }) => {
    if (payload.event === 'signInWithRedirect') leaveReturn();
    if (payload.event === 'signInWithRedirect_failure') leaveReturn(hostedFailure(payload.data?.error, readAnswer(location)?.refused));
  });
}
