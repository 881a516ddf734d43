import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { type CognitoConfig, ConfigError } from '../../platform/config/config.ts';
import { regionOf } from './client.ts';

/** How long Cognito's keys are cached, how long a fetch may take, and how soon an unknown key causes another fetch (ms). */
const KEYS = { cacheMaxAge: 600_000, timeoutDuration: 2_000, cooldownDuration: 30_000 } as const;
/** Fetches at startup, and the pause between them (ms). */
const TRIES = 2;
const PAUSE = 500;

/** The keys that Cognito signs the pool's tokens with. */
export interface CognitoKeys {
  readonly find: ReturnType<typeof createRemoteJWKSet>;
  /** The issuer named in tokens: always Amazon's own address. */
  readonly issuer: string;
  /** Fetches the keys. Throws a `ConfigError` if there is no such pool; only logs a warning if Cognito doesn't respond. */
  reach(): Promise<void>;
}

interface KeysOptions {
  readonly cognito: CognitoConfig;
  readonly log: FastifyBaseLogger;
}

const amazonOf = (cognito: CognitoConfig): string => `https://cognito-idp.${regionOf(cognito)}.amazonaws.com`;

/** The address that the server and browsers send requests to; no trailing slash. */
export const endpointOf = (cognito: CognitoConfig): string => (cognito.endpoint ?? amazonOf(cognito)).replace(/\/$/, '');

export function openKeys({ cognito, log }: KeysOptions): CognitoKeys {
  const address = `${endpointOf(cognito)}/${cognito.userPoolId}/.well-known/jwks.json`;
  return {
    find: createRemoteJWKSet(new URL(address), KEYS),
    issuer: `${amazonOf(cognito)}/${cognito.userPoolId}`,
    async reach() {
      const outcome = await probeWithRetry(address);
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

async function probeWithRetry(address: string): Promise<Outcome> {
  let outcome = await probe(address);
  for (let tries = 1; tries < TRIES && outcome !== 'there' && 'error' in outcome; tries += 1) {
    await sleep(PAUSE);
    outcome = await probe(address);
  }
  return outcome;
}

/** A client error means a wrong pool id; every other failure may be temporary. */
async function probe(address: string): Promise<Outcome> {
  try {
    const { ok, status } = await fetch(address, { signal: AbortSignal.timeout(KEYS.timeoutDuration) });
    if (ok) return 'there';
    const isOurFault = status >= 400 && status < 500 && status !== 408 && status !== 429;
    return isOurFault ? { unknown: status } : { error: new Error(`answers ${status}`) };
  } catch (error) {
    return { error };
  }
}

function noSuchPool({ userPoolId, endpoint }: CognitoConfig, reason: string): ConfigError {
  const where = endpoint === undefined ? '' : ' of the service at COGNITO_ENDPOINT';
  return new ConfigError(
    `COGNITO_USER_POOL_ID is "${userPoolId}", and there is no such pool (${reason}); it should be the id of a pool${where}, such as us-west-2_a1B2c3D4e.`,
  );
}
