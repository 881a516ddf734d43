import { refusal } from '#contract/errors.ts';
import { pageLink } from '#contract/mail.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { UserPool } from '../port.ts';
import type { Codes } from './codes.ts';
import { PoolError } from './errors.ts';
import { invite, openedBy } from './invitations.ts';
import * as invitations from './invitations-store.ts';
import type { PoolMails } from './mails.ts';
import { requireStrong } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import { LONGEST_IDLE } from './sessions.ts';
import * as store from './sessions-store.ts';
import { sendSignUpCode } from './sign-up.ts';
import { isWithinLimit } from './throttle.ts';
import * as users from './users-store.ts';

interface PeopleOptions {
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly mails: PoolMails;
  readonly now: () => number;
}

export function openPeople({ passwords, codes, mails, now }: PeopleOptions): UserPool {
  return {
    async signUp(db, { sub, name, confirmed, ...sent }) {
      const email = sent.email.toLowerCase();
      requireStrong(sent.password, [email, name]);
      const password = await hashed(sent.password);
      const at = new Date(now());
      const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
      const row = { sub, email, name, password, status, emailVerified: confirmed, created: at, modified: at } as const;
      const isNew = await users.insert(db, row);
      if (!confirmed) await sendSignUpMail(db, { email, isNew });
      return { taken: !isNew, sub };
    },
    invite: (db, invited) => invite(db, invited, now()),
    async accept(db, { key, password }) {
      const invitation = await openedBy(db, key, now());
      if (!invitation) return undefined;
      const { sub, email, name } = invitation;
      const at = new Date(now());
      requireStrong(password, [email, name]);
      const row = { sub, email, name, password: await hashed(password), created: at, modified: at };
      if (!(await users.insert(db, { ...row, status: 'CONFIRMED', emailVerified: true }))) return undefined;
      await invitations.remove(db, sub);
      return { sub, email, invited: sub };
    },
    async resend(db, sub) {
      const user = await users.lockById(db, sub);
      if (user) await sendSignUpCode(db, { codes, mails }, user.email);
    },
    async disable(db, sub) {
      await users.update(db, sub, { enabled: false, modified: new Date(now()) });
      await endSessions(db, sub);
    },
    async remove(db, sub) {
      await users.remove(db, sub);
      await invitations.remove(db, sub);
    },
    endSessions,
    endSession: (db, { sub, id }) => store.revokeOne(db, { sub, family: id, revoked: new Date(now()) }),
    async sessions(db, { sub, family }) {
      const rows = await store.listed(db, { sub, now: new Date(now()), usedSince: new Date(now() - LONGEST_IDLE) });
      return rows.map(({ session, device }) => ({
        id: session.family,
        device: device ?? undefined,
        network: session.network,
        signedIn: session.signedIn.getTime(),
        lastUsed: session.lastUsed.getTime(),
        isCurrent: session.family === family,
      }));
    },
  };

  function endSessions(db: Transaction, sub: string): Promise<void> {
    return store.revokeAll(db, { sub, revoked: new Date(now()) });
  }

  /** New or taken: the same limits are used up, the same rows are written, one mail is told. */
  async function sendSignUpMail(db: Transaction, { email, isNew }: { email: string; isNew: boolean }): Promise<void> {
    const isFirst = await isWithinLimit(db, { what: 'AddressTaken', who: email }, now());
    await isWithinLimit(db, { what: 'ResendConfirmationCode', who: email }, now());
    if (isNew) return sendSignUpCode(db, { codes, mails }, email);
    await codes.simulate(db, { purpose: 'sign-up', name: email });
    const props = { link: pageLink(mails.site) };
    await mails.sendOrSimulate(db, { to: email, mail: 'address-taken', props, isReal: isFirst });
  }

  /** The data API has its own word for a queue that is full. */
  async function hashed(password: string): Promise<string> {
    try {
      return await passwords.hash(password);
    } catch (error) {
      throw error instanceof PoolError ? refusal('overloaded', { retryAfter: error.retryAfter }) : error;
    }
  }
}
