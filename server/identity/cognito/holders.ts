import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { email as emailSchema } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { warnSeldom } from '../../platform/log/log.ts';
import { asUser } from '../../platform/tenancy/access.ts';
import type { PoolMails } from '../pool/mails.ts';
import { OPERATOR } from '../pool/operators.ts';
import * as sessions from '../pool/sessions/sessions-store.ts';
import { takeAddress } from '../pool/users/attributes.ts';
import * as users from '../pool/users/users-store.ts';
import type { Directory, IdentityPlatform } from '../port.ts';
import type { CognitoClient, TokenHolder } from './client.ts';

/**
 * How long Cognito's answer about a token is cached (ms), and so how long a token works after a sign-out at Cognito.
 * @limit cognito-holders
 */
const FRESH_FOR = 15_000;
const MOST_CACHED = 10_000;
/** A session's second factor counts if the session is first seen within this time of its sign-in (ms). */
const SEEN_WITHIN = HOUR;

type HolderStatus = 'refused' | 'no-account' | 'member' | 'operator';

/** The claims of a verified Cognito access token. */
export interface CognitoClaims {
  readonly sub: string;
  readonly userId: string;
  readonly family: string;
  readonly groups: readonly string[];
  readonly issued: Date;
  /** The time of the sign-in; undefined if the token has none. */
  readonly signedIn: Date | undefined;
}

interface VerifiedToken {
  readonly token: string;
  readonly id: string;
  readonly claims: CognitoClaims;
}

/** Looks up the holders of tokens in Cognito (docs/decisions/0004-access.md). */
export interface Holders {
  /** Returns what the holder of a token may do. */
  statusOf(token: VerifiedToken): Promise<HolderStatus>;
}

interface HoldersOptions {
  readonly platform: IdentityPlatform;
  readonly client: Pick<CognitoClient, 'holderOf'>;
  readonly directory: Directory;
  readonly mails: PoolMails;
}

export function openHolders({ platform, client, directory, mails }: HoldersOptions): Holders {
  const { config, log, now } = platform;
  const cache = new LRUCache<string, Promise<HolderStatus>>({ max: MOST_CACHED, ttl: FRESH_FOR, ttlResolution: 0, perf: { now } });
  const warnOfAddress = warnSeldom(
    log,
    'an email address that was changed in Cognito was not changed here, because it is taken or not valid',
  );
  return {
    statusOf(token) {
      const cached = cache.get(token.id);
      if (cached) return cached;
      const status = lookUp(token);
      cache.set(token.id, status);
      status.catch(() => cache.delete(token.id));
      return status;
    },
  };

  /** While Cognito doesn't respond, a token is still accepted, but never as an operator's. */
  async function lookUp({ token, claims }: VerifiedToken): Promise<HolderStatus> {
    const holder = await client.holderOf(token);
    if (holder === undefined) return 'member';
    return holder === 'refused' ? holder : asUser(platform, claims.userId, (db) => statusOfHolder(db, claims, holder));
  }

  async function statusOfHolder(db: Transaction, claims: CognitoClaims, holder: TokenHolder): Promise<HolderStatus> {
    const email = await users.emailOf(db, claims.sub);
    if (email === undefined) return 'no-account';
    if (holder.isVerified && holder.email.toLowerCase() !== email) await copyEmail(db, claims, holder.email);
    return (await isOperator(db, claims, holder)) ? 'operator' : 'member';
  }

  /** Copies an address that was changed in Cognito, by the rules of the product's own pool. */
  async function copyEmail(db: Transaction, claims: CognitoClaims, cognitoEmail: string): Promise<void> {
    const email = v.safeParse(emailSchema, cognitoEmail);
    const user = await users.lockById(db, claims.sub);
    if (!user || user.email === email.output) return;
    const condition = users.acceptsToken(db, claims);
    const isTaken = email.success && !(await takeAddress(db, { directory, mails, now }, { user, address: email.output, condition }));
    if (!email.success || isTaken) warnOfAddress(undefined);
  }

  async function isOperator(db: Transaction, claims: CognitoClaims, { email, isVerified, hasApp }: TokenHolder): Promise<boolean> {
    const isNamed = claims.groups.includes(OPERATOR) && isVerified && config.operatorEmails.includes(email.toLowerCase());
    if (!isNamed || !v.is(uuid, claims.family)) return false;
    const session = await sessions.findOrInsert(db, sessionOf(claims, { hasApp, at: new Date(now()) }));
    return hasApp && session?.twoFactor === true;
  }
}

const uuid = v.pipe(v.string(), v.uuid());

/** Builds an operator's session as first seen: an app that someone adds to a stolen session later doesn't count. */
function sessionOf({ family, sub, signedIn }: CognitoClaims, { hasApp, at }: { hasApp: boolean; at: Date }): sessions.SessionRow {
  const isSeenInTime = signedIn !== undefined && at.getTime() - signedIn.getTime() < SEEN_WITHIN;
  const common = { family, sub, deviceKey: '', network: '', revoked: null, endedBy: null, lastUsed: at };
  return { ...common, twoFactor: hasApp && isSeenInTime, signedIn: signedIn ?? at, expires: new Date(at.getTime() + 30 * DAY) };
}
