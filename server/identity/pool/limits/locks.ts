import { userId } from '#contract/core/ids.ts';
import { LOCK_LINK_TTL } from '#contract/identity/identity.ts';
import { lockLink, type SecurityMail } from '#contract/mail/mail.ts';
import { knownDevice } from '#contract/notification/device-name.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { sha256 } from '../../../platform/sha256.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import { newLinkKey } from '../secrets/link-keys.ts';
import { revokeAll } from '../sessions/sessions-store.ts';
import * as users from '../users/users-store.ts';
import * as store from './locks-store.ts';

/* Security mails state when and on which device a person's sign-in data changed, and link to a page that undoes the change. */

interface ChangedBy {
  readonly sub: string;
  /** The recipient: the person's address before the change. */
  readonly to: string;
  readonly context: Pick<RequestContext, 'agent'>;
}

/** Creates a link that locks the account and returns it with the facts for a security mail. */
export async function securityFacts(
  db: Transaction,
  { mails, now }: Pick<Dependencies, 'mails' | 'now'>,
  { sub, to, context: { agent } }: ChangedBy,
): Promise<SecurityMail> {
  const key = newLinkKey();
  const time = now();
  await store.insert(db, { key: sha256(key), sub, address: to, made: new Date(time) });
  return { when: { at: time }, device: knownDevice(agent), lock: lockLink(mails.site, key) };
}

/**
 * Locks the account for the reader of the mail: ends every session and API key, requires a new password by mail, restores the
 * address the mail went to, and deletes an app that was turned on since. Returns false if the link is used or expired, or an earlier
 * link was used.
 */
export async function lock(db: Transaction, { directory, now }: Pick<Dependencies, 'directory' | 'now'>, key: string): Promise<boolean> {
  const link = await store.take(db, { key: sha256(key), after: new Date(now() - LOCK_LINK_TTL) });
  const user = link && (await users.lockById(db, link.sub));
  if (!user) return false;
  const { sub, address } = link;
  const modified = new Date(now());
  await store.removeLater(db, link);
  await store.removeTotpSince(db, link);
  await revokeAll(db, { sub, revoked: modified, endedBy: 'locked' });
  const person = await directory.findPerson(db, userId(sub), users.isInPool(sub));
  if (person) await directory.revokeKeys(db, person);
  const isRestored = user.email !== address && (await users.setEmail(db, sub, { email: address, modified }));
  if (isRestored && person) await directory.changeEmail(db, { ...person, email: address });
  await users.update(db, sub, { status: 'RESET_REQUIRED', modified });
  return true;
}
