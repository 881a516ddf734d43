import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { type CognitoConfig, ConfigError } from '../../platform/config/config.ts';
import { regionOf } from './client.ts';

/** How long Cognito's keys are used without asking again, how long an answer may take, and how soon an unknown key makes us ask again (ms). */
const KEYS = { cacheMaxAge: 600_000, timeoutDuration: 2_000, cooldownDuration: 30_000 } as const;
/** How often a start asks for them, and how long it waits in between (ms). */
const TRIES = 2;
const PAUSE = 500;

/** The keys that Cognito signs the pool's tokens with. */
export interface CognitoKeys {
  readonly find: ReturnType<typeof createRemoteJWKSet>;
  /** Whom tokens name as their issuer: always Amazon's own address. */
  readonly issuer: string;
  /** Asks for the keys. Throws a `ConfigError` where there is no such pool; where nobody answers, the log says so. */
  reach(): Promise<void>;
}

interface KeysOptions {
  readonly cognito: CognitoConfig;
  readonly log: FastifyBaseLogger;
}

const amazonOf = (cognito: CognitoConfig): string => `https://cognito-idp.${regionOf(cognito)}.amazonaws.com`;

/** Where Cognito is asked, by the server and by browsers; without a slash at the end. */
export const endpointOf = (cognito: CognitoConfig): string => (cognito.endpoint ?? amazonOf(cognito)).replace(/\/$/, '');

export function openKeys({ cognito, log }: KeysOptions): CognitoKeys {
  const address = `${endpointOf(cognito)}/${cognito.userPoolId}/.well-known/jwks.json`;
  return {
    find: createRemoteJWKSet(new URL(address), KEYS),
    issuer: `${amazonOf(cognito)}/${cognito.userPoolId}`,
    async reach() {
      const outcome = await askAgain(address);
      if (outcome === 'there') return;
      if ('unknown' in outcome) throw noSuchPool(cognito, `${address} answers ${outcome.unknown}`);
      log.warn(
        { address, err: outcome.error },
        'the user pool of COGNITO_USER_POOL_ID doesn’t respond; no one can sign in until it does, and everything else works',
      );
    },
  };
}

type Outcome = 'there' | { readonly unknown: number } | { readonly error: unknown };

async function askAgain(address: string): Promise<Outcome> {
  let outcome = await ask(address);
  for (let tried = 1; tried < TRIES && outcome !== 'there' && 'error' in outcome; tried += 1) {
    await sleep(PAUSE);
    outcome = await ask(address);
  }
  return outcome;
}

/** An answer that blames the question names a wrong pool; every other failure may pass. */
async function ask(address: string): Promise<Outcome> {
  try {
    const { ok, status } = await fetch(address, { signal: AbortSignal.timeout(KEYS.timeoutDuration) });
    if (ok) return 'there';
    const isOurFault = status >= 400 && status < 500 && status !== 408 && status !== 429;
    return isOurFault ? { unknown: status } : { error: new Error(`answers ${status}`) };
  } catch (error) {
    return { error };
  }
}

function noSuchPool({ userPoolId, endpoint }: CognitoConfig, because: string): ConfigError {
  const where = endpoint === undefined ? '' : ' of the service at COGNITO_ENDPOINT';
  return new ConfigError(
    `COGNITO_USER_POOL_ID is "${userPoolId}", and there is no such pool (${because}); it should be the id of a pool${where}, such as us-west-2_a1B2c3D4e.`,
  );
}
