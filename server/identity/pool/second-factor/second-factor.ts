import { randomBytes } from 'node:crypto';
import { pageLink } from '#contract/mail/mail.ts';
import type { SecondFactor } from '#contract/user/user.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { sha256 } from '../../../platform/sha256.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import {
  expiredChallenge,
  noChallenge,
  noSoftwareToken,
  PoolError,
  secondFactorAlreadyOn,
  secondFactorUnverified,
  usedSecondFactor,
  wrongBackupCode,
  wrongSecondFactor,
  wrongSetUpCode,
} from '../errors.ts';
import { securityFacts } from '../limits/locks.ts';
import { clearGuesses, countGuess, countRequest } from '../limits/throttle.ts';
import { requireFresh, type SignedIn } from '../sessions/authenticator.ts';
import type { PoolUserRow } from '../users/users-store.ts';
import * as users from '../users/users-store.ts';
import { isBackupCode } from './backup-codes.ts';
import type { ChallengeRow } from './second-factor-store.ts';
import * as store from './second-factor-store.ts';

/** Creates and returns the secret for an app, this once; throws a refusal if one is enabled. */
export async function beginSetUp(caller: SignedIn): Promise<string> {
  requireFresh(caller);
  const { db, user, dependencies } = caller;
  const secret = await dependencies.totps.begin(db, user.sub);
  if (secret === undefined) throw secondFactorAlreadyOn();
  return secret;
}

/** Checks that the app has the secret; returns a refusal for a wrong code. */
export async function finishSetUp({ db, user: { sub }, dependencies, context }: SignedIn, code: string): Promise<PoolError | undefined> {
  const { totps, now } = dependencies;
  await countRequest(db, { kind: 'VerifySoftwareToken', subject: sub, idempotencyKey: context.idempotencyKey }, now());
  const row = await store.lockTotp(db, sub);
  if (!row) throw noSoftwareToken();
  if (row.enabled) throw secondFactorAlreadyOn();
  if ((await totps.check(db, row, code)) !== 'right') return wrongSetUpCode();
  await store.updateTotp(db, sub, { verified: true });
  return undefined;
}

/** Turns two-step sign-in on or off; turning it off deletes the app's secret. */
export async function setEnabled(caller: SignedIn, enabled: boolean): Promise<void> {
  const {
    db,
    user: { sub, email: to },
    now,
    dependencies,
    context,
  } = caller;
  const row = await store.lockTotp(db, sub);
  const isOn = row?.enabled === true;
  if (enabled) {
    if (!row?.verified) throw secondFactorUnverified();
    if (!isOn) await store.updateTotp(db, sub, { enabled, enabledSince: now });
  } else if (row) {
    requireFresh(caller);
    await store.removeTotp(db, sub);
  }
  if (isOn === enabled) return;
  const facts = await securityFacts(db, dependencies, { sub, to, context });
  await dependencies.mails.send(db, { sub, to, mail: 'second-factor-changed', props: { ...facts, isOn: enabled } });
}

/** Returns the status of a person's two-step sign-in. */
export async function secondFactorOf(db: Transaction, sub: string): Promise<SecondFactor> {
  return { isOn: await store.isEnabled(db, sub), backupCodes: await store.countBackupCodes(db, sub) };
}

/** How long the question for the second factor can be answered (ms). @limit challenge */
const CHALLENGE_LIFE = 3 * 60_000;
const CHALLENGE_BYTES = 32;
/** A client retries the same challenge after a wrong code, so it allows two of them. @limit challenge */
const MOST_TRIES = 3;

interface NewChallenge {
  readonly user: PoolUserRow;
  readonly deviceKey: string | undefined;
  readonly now: number;
}

/** Creates a challenge for the second factor of a person with the right password; returns its id for the client. */
export async function challenge(db: Transaction, { user, deviceKey = '', now }: NewChallenge): Promise<string> {
  const name = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const { sub, credential } = user;
  const expires = new Date(now + CHALLENGE_LIFE);
  await store.insertChallenge(db, { session: sha256(name), sub, credential, deviceKey: deviceKey || null, expires });
  return name;
}

/** Counts a try and returns the challenge, or the refusal if it can no longer be answered. */
export async function tryChallenge(db: Transaction, name: string, now: number): Promise<ChallengeRow | PoolError> {
  const row = await store.countTry(db, sha256(name));
  if (!row || row.tries > MOST_TRIES) return noChallenge();
  return row.expires.getTime() <= now ? expiredChallenge() : row;
}

interface CodeAttempt {
  readonly sub: string;
  readonly deviceKey: string | null;
  readonly code: string;
  readonly context: RequestContext;
}

/**
 * Returns the refusal of a one-time password or backup code; undefined if it is right. Tries are also throttled across
 * challenges, because someone with the password can request any number of them.
 */
export async function codeRefusal(
  db: Transaction,
  dependencies: Dependencies,
  { sub, deviceKey, code, context }: CodeAttempt,
): Promise<PoolError | undefined> {
  const { address, idempotencyKey } = context;
  const { totps, now } = dependencies;
  const row = await store.lockTotp(db, sub);
  if (!row?.enabled) return noChallenge();
  const guess = { kind: 'code', email: sub, address, device: deviceKey ?? undefined, idempotencyKey } as const;
  const countedGuess = await countGuess(db, guess, now()).catch(asOutcome);
  if (countedGuess instanceof PoolError) return countedGuess;
  const result = isBackupCode(code) ? await redeemBackupCode(db, dependencies, { sub, code, context }) : await totps.check(db, row, code);
  if (result === 'used') return usedSecondFactor();
  if (result === 'wrong') return isBackupCode(code) ? wrongBackupCode() : wrongSecondFactor();
  await clearGuesses(db, countedGuess, now());
  return undefined;
}

/** Uses up a backup code and notifies its owner by mail, because a printed code can be stolen unnoticed. */
async function redeemBackupCode(
  db: Transaction,
  dependencies: Dependencies,
  { sub, code, context }: Omit<CodeAttempt, 'deviceKey'>,
): Promise<'right' | 'wrong'> {
  const { backupCodes, mails } = dependencies;
  if (!(await backupCodes.redeem(db, sub, code))) return 'wrong';
  const to = await users.emailOf(db, sub);
  const remaining = await store.countBackupCodes(db, sub);
  if (to === undefined) return 'right';
  const facts = await securityFacts(db, dependencies, { sub, to, context });
  await mails.send(db, { sub, to, mail: 'backup-code-used', props: { ...facts, left: remaining, link: pageLink(mails.site, '/profile') } });
  return 'right';
}

/** Returns the refusal of a lock instead of throwing it, so that the counted try is committed. */
function asOutcome(error: unknown): PoolError {
  if (error instanceof PoolError) return error;
  throw error;
}
