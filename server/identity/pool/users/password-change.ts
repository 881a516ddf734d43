import { resetLink } from '#contract/mail/mail.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { commitOutcome, expiredCode, wrongCode, wrongPassword } from '../errors.ts';
import { securityFacts } from '../limits/locks.ts';
import * as throttle from '../limits/throttle.ts';
import { type CodeSlot, isLinkKey } from '../secrets/codes.ts';
import { checkNewPassword } from '../secrets/password-policy.ts';
import { asSignedIn } from '../sessions/authenticator.ts';
import { revokeAll } from '../sessions/sessions-store.ts';
import * as users from './users-store.ts';

const slotOf = (email: string): CodeSlot => ({ purpose: 'reset', name: email });

/**
 * Mails a code that resets the password, to an unconfirmed address too: the code also proves the address, so that signing up
 * with someone else's address doesn't block its owner.
 */
export async function forgotPassword(
  dependencies: Dependencies,
  email: string,
  { address, idempotencyKey }: RequestContext,
): Promise<void> {
  await commitOutcome(dependencies, async (db) => {
    const request = { kind: 'ForgotPassword', subject: email, address, idempotencyKey } as const;
    const { isRepeated } = await throttle.countRequest(db, request, dependencies.now());
    if (!isRepeated) await sendResetCode(db, dependencies, email);
  });
}

/** Mails the code without counting the request. */
export async function sendResetCode(db: Transaction, { codes, mails, now }: Dependencies, email: string): Promise<void> {
  const user = await users.lockByEmail(db, email);
  const isReal = user?.enabled === true;
  const hasCode = await throttle.isWithinLimit(db, { kind: 'ResetCode', subject: email }, now());
  const grant = isReal ? { ...user, address: null } : undefined;
  const { code, linkKey } = await codes.makeWithLink(db, slotOf(email), { grant, hasCode });
  const props = { ...(code !== undefined && { code }), link: resetLink(mails.site, { key: linkKey, email }) };
  await mails.sendOrSimulate(db, { sub: user?.sub, to: email, mail: 'reset-code', props, isReal });
}

interface Reset {
  readonly email: string;
  readonly code: string;
  readonly password: string;
}

/** Sets a new password by a mailed code and ends every session. Signs no one in, because a second factor is still required. */
export async function resetPassword(dependencies: Dependencies, { email, code, password }: Reset, context: RequestContext): Promise<void> {
  const { address, idempotencyKey, log } = context;
  const { codes, passwords, now } = dependencies;
  checkNewPassword(password, [email]);
  // A link's key can't be guessed, so guesses at the code must not lock out its holder.
  const kind = isLinkKey(code) ? 'ConfirmByLink' : 'ConfirmForgotPassword';
  const request = { kind, subject: email, address, idempotencyKey } as const;
  const { isRepeated } = await commitOutcome(dependencies, (db) => throttle.countRequest(db, request, now()));
  // Hashes outside a transaction, because hashing may wait in a queue.
  const hash = await passwords.hash(password);
  await commitOutcome(dependencies, async (db) => {
    const redeemed = await codes.redeem(db, { ...slotOf(email), code });
    if (redeemed === 'used' && isRepeated) return undefined;
    if (redeemed === 'wrong') return wrongCode();
    if (typeof redeemed === 'string') return expiredCode();
    const user = await users.lockById(db, redeemed.sub);
    if (!user?.enabled || user.credential !== redeemed.credential || user.email !== email) return expiredCode();
    await setByReset(db, dependencies, { user, hash, context });
    await throttle.clearAccount(db, { email, address });
    log.info({ sub: user.sub }, 'a password was reset');
    return undefined;
  });
}

interface NewHash {
  readonly user: users.PoolUserRow;
  readonly hash: string;
  readonly context: RequestContext;
}

async function setByReset(db: Transaction, dependencies: Dependencies, { user: { sub, email }, hash, context }: NewHash): Promise<void> {
  const { mails, now } = dependencies;
  const modified = new Date(now());
  await users.setPassword(db, sub, { password: hash, modified });
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true });
  await revokeAll(db, { sub, revoked: modified, endedBy: 'password-changed' });
  const props = await securityFacts(db, dependencies, { sub, to: email, context });
  await mails.send(db, { sub, to: email, mail: 'password-changed', props });
}

interface PasswordChange {
  readonly accessToken: string;
  readonly previous: string;
  readonly proposed: string;
}

/** Replaces the password and ends the person's other sessions. */
export async function changePassword(
  dependencies: Dependencies,
  { accessToken, previous, proposed }: PasswordChange,
  context: RequestContext,
): Promise<void> {
  const { passwords, mails } = dependencies;
  const { idempotencyKey } = context;
  const current = await asSignedIn(dependencies, { accessToken, context }, async ({ db, user }) => {
    await throttle.countRequest(db, { kind: 'ChangePassword', subject: user.sub, idempotencyKey }, dependencies.now());
    return user;
  });
  // Hashes outside a transaction, because hashing may wait in a queue.
  if (!(await passwords.isRight(previous, current.password))) throw wrongPassword();
  checkNewPassword(proposed, [current.email, current.name]);
  const hash = await passwords.hash(proposed);
  await asSignedIn(dependencies, { accessToken, context }, async ({ db, claims, now }) => {
    const user = await users.lockById(db, current.sub);
    if (user?.credential !== current.credential) return wrongPassword();
    await users.setPassword(db, user.sub, { password: hash, modified: now });
    await revokeAll(db, { sub: user.sub, except: claims.family, revoked: now, endedBy: 'password-changed' });
    const props = await securityFacts(db, dependencies, { sub: user.sub, to: user.email, context });
    await mails.send(db, { sub: user.sub, to: user.email, mail: 'password-changed', props });
    return undefined;
  });
}
