import { randomUUID } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** The pool's public ids, the same in every process and after every restart. */
export interface PoolNames {
  readonly id: string;
  readonly clientId: string;
  /** The issuer that tokens name. */
  readonly issuer: string;
}

/** The life of access and id tokens, in seconds. @limit token-life */
export const TOKEN_LIFE = 3_600;
const SCOPE = 'aws.cognito.signin.user.admin';

/** The person and session that tokens are issued for. */
interface TokenSubject {
  readonly sub: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
  readonly family: string;
  readonly deviceKey: string;
  readonly signedIn: Date;
}

interface TokenPair {
  readonly accessToken: string;
  readonly idToken: string;
}

/** The claims of the pool's access tokens. */
export interface AccessClaims {
  readonly sub: string;
  readonly family: string;
  readonly deviceKey: string;
  readonly groups: readonly string[];
  readonly signedIn: Date;
}

export interface Tokens {
  /** Returns a new pair of tokens with the same claims as Cognito's. */
  issue(subject: TokenSubject): Promise<TokenPair>;
  /** Returns the claims of an access token, or what is wrong with it. The caller checks that its session is active. */
  readAccess(token: string): Promise<AccessClaims | 'invalid' | 'expired'>;
}

interface TokensOptions {
  readonly keys: SigningKeys;
  readonly names: PoolNames;
  readonly now: () => number;
}

export function openTokens({ keys, names, now }: TokensOptions): Tokens {
  const checks = { algorithms: [ALGORITHM], issuer: names.issuer, requiredClaims: ['exp', 'iat'] };
  return {
    async issue(subject) {
      const signer = await keys.signer();
      const common = commonClaims(subject, { issuer: names.issuer, issued: Math.floor(now() / 1000) });
      const sign = (claims: JWTPayload) =>
        new SignJWT({ ...common, ...claims, jti: randomUUID() }).setProtectedHeader({ kid: signer.id, alg: ALGORITHM }).sign(signer.key);
      const [accessToken, idToken] = await Promise.all([sign(accessClaims(subject, names)), sign(idClaims(subject, names))]);
      return { accessToken, idToken };
    },
    async readAccess(token) {
      try {
        const { payload } = await jwtVerify(token, (header) => keyOf(header, keys), { ...checks, currentDate: new Date(now()) });
        const claims = v.safeParse(access, payload);
        if (!claims.success || claims.output.client_id !== names.clientId) return 'invalid';
        const { sub, origin_jti: family, device_key: deviceKey, 'cognito:groups': groups, auth_time } = claims.output;
        return { sub, family, deviceKey, groups, signedIn: new Date(auth_time * 1000) };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'invalid';
        throw error;
      }
    },
  };
}

function commonClaims({ sub, groups, family, signedIn }: TokenSubject, { issuer, issued }: { issuer: string; issued: number }): JWTPayload {
  return {
    sub,
    iss: issuer,
    ...(groups.length > 0 && { 'cognito:groups': [...groups] }),
    origin_jti: family,
    event_id: randomUUID(),
    auth_time: Math.floor(signedIn.getTime() / 1000),
    iat: issued,
    exp: issued + TOKEN_LIFE,
  };
}

function accessClaims({ sub, deviceKey }: TokenSubject, { clientId }: PoolNames): JWTPayload {
  return { client_id: clientId, token_use: 'access', scope: SCOPE, username: sub, device_key: deviceKey };
}

function idClaims({ sub, email, emailVerified, name }: TokenSubject, { clientId }: PoolNames): JWTPayload {
  return {
    aud: clientId,
    token_use: 'id',
    'cognito:username': sub,
    email,
    email_verified: emailVerified,
    ...(name !== '' && { name }),
  };
}

/** Rejects headers with anything but the id of our own key, such as an embedded key or an address to fetch one from. */
async function keyOf({ kid, alg: _pinned, ...more }: JWTHeaderParameters, keys: SigningKeys) {
  const key = kid === undefined || Object.keys(more).length > 0 ? undefined : await keys.publicKey(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

const uuid = v.pipe(v.string(), v.uuid());

const access = v.object({
  sub: uuid,
  origin_jti: uuid,
  client_id: v.string(),
  token_use: v.literal('access'),
  device_key: v.string(),
  auth_time: v.number(),
  'cognito:groups': v.optional(v.array(v.string()), []),
});
