import { randomUUID } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** What clients and tokens call the pool. Public names, the same in every process and after every start. */
export interface PoolNames {
  readonly id: string;
  readonly clientId: string;
  /** The issuer that tokens name. */
  readonly issuer: string;
}

/** Access and id tokens live this long, in seconds. */
export const TOKEN_LIFE = 3_600;
const SCOPE = 'aws.cognito.signin.user.admin';

/** For whom tokens are made, and out of which session. */
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

/** What an access token of ours says. */
export interface AccessClaims {
  readonly sub: string;
  readonly family: string;
  readonly deviceKey: string;
  readonly groups: readonly string[];
  readonly signedIn: Date;
}

export interface Tokens {
  /** A new pair of tokens, which say what Cognito's say. */
  issue(subject: TokenSubject): Promise<TokenPair>;
  /** What an access token says, or what is wrong with it. Whether its session lasts is for the caller to check. */
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

/** A token names one of our keys and nothing else: no key of its own, and no address to fetch one from. */
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
