import { Amplify } from 'aws-amplify';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { ConsoleLogger } from 'aws-amplify/utils';
import type { TestPool } from './identity.ts';

/** Lets Amplify run here as it does in a browser. */
export function prepareAmplify(): void {
  // Without it the client takes itself to be on a server, and leaves devices alone.
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0 (a test)' }, configurable: true });
  ConsoleLogger.LOG_LEVEL = 'ERROR';
}

/** Gives Amplify a browser's storage: the next calls are those of that browser. */
export async function useBrowser(pool: TestPool, kept: Map<string, string>): Promise<void> {
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
    setItem: async (key, value) => void kept.set(key, value),
    getItem: async (key) => kept.get(key) ?? null,
    removeItem: async (key) => void kept.delete(key),
    clear: async () => kept.clear(),
  });
}
