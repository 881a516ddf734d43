import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { refusal } from '#contract/errors.ts';
import { userId } from '#contract/ids.ts';
import type { Authenticator, Claims } from '../../kernel/access.ts';
import type { CognitoConfig } from '../../kernel/config.ts';
import type { Database } from '../../kernel/database.ts';
import { OPERATOR } from '../pool/operators.ts';
import { ALGORITHM } from '../pool/signing-keys.ts';
import * as users from '../pool/users-store.ts';
import type { FindPerson } from '../port.ts';
import { regionOf } from './client.ts';

/** How long Cognito's keys are used without asking again, how long an answer may take, and how soon an unknown key makes us ask again (ms). */
const KEYS = { cacheMaxAge: 600_000, timeoutDuration: 2_000, cooldownDuration: 30_000 } as const;

interface CognitoClaims extends Claims {
  readonly issued: Date;
}

interface CognitoAuthenticatorOptions {
  readonly cognito: CognitoConfig;
  readonly operatorEmails: readonly string[];
  readonly database: Database;
  readonly findPerson: FindPerson;
  readonly now: () => number;
}

/**
 * Accepts an access token of Cognito if the product has made the person, and has not ended their sessions since. Cognito
 * alone could not say so: its tokens are good until they expire.
 */
export function openCognitoAuthenticator({
  cognito,
  operatorEmails,
  database,
  findPerson,
  now,
}: CognitoAuthenticatorOptions): Authenticator {
  const verify = openVerifier(cognito, now);
  return {
    async verifyToken(token): Promise<CognitoClaims> {
      const read = v.safeParse(accessToken, await verify(token));
      if (!read.success || read.output.client_id !== cognito.clientId) throw refusal('not-signed-in');
      const { sub, iat, jti, origin_jti: family = jti, 'cognito:groups': groups } = read.output;
      return { sub, userId: userId(sub), family, groups: await currentGroups(sub, groups), issued: new Date(iat * 1000) };
    },
    // The claims are those that `verifyToken` gave.
    findPerson: (db, claims) => findPerson(db, claims.userId, users.acceptsToken(db, claims as CognitoClaims)),
  };

  /** An operator needs both: Cognito's group, which stands for the second factor, and the address in the settings. */
  async function currentGroups(sub: string, groups: readonly string[]): Promise<readonly string[]> {
    if (!groups.includes(OPERATOR)) return groups;
    const email = await database.transaction({}, (db) => users.emailOf(db, sub));
    return email !== undefined && operatorEmails.includes(email) ? groups : groups.filter((group) => group !== OPERATOR);
  }
}

/** Checks signature, issuer and time of a token; gives back what it says. */
function openVerifier(cognito: CognitoConfig, now: () => number): (token: string) => Promise<unknown> {
  const host = `https://cognito-idp.${regionOf(cognito)}.amazonaws.com`;
  const address = `${(cognito.endpoint ?? host).replace(/\/$/, '')}/${cognito.userPoolId}/.well-known/jwks.json`;
  const keys = createRemoteJWKSet(new URL(address), KEYS);
  const checks = { algorithms: [ALGORITHM], issuer: `${host}/${cognito.userPoolId}`, requiredClaims: ['exp', 'iat'] };
  return async (token) => {
    try {
      return (await jwtVerify(token, keys, { ...checks, currentDate: new Date(now()) })).payload;
    } catch (error) {
      // A token is not called false because Cognito's keys cannot be read.
      if (error instanceof errors.JOSEError && !UNREADABLE.has(error.code)) throw refusal('not-signed-in');
      throw refusal('overloaded', { retryAfter: 2 });
    }
  };
}

const UNREADABLE: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

const accessToken = v.object({
  sub: v.pipe(v.string(), v.uuid()),
  client_id: v.string(),
  token_use: v.literal('access'),
  iat: v.number(),
  jti: v.string(),
  origin_jti: v.optional(v.string()),
  'cognito:groups': v.optional(v.array(v.string()), []),
});
