import { Amplify } from 'aws-amplify';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { ConsoleLogger } from 'aws-amplify/utils';
import type { TestPool } from '../identity.ts';

/** Makes Amplify run as in a browser. */
export function prepareAmplify(): void {
  // Without a navigator, Amplify assumes a server and ignores devices.
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0 (a test)' }, configurable: true });
  ConsoleLogger.LOG_LEVEL = 'ERROR';
}

/** Gives Amplify a browser's storage, so that the next calls come from that browser. */
export async function useBrowser(pool: TestPool, storage: Map<string, string>): Promise<void> {
  const { userPoolId, userPoolClientId, userPoolEndpoint = '' } = pool.identity.config;
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId,
        userPoolEndpoint: new URL(userPoolEndpoint, await pool.url()).href,
        loginWith: { email: true },
      },
    },
  });
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key, value) => void storage.set(key, value),
    getItem: async (key) => storage.get(key) ?? null,
    removeItem: async (key) => void storage.delete(key),
    clear: async () => storage.clear(),
  });
}
