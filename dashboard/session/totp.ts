import { fetchMFAPreference } from 'aws-amplify/auth';

/** Returns whether the signed-in person's pool account asks for a code from an authenticator app. */
export const isTotpOn = async (): Promise<boolean> => (await fetchMFAPreference()).enabled?.includes('TOTP') ?? false;
