import type { FastifyInstance } from 'fastify';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { SecondFactor, Session } from '#contract/user/user.ts';
import type { Platform } from '../platform/context.ts';
import type { Condition, Transaction } from '../platform/database/database.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { Authenticator, PersonRecord } from '../platform/tenancy/access.ts';

/* The port between the product and whatever signs people in: its own user pool, or Amazon Cognito. */

/** What a user pool needs of the platform. */
export type IdentityPlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'log' | 'now' | 'random'>;

/** What a user pool needs of the product. */
export interface IdentityOptions {
  readonly directory: Directory;
  readonly sendMail: SendMail;
}

/** Somebody who is to sign in. */
export interface NewUser {
  /** A UUID. A pool may choose another. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** Whether the address is known to be theirs; if not, a code is mailed. */
  readonly confirmed: boolean;
  /** The business that they sign up, which the mail names. */
  readonly company?: string;
}

/** What became of a sign-up. */
export interface SignedUp {
  readonly taken: boolean;
  /** The person’s id in the pool; one that is nobody’s where the address is taken. */
  readonly sub: string;
  /** Who waited for a code of the same address. This sign-up took their place, and the pool has forgotten them. */
  readonly replaced?: string | undefined;
}

/** Somebody who is asked to join. */
export interface Invitee {
  /** A UUID. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}

/** What somebody sends who is invited. */
export interface InvitationAnswer {
  readonly key: string;
  readonly password: string;
  /** Where it was sent from. */
  readonly address: string;
}

/** Somebody who was invited, and can sign in. */
export interface Accepted {
  readonly email: string;
  /** Whom the invitation became just now; undefined where they had come before, and their answer was lost. */
  readonly joined: { readonly invited: string; readonly sub: string } | undefined;
}

/** What the product asks of a user pool, each in the caller's transaction. */
export interface UserPool {
  /**
   * Makes a person, and mails the code that confirms the address. Where the address is taken its owner gets a mail, and
   * the caller an answer after the same time. Where somebody waits for a code of the address, the later sign-up counts. So it
   * does, once it is confirmed, where the owner’s account is deleted. Refuses the field `password` where it is weak.
   */
  signUp(db: Transaction, person: NewUser): Promise<SignedUp>;
  /** Whether the address of a sign-up is confirmed. Of nobody it is not, nor of anybody a day after they signed up. */
  isConfirmed(db: Transaction, sub: string): Promise<boolean>;
  /** The key of an invitation, for seven days; a new one ends the one before. Undefined when the address is taken. */
  invite(db: Transaction, invitee: Invitee): Promise<string | undefined>;
  /** Whether an address has a person, or an invitation that lasts. */
  isKnown(db: Transaction, email: string): Promise<boolean>;
  /** Whom a key invites that was not used yet; undefined when it opens nothing. */
  invitation(db: Transaction, key: string): Promise<Invitee | undefined>;
  /**
   * Makes the person whom a key invites; undefined when it opens nothing. Refuses the field `password` where it is weak. A key
   * that was used is answered alike until it expires, where the password is the person's: else that counts as a wrong guess.
   */
  accept(db: Transaction, answer: InvitationAnswer): Promise<Accepted | undefined>;
  /** Who signs in with an address, or waits to confirm it; undefined where there is nobody. */
  find(db: Transaction, email: string): Promise<string | undefined>;
  /** Mails a code that sets a new password, as whoever forgot theirs asks for it; false where nobody may sign in with the address. */
  mailPasswordReset(db: Transaction, email: string): Promise<boolean>;
  /** Mails the code of somebody who has not confirmed the address yet. */
  resend(db: Transaction, sub: string): Promise<void>;
  /**
   * Gives an account back to whoever reads a mail about it, by the key of the mail's link: its sessions end, and its password has to
   * be set anew. False where the key opens nothing, or the pool sends no such mails.
   */
  lock(db: Transaction, key: string): Promise<boolean>;
  /** Keeps a person out, and ends their sessions. */
  disable(db: Transaction, sub: string): Promise<void>;
  /** Forgets a person or an invitation. */
  remove(db: Transaction, sub: string): Promise<void>;
  /** Ends one session; false when there is none of this id. */
  endSession(db: Transaction, session: { readonly sub: string; readonly id: string }): Promise<boolean>;
  /** How the second step of somebody's sign-in stands. */
  secondFactor(db: Transaction, sub: string): Promise<SecondFactor>;
  /** Ten new backup codes, which end those before; undefined where two-step sign-in is off, or the pool knows no such codes. */
  makeBackupCodes(db: Transaction, sub: string): Promise<string[] | undefined>;
  /** Forgets somebody's authenticator app and backup codes, and signs them out everywhere; false where there was no app. */
  resetSecondFactor(db: Transaction, sub: string): Promise<boolean>;
  /** Resets that an operator asked for, and that wait. */
  readonly resets: FactorResets;
  /** The sessions that last, last used first. `family` names the one that asks. */
  sessions(db: Transaction, asked: { readonly sub: string; readonly family?: string }): Promise<Session[]>;
}

/** A reset that waits; moments in UTC ms. */
export interface FactorReset {
  /** The operator's address. */
  readonly askedBy: string;
  readonly asked: number;
  readonly due: number;
}

export interface FactorResets {
  /** Asks for a reset, in place of one that waits. Gives the key that refuses it, and when it is due (UTC ms). */
  ask(db: Transaction, asked: { readonly sub: string; readonly askedBy: string }): Promise<{ readonly key: string; readonly due: number }>;
  of(db: Transaction, sub: string): Promise<FactorReset | undefined>;
  /** False where none waits. */
  withdraw(db: Transaction, sub: string): Promise<boolean>;
  /** Withdraws the reset that a key refuses; gives its person. */
  refuse(db: Transaction, key: string): Promise<string | undefined>;
  /** Whose are due, the longest first. */
  due(db: Transaction): Promise<string[]>;
  /** Takes a person's, to be done in the same transaction; false where none is due. */
  takeDue(db: Transaction, sub: string): Promise<boolean>;
}

/** What a user pool asks of the product: the teams' list of people. */
export interface Directory {
  /** The person of a team behind a user id, where `condition` holds; undefined where there is none. */
  findPerson: FindPerson;
  /** The business of a person, and whether it is deleted; undefined where there is no such person. */
  businessOf(db: Transaction, userId: string): Promise<{ readonly company: string; readonly isDeleted: boolean } | undefined>;
  /** Takes a person out of the team of a deleted account, in the same transaction: their address signed up anew. */
  leave(db: Transaction, userId: string): Promise<void>;
  /** Gives the person the address that they sign in with from now on, in the same transaction. */
  changeEmail(db: Transaction, changed: { readonly userId: string; readonly accountId: string; readonly email: string }): Promise<void>;
}

/** `condition` is of the pool's own tables, so that both are one look at the database. */
export type FindPerson = (db: Transaction, userId: string, condition: Condition) => Promise<PersonRecord | undefined>;

/** A user pool that is open. */
export interface Identity extends UserPool {
  addRoutes(http: FastifyInstance): void;
  readonly authenticator: Authenticator;
  /** What a page needs to sign in. The product's own pool has an endpoint: a path of this site. */
  readonly config: PublicConfig['identity'];
  /** Where a page has to connect to, beside this site, to sign in. */
  readonly origins: readonly string[];
  /** Looks at the start whether the pool is there. Throws a `ConfigError` where there is no such pool; one that does not answer is told of in the log. */
  reach(): Promise<void>;
  /** Whether somebody signs in with this address and password; false where another pool knows. Counts no try: for the product itself. */
  isPassword(email: string, password: string): Promise<boolean>;
  /** What the pool does in the background. */
  readonly work: Work;
  stop(): void;
}
