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
 * Accepts an access token of Cognito if Cognito still stands by it, the product has made the person, and has not ended
 * their sessions since. Its signature alone could not say so: it is good until the token expires.
 */
export function openCognitoAuthenticator({ cognito, keys, holders, findPerson, now }: CognitoAuthenticatorOptions): Authenticator {
  const verify = openVerifier(keys, now);
  return {
    async verifyToken(token): Promise<CognitoClaims> {
      const read = v.safeParse(accessToken, await verify(token));
      if (!read.success || read.output.client_id !== cognito.clientId) throw refusal('not-signed-in');
      const claims = claimsOf(read.output);
      const standing = await holders.standingOf({ token, id: read.output.jti, claims });
      if (standing === 'refused') throw refusal('not-signed-in');
      if (standing === 'no-account') throw refusal('no-account');
      return standing === 'operator'
        ? claims
        : { ...claims, groups: claims.groups.map((group) => (group === OPERATOR ? OPERATOR_TO_BE : group)) };
    },
    addressOf: (db, { sub }) => users.emailOf(db, sub),
    // The claims are those that `verifyToken` gave.
    findPerson: (db, claims) => findPerson(db, claims.userId, users.acceptsToken(db, claims as CognitoClaims)),
  };
}

/** Checks signature, issuer and time of a token; gives back what it says. */
function openVerifier({ find, issuer }: Pick<CognitoKeys, 'find' | 'issuer'>, now: () => number): (token: string) => Promise<unknown> {
  const checks = { algorithms: [ALGORITHM], issuer, requiredClaims: ['exp', 'iat'] };
  return async (token) => {
    try {
      return (await jwtVerify(token, find, { ...checks, currentDate: new Date(now()) })).payload;
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
  auth_time: v.optional(v.number()),
  jti: v.string(),
  origin_jti: v.optional(v.string()),
  'cognito:groups': v.optional(v.array(v.string()), []),
});

function claimsOf({ sub, iat, auth_time, jti, origin_jti, 'cognito:groups': groups }: v.InferOutput<typeof accessToken>): CognitoClaims {
  const signedIn = auth_time === undefined ? undefined : new Date(auth_time * 1000);
  return { sub, userId: userId(sub), family: origin_jti ?? jti, groups, issued: new Date(iat * 1000), signedIn };
}
