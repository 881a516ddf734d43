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

/** How old Cognito's word on a token may be (ms; docs/limits.md#cognito-holders). */
const FRESH_FOR = 15_000;
/** Words that are remembered. */
const MOST = 10_000;
/** A session's second factor counts if the session is first seen so soon after its sign-in (ms). */
const SEEN_WITHIN = HOUR;

/** What the product lets the holder of a token do: nothing more, be told that there is no account, come in, or run the installation. */
type Standing = 'refused' | 'no-account' | 'member' | 'operator';

/** What a verified access token of Cognito says. */
export interface CognitoClaims {
  readonly sub: string;
  readonly userId: string;
  readonly family: string;
  readonly groups: readonly string[];
  readonly issued: Date;
  /** When its holder signed in; undefined where the token does not say. */
  readonly signedIn: Date | undefined;
}

interface HeldToken {
  readonly token: string;
  /** Names the token. */
  readonly id: string;
  readonly claims: CognitoClaims;
}

/** Who holds a token, as Cognito knows it now (docs/decisions/0005-signing-in.md). */
export interface Holders {
  standingOf(held: HeldToken): Promise<Standing>;
}

interface HoldersOptions {
  readonly platform: IdentityPlatform;
  readonly client: Pick<CognitoClient, 'holderOf'>;
  readonly directory: Directory;
  readonly mails: PoolMails;
}

export function openHolders({ platform, client, directory, mails }: HoldersOptions): Holders {
  const { config, log, now } = platform;
  const known = new LRUCache<string, Promise<Standing>>({ max: MOST, ttl: FRESH_FOR, ttlResolution: 0, perf: { now } });
  const warnOfAddress = warnSeldom(
    log,
    'an address that was changed in Cognito stays as it is here: it is taken, or of no form that signs in',
  );
  return {
    standingOf(held) {
      const before = known.get(held.id);
      if (before) return before;
      const standing = look(held);
      known.set(held.id, standing);
      standing.catch(() => known.delete(held.id));
      return standing;
    },
  };

  /** A token is not called false because Cognito does not answer; nor does it make an operator then. */
  async function look({ token, claims }: HeldToken): Promise<Standing> {
    const holder = await client.holderOf(token);
    if (holder === undefined) return 'member';
    return holder === 'refused' ? holder : asUser(platform, claims.userId, (db) => settle(db, claims, holder));
  }

  async function settle(db: Transaction, claims: CognitoClaims, holder: TokenHolder): Promise<Standing> {
    const email = await users.emailOf(db, claims.sub);
    if (email === undefined) return 'no-account';
    if (holder.isVerified && holder.email.toLowerCase() !== email) await follow(db, claims, holder.email);
    return (await isOperator(db, claims, holder)) ? 'operator' : 'member';
  }

  /** Takes over the address that somebody changed in Cognito, by the rules of the product's own pool. */
  async function follow(db: Transaction, claims: CognitoClaims, sent: string): Promise<void> {
    const email = v.safeParse(emailSchema, sent);
    const user = await users.lockById(db, claims.sub);
    if (!user || user.email === email.output) return;
    const condition = users.acceptsToken(db, claims);
    const isTaken = email.success && !(await takeAddress(db, { directory, mails, now }, { user, address: email.output, condition }));
    if (!email.success || isTaken) warnOfAddress(undefined);
  }

  async function isOperator(db: Transaction, claims: CognitoClaims, { email, isVerified, hasApp }: TokenHolder): Promise<boolean> {
    const isNamed = claims.groups.includes(OPERATOR) && isVerified && config.operatorEmails.includes(email.toLowerCase());
    if (!isNamed || !v.is(uuid, claims.family)) return false;
    const session = await sessions.firstSeen(db, sessionOf(claims, { hasApp, at: new Date(now()) }));
    return hasApp && session?.twoFactor === true;
  }
}

const uuid = v.pipe(v.string(), v.uuid());

/** An operator's session as it is written down. Whoever stole it, and adds an app of their own, comes too late. */
function sessionOf({ family, sub, signedIn }: CognitoClaims, { hasApp, at }: { hasApp: boolean; at: Date }): sessions.SessionRow {
  const isSeenInTime = signedIn !== undefined && at.getTime() - signedIn.getTime() < SEEN_WITHIN;
  const common = { family, sub, deviceKey: '', network: '', revoked: null, endedBy: null, lastUsed: at };
  return { ...common, twoFactor: hasApp && isSeenInTime, signedIn: signedIn ?? at, expires: new Date(at.getTime() + 30 * DAY) };
}
