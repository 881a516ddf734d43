import { userId } from '#contract/core/ids.ts';
import { LOCK_LINK_TTL } from '#contract/identity/identity.ts';
import { lockLink, momentInWords, type SecurityMail } from '#contract/mail/mail.ts';
import { knownDeviceName } from '#contract/notification/device-name.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { hashOfKey, newLinkKey } from '../secrets/link-keys.ts';
import { revokeAll } from '../sessions/sessions-store.ts';
import * as users from '../users/users-store.ts';
import * as store from './locks-store.ts';

/* Mails about what somebody signs in with say when it changed, on what kind of device, and lead to undoing it. */

interface ChangedBy {
  readonly sub: string;
  /** Where the mail goes: the person's address until now. */
  readonly to: string;
  readonly context: Pick<RequestContext, 'agent'>;
}

/** What a mail about a change of somebody's sign-in says of it, with the link that locks the account. */
export async function securityFacts(
  db: Transaction,
  { mails, now }: Pick<Dependencies, 'mails' | 'now'>,
  { sub, to, context: { agent } }: ChangedBy,
): Promise<SecurityMail> {
  const key = newLinkKey();
  const made = now();
  await store.insert(db, { key: hashOfKey(key), sub, address: to, made: new Date(made) });
  return { when: momentInWords(made), device: knownDeviceName(agent), lock: lockLink(mails.site, key) };
}

/**
 * Gives the account back to whoever reads the mail: every session ends, the password is worth nothing until a new one is set by
 * mail, the address is again the one that the mail went to, and an app that was turned on since is forgotten. False where the link
 * was used, is over, or a link from before it was used.
 */
export async function lock(db: Transaction, { directory, now }: Pick<Dependencies, 'directory' | 'now'>, key: string): Promise<boolean> {
  const link = await store.take(db, { key: hashOfKey(key), after: new Date(now() - LOCK_LINK_TTL) });
  const user = link && (await users.lockById(db, link.sub));
  if (!user) return false;
  const { sub, address } = link;
  const modified = new Date(now());
  await store.removeLater(db, link);
  await store.removeTotpSince(db, link);
  await revokeAll(db, { sub, revoked: modified, endedBy: 'locked' });
  if (user.email !== address && (await users.setEmail(db, sub, { email: address, modified }))) {
    const id = userId(sub);
    const person = await directory.findPerson(db, id, users.isThere(sub));
    if (person) await directory.changeEmail(db, { userId: id, accountId: person.accountId, email: address });
  }
  await users.update(db, sub, { status: 'RESET_REQUIRED', modified });
  return true;
}
