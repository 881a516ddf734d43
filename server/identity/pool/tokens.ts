import { randomUUID } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { PoolNames } from './pool.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** Access and id tokens live this long, in seconds. */
export const TOKEN_LIFE = 3_600;
const SCOPE = 'aws.cognito.signin.user.admin';

/** For whom tokens are made, and out of which session. */
export interface Bearer {
  readonly sub: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
  readonly family: string;
  readonly deviceKey: string;
  readonly signedIn: Date;
}

/** What an access token of ours says. */
export interface AccessClaims {
  readonly sub: string;
  readonly family: string;
  readonly deviceKey: string;
  readonly groups: readonly string[];
}

export interface Tokens {
  /** A new pair of tokens, in the manner of Cognito. */
  issue(bearer: Bearer): Promise<{ AccessToken: string; IdToken: string }>;
  /** What an access token says, or what is wrong with it. Whether its session lasts is for the caller to see. */
  readAccess(token: string): Promise<AccessClaims | 'invalid' | 'expired'>;
}

interface TokensOptions {
  readonly keys: SigningKeys;
  readonly names: PoolNames;
  readonly now: () => number;
}

export function openTokens({ keys, names, now }: TokensOptions): Tokens {
  return {
    async issue(bearer) {
      const signer = await keys.signer();
      const issued = Math.floor(now() / 1000);
      const common = {
        sub: bearer.sub,
        iss: names.issuer,
        ...(bearer.groups.length > 0 && { 'cognito:groups': [...bearer.groups] }),
        origin_jti: bearer.family,
        event_id: randomUUID(),
        auth_time: Math.floor(bearer.signedIn.getTime() / 1000),
        iat: issued,
        exp: issued + TOKEN_LIFE,
      };
      const sign = (claims: JWTPayload) =>
        new SignJWT({ ...common, ...claims, jti: randomUUID() }).setProtectedHeader({ kid: signer.id, alg: ALGORITHM }).sign(signer.key);
      const [AccessToken, IdToken] = await Promise.all([sign(accessClaims(bearer)), sign(idClaims(bearer))]);
      return { AccessToken, IdToken };
    },
    async readAccess(token) {
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          algorithms: [ALGORITHM],
          issuer: names.issuer,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'iat'],
        });
        const claims = v.safeParse(access, payload);
        if (!claims.success || claims.output.client_id !== names.clientId) return 'invalid';
        const { sub, origin_jti: family, device_key: deviceKey, 'cognito:groups': groups } = claims.output;
        return { sub, family, deviceKey, groups };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'invalid';
        throw error;
      }
    },
  };

  function accessClaims({ sub, deviceKey }: Bearer): JWTPayload {
    return { client_id: names.clientId, token_use: 'access', scope: SCOPE, username: sub, device_key: deviceKey };
  }

  function idClaims({ sub, email, emailVerified, name }: Bearer): JWTPayload {
    return {
      aud: names.clientId,
      token_use: 'id',
      'cognito:username': sub,
      email,
      email_verified: emailVerified,
      ...(name !== '' && { name }),
    };
  }

  /** A token names one of our keys and nothing else: no key of its own, and no address to fetch one from. */
  async function keyOf({ kid, alg: _pinned, ...more }: JWTHeaderParameters) {
    const key = kid === undefined || Object.keys(more).length > 0 ? undefined : await keys.publicKey(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}

const uuid = v.pipe(v.string(), v.uuid());

const access = v.object({
  sub: uuid,
  origin_jti: uuid,
  client_id: v.string(),
  token_use: v.literal('access'),
  device_key: v.string(),
  'cognito:groups': v.optional(v.array(v.string()), []),
});
