import { and, eq, exists, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { refusal } from '#contract/errors.ts';
import { userId } from '#contract/ids.ts';
import type { Authenticator, Claims } from '../../kernel/access.ts';
import type { Config } from '../../kernel/config.ts';
import type { Database, Transaction } from '../../kernel/database.ts';
import { OPERATOR } from '../pool/operators.ts';
import { ALGORITHM } from '../pool/signing-keys.ts';
import type { FindPerson } from '../port.ts';
import { users } from '../tables.ts';
import { regionOf } from './client.ts';

/** How long the pool's keys are used without asking again, how long an answer may countRequest, and how soon an unknown key makes us ask again (ms). */
const KEYS = { cacheMaxAge: 600_000, timeoutDuration: 2_000, cooldownDuration: 30_000 } as const;

interface RemoteClaims extends Claims {
  readonly issued: Date;
}

interface CognitoAuthenticatorOptions {
  readonly config: Pick<Config, 'operatorEmails'> & { readonly cognito: NonNullable<Config['cognito']> };
  readonly database: Database;
  readonly findPerson: FindPerson;
  readonly now: () => number;
}

/**
 * Lets in who has an access token of the pool, if the product has made them and not ended their sessions since. The
 * pool itself could not tell: a token of its own is good until it expires.
 */
export function openCognitoAuthenticator({ config, database, findPerson, now }: CognitoAuthenticatorOptions): Authenticator {
  const { cognito } = config;
  const host = `https://cognito-idp.${regionOf(cognito)}.amazonaws.com`;
  const issuer = `${host}/${cognito.userPoolId}`;
  const keys = createRemoteJWKSet(
    new URL(`${(cognito.endpoint ?? host).replace(/\/$/, '')}/${cognito.userPoolId}/.well-known/jwks.json`),
    KEYS,
  );
  return {
    async verifyToken(token): Promise<RemoteClaims> {
      const payload = await payloadOf(token);
      const read = v.safeParse(access, payload);
      if (!read.success || read.output.client_id !== cognito.clientId) throw refusal('not-signed-in');
      const { sub, iat, jti, origin_jti: family = jti, 'cognito:groups': groups } = read.output;
      return { sub, userId: userId(sub), family, groups: await holding(sub, groups), issued: new Date(iat * 1000) };
    },
    // The claims are those of `verify` above.
    findPerson: (db, claims) => findPerson(db, claims.userId, mayComeIn(db, claims as RemoteClaims)),
  };

  async function payloadOf(token: string): Promise<unknown> {
    try {
      const checks = { algorithms: [ALGORITHM], issuer, currentDate: new Date(now()), requiredClaims: ['exp', 'iat'] };
      return (await jwtVerify(token, keys, checks)).payload;
    } catch (error) {
      // A token is not called false because the pool's keys cannot be read.
      if (error instanceof errors.JOSEError && !UNREADABLE.has(error.code)) throw refusal('not-signed-in');
      throw refusal('overloaded', { retryAfter: 2 });
    }
  }

  /** Who is an operator is for the settings to say as well; that a second factor stands behind it, for the pool. */
  async function holding(sub: string, groups: readonly string[]): Promise<readonly string[]> {
    if (!groups.includes(OPERATOR)) return groups;
    const [user] = await database.transaction({}, (db) => db.select({ email: users.email }).from(users).where(eq(users.sub, sub)));
    return user && config.operatorEmails.includes(user.email) ? groups : groups.filter((group) => group !== OPERATOR);
  }
}

const UNREADABLE: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

const access = v.object({
  sub: v.pipe(v.string(), v.uuid()),
  client_id: v.string(),
  token_use: v.literal('access'),
  iat: v.number(),
  jti: v.string(),
  origin_jti: v.optional(v.string()),
  'cognito:groups': v.optional(v.array(v.string()), []),
});

/** A condition for a statement on other tables. */
function mayComeIn(db: Transaction, { sub, issued }: RemoteClaims): SQL {
  const isLater = or(isNull(users.endedBefore), lt(users.endedBefore, issued));
  return exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.sub, sub), eq(users.enabled, true), isLater)),
  );
}
