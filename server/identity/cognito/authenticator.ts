import { errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { refusal } from '#contract/core/errors.ts';
import { userId } from '#contract/core/ids.ts';
import type { CognitoConfig } from '../../platform/config/config.ts';
import type { Authenticator } from '../../platform/tenancy/access.ts';
import { OPERATOR, OPERATOR_TO_BE } from '../pool/operators.ts';
import { ALGORITHM } from '../pool/sessions/signing-keys.ts';
import * as users from '../pool/users/users-store.ts';
import type { FindPerson } from '../port.ts';
import type { CognitoClaims, Holders } from './holders.ts';
import type { CognitoKeys } from './keys.ts';

interface CognitoAuthenticatorOptions {
  readonly cognito: CognitoConfig;
  readonly keys: Pick<CognitoKeys, 'find' | 'issuer'>;
  readonly holders: Holders;
  readonly findPerson: FindPerson;
  readonly now: () => number;
}

/**
 * Accepts a Cognito access token if Cognito still honors it, the product created the person, and their sessions have not been
 * ended since. The signature alone proves none of this: it stays valid until the token expires.
 */
export function openCognitoAuthenticator({ cognito, keys, holders, findPerson, now }: CognitoAuthenticatorOptions): Authenticator {
  const verify = openVerifier(keys, now);
  return {
    async verifyToken(token): Promise<CognitoClaims> {
      const payload = v.safeParse(accessToken, await verify(token));
      if (!payload.success || payload.output.client_id !== cognito.clientId) throw refusal('not-signed-in');
      const claims = claimsOf(payload.output);
      const status = await holders.statusOf({ token, id: payload.output.jti, claims });
      if (status === 'refused') throw refusal('not-signed-in');
      if (status === 'no-account') throw refusal('no-account');
      return status === 'operator'
        ? claims
        : { ...claims, groups: claims.groups.map((group) => (group === OPERATOR ? OPERATOR_TO_BE : group)) };
    },
    addressOf: (db, { sub }) => users.emailOf(db, sub),
    // Without an API key's scopes, the claims are the ones `verifyToken` returned.
    findPerson: (db, claims) =>
      claims.scopes
        ? findPerson(db, claims.userId, users.isEnabled(claims.sub), 'author of a key')
        : findPerson(db, claims.userId, users.acceptsToken(db, claims as CognitoClaims), 'holder of a token'),
  };
}

/** Returns a function that checks a token's signature, issuer and expiry, and returns its payload. */
function openVerifier({ find, issuer }: Pick<CognitoKeys, 'find' | 'issuer'>, now: () => number): (token: string) => Promise<unknown> {
  const checks = { algorithms: [ALGORITHM], issuer, requiredClaims: ['exp', 'iat'] };
  return async (token) => {
    try {
      return (await jwtVerify(token, find, { ...checks, currentDate: new Date(now()) })).payload;
    } catch (error) {
      // Failing to read Cognito's keys says nothing about the token.
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
  auth_time: v.optional(v.number()),
  jti: v.string(),
  origin_jti: v.optional(v.string()),
  'cognito:groups': v.optional(v.array(v.string()), []),
});

function claimsOf({ sub, iat, auth_time, jti, origin_jti, 'cognito:groups': groups }: v.InferOutput<typeof accessToken>): CognitoClaims {
  const signedIn = auth_time === undefined ? undefined : new Date(auth_time * 1000);
  return { sub, userId: userId(sub), family: origin_jti ?? jti, groups, issued: new Date(iat * 1000), signedIn };
}
