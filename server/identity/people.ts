import { refusal } from '#contract/errors.ts';
import type { TellMail } from '../events.ts';
import type { Transaction } from '../kernel/database.ts';
import { tellSignUpCode } from './actions/confirm-sign-up.ts';
import type { Codes } from './codes.ts';
import { PoolError } from './errors.ts';
import * as invitations from './invitation-store.ts';
import { type Invited, invite, openedBy } from './invitations.ts';
import { isWithin } from './limits.ts';
import { tellOrSeemTo } from './mails.ts';
import { requireStrong } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import * as store from './session-store.ts';
import { LONGEST_IDLE } from './sessions.ts';
import * as users from './user-store.ts';

/** Somebody who is to sign in. */
export interface NewUser {
  /** A UUID. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** Whether the address is known to be theirs; if not, a code is mailed. */
  readonly confirmed: boolean;
}

/** A sign-in that lasts, as the profile lists it. */
export interface ListedSession {
  readonly id: string;
  /** What the browser calls itself; undefined where it did not say. */
  readonly device: string | undefined;
  /** The neighbourhood it was last used from, such as `203.0.113`. */
  readonly network: string;
  /** UTC ms. */
  readonly signedIn: number;
  readonly lastUsed: number;
  readonly isCurrent: boolean;
}

/** What the product's rooms ask of the pool, each in the caller's transaction. */
export interface People {
  /**
   * Makes a person, and mails the code that confirms the address. A taken address is told to its owner, and to the
   * caller in the same time. Refuses the field `password` where it is weak.
   */
  signUp(db: Transaction, person: NewUser): Promise<{ taken: boolean; sub: string }>;
  /** The key of an invitation, for seven days; a new one ends the one before. Undefined when the address is taken. */
  invite(db: Transaction, person: Invited): Promise<string | undefined>;
  /** Makes the person whom a key invites, once; undefined when the key opens nothing. Refuses the field `password` where it is weak. */
  accept(db: Transaction, answer: { key: string; password: string }): Promise<{ sub: string; email: string; invited: string } | undefined>;
  /** Mails the code of somebody who has not confirmed the address yet. */
  resend(db: Transaction, sub: string): Promise<void>;
  /** Keeps a person out, and ends their sessions. */
  disable(db: Transaction, sub: string): Promise<void>;
  /** Forgets a person or an invitation. */
  remove(db: Transaction, sub: string): Promise<void>;
  /** Signs a person out everywhere. */
  endSessions(db: Transaction, sub: string): Promise<void>;
  /** Ends one session; false when there is none of this id. */
  endSession(db: Transaction, session: { sub: string; id: string }): Promise<boolean>;
  /** The sessions that last, last used first. `family` names the one that asks. */
  sessions(db: Transaction, asked: { sub: string; family?: string }): Promise<ListedSession[]>;
}

interface PeopleOptions {
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly tell: TellMail;
  readonly now: () => number;
}

export function openPeople({ passwords, codes, tell, now }: PeopleOptions): People {
  return {
    async signUp(db, { sub, name, confirmed, ...sent }) {
      const email = sent.email.toLowerCase();
      requireStrong(sent.password, [email, name]);
      const password = await hashed(sent.password);
      const at = new Date(now());
      const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
      const row = { sub, email, name, password, status, emailVerified: confirmed, created: at, modified: at } as const;
      const isNew = await users.insert(db, row);
      if (!confirmed) await tellSignedUp(db, { email, isNew });
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
      const user = await users.held(db, sub);
      if (user) await tellSignUpCode(db, { codes, tell }, user.email);
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
  async function tellSignedUp(db: Transaction, { email, isNew }: { email: string; isNew: boolean }): Promise<void> {
    const isFirst = await isWithin(db, { what: 'AddressTaken', who: email }, now());
    await isWithin(db, { what: 'ResendConfirmationCode', who: email }, now());
    if (isNew) return tellSignUpCode(db, { codes, tell }, email);
    await codes.pretend(db, { purpose: 'sign-up', name: email });
    await tellOrSeemTo(db, { tell, name: 'identity.address-taken', fact: { email }, isMeant: isFirst });
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
