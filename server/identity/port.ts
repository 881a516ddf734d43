import type { FastifyInstance } from 'fastify';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { SecondFactor, Session } from '#contract/user/user.ts';
import type { Platform } from '../platform/context.ts';
import type { Condition, Transaction } from '../platform/database/database.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { Authenticator, PersonRecord } from '../platform/tenancy/access.ts';

/* The port between the product and what signs people in: its own user pool, or Amazon Cognito. */

/** The parts of the platform that a user pool needs. */
export type IdentityPlatform = Pick<Platform, 'config' | 'secret' | 'database' | 'log' | 'now' | 'random'>;

/** The parts of the product that a user pool needs. */
export interface IdentityOptions {
  readonly directory: Directory;
  readonly sendMail: SendMail;
}

export interface NewUser {
  /** A UUID. A pool may choose another. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** True if the address is known to be theirs; otherwise a code is mailed. */
  readonly confirmed: boolean;
  /** The business they sign up, which the mail names. */
  readonly company?: string;
}

export interface SignUpResult {
  readonly taken: boolean;
  /** The person’s id in the pool; an unused id if the address is taken. */
  readonly sub: string;
  /** The id of an unconfirmed sign-up with the same address, which this one replaced and the pool deleted. */
  readonly replaced?: string | undefined;
}

export interface Invitee {
  /** A UUID. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}

export interface InvitationAnswer {
  readonly key: string;
  readonly password: string;
  /** The network address of the sender. */
  readonly address: string;
}

export interface AcceptedInvitation {
  readonly email: string;
  /** The user this call created; undefined for a repeated call, sent because the first response was lost. */
  readonly joined: { readonly invited: string; readonly sub: string } | undefined;
}

/** The operations of a user pool; each runs in the caller's transaction. */
export interface UserPool {
  /**
   * Creates a person and mails the code that confirms the address. If the address is taken, mails its owner and takes the same
   * time to return. Replaces an unconfirmed sign-up with the same address at once, and an owner whose account is deleted once this
   * sign-up is confirmed. Throws a refusal of the field `password` if it is weak.
   */
  signUp(db: Transaction, person: NewUser): Promise<SignUpResult>;
  /** Returns whether a sign-up's address is confirmed; false for an unknown id, and for every id a day after its sign-up. */
  isConfirmed(db: Transaction, sub: string): Promise<boolean>;
  /** Returns the key of a new invitation, valid for seven days, which replaces the previous one; undefined if the address is taken. */
  invite(db: Transaction, invitee: Invitee): Promise<string | undefined>;
  /** Returns whether an address belongs to a person or has an invitation that hasn't expired. */
  isKnown(db: Transaction, email: string): Promise<boolean>;
  /** Returns the person an unused key invites; undefined for an unknown, used or expired key. */
  invitation(db: Transaction, key: string): Promise<Invitee | undefined>;
  /**
   * Creates the person a key invites; returns undefined for an unknown or expired key, and throws a refusal of the field `password`
   * if it is weak. Until it expires, a used key with the person's password gets the same answer; a wrong password counts as a guess.
   */
  accept(db: Transaction, answer: InvitationAnswer): Promise<AcceptedInvitation | undefined>;
  /** Returns the id of the person who signs in with an address, or has yet to confirm it. */
  find(db: Transaction, email: string): Promise<string | undefined>;
  /** Mails the code that resets a forgotten password; returns false if the address can't sign in. */
  mailPasswordReset(db: Transaction, email: string): Promise<boolean>;
  /** Mails a new code to a person who hasn't confirmed the address yet. */
  resend(db: Transaction, sub: string): Promise<void>;
  /**
   * Locks an account by the key of a security mail's link: ends its sessions and requires a new password. Returns false if the key
   * is not valid or the pool sends no such mails.
   */
  lock(db: Transaction, key: string): Promise<boolean>;
  /** Blocks a person's sign-in and ends their sessions. */
  disable(db: Transaction, sub: string): Promise<void>;
  /** Deletes a person or an invitation. */
  remove(db: Transaction, sub: string): Promise<void>;
  /** Ends one session; returns false for an unknown id. */
  endSession(db: Transaction, session: { readonly sub: string; readonly id: string }): Promise<boolean>;
  /** Returns the status of a person's two-step sign-in. */
  secondFactor(db: Transaction, sub: string): Promise<SecondFactor>;
  /** Returns ten new backup codes, which replace the previous ones; undefined if two-step sign-in is off or the pool has no backup codes. */
  makeBackupCodes(db: Transaction, sub: string): Promise<string[] | undefined>;
  /** Deletes a person's authenticator app and backup codes and signs them out everywhere; returns false if there was no app. */
  resetSecondFactor(db: Transaction, sub: string): Promise<boolean>;
  /** Pending resets that an operator requested. */
  readonly resets: FactorResets;
  /** Returns the active sessions, last used first. `family` is the caller's own session. */
  sessions(db: Transaction, asked: { readonly sub: string; readonly family?: string }): Promise<Session[]>;
}

/** A pending reset; times in UTC ms. */
export interface FactorReset {
  /** The operator's address. */
  readonly askedBy: string;
  readonly asked: number;
  readonly due: number;
}

export interface FactorResets {
  /** Requests a reset, replacing a pending one; returns the key that refuses it and its due time (UTC ms). */
  ask(db: Transaction, asked: { readonly sub: string; readonly askedBy: string }): Promise<{ readonly key: string; readonly due: number }>;
  of(db: Transaction, sub: string): Promise<FactorReset | undefined>;
  /** Withdraws a person's reset; returns false if none is pending. */
  withdraw(db: Transaction, sub: string): Promise<boolean>;
  /** Withdraws the reset a key refuses; returns its person's id. */
  refuse(db: Transaction, key: string): Promise<string | undefined>;
  /** Returns the people whose reset is due, the earliest first. */
  due(db: Transaction): Promise<string[]>;
  /** Deletes a person's due reset, which the caller does in the same transaction; returns false if none is due. */
  takeDue(db: Transaction, sub: string): Promise<boolean>;
}

/** The teams' lists of people, which a user pool reads and updates. */
export interface Directory {
  /** Returns the team member with a user id if `condition` holds. */
  findPerson: FindPerson;
  /** Returns a person's business and whether it is deleted; undefined for an unknown id. */
  businessOf(db: Transaction, userId: string): Promise<{ readonly company: string; readonly isDeleted: boolean } | undefined>;
  /** Removes a person, whose address signed up again, from the team of a deleted account in the same transaction. */
  leave(db: Transaction, userId: string): Promise<void>;
  /** Revokes a person's API keys in the same transaction. */
  revokeKeys(db: Transaction, person: { readonly userId: string; readonly accountId: string }): Promise<void>;
  /** Changes a person's address in the team's list in the same transaction. */
  changeEmail(db: Transaction, changed: { readonly userId: string; readonly accountId: string; readonly email: string }): Promise<void>;
}

/** `condition` covers the pool's own tables, so that one query checks both. `statement` prepares the query under this name. */
export type FindPerson = (db: Transaction, userId: string, condition: Condition, statement?: string) => Promise<PersonRecord | undefined>;

/** A user pool that is open. */
export interface Identity extends UserPool {
  addRoutes(http: FastifyInstance): void;
  readonly authenticator: Authenticator;
  /** The settings a page needs to sign in. The endpoint of the product's own pool is a path of this site. */
  readonly config: PublicConfig['identity'];
  /** The origins, besides this site, that a page connects to for signing in. */
  readonly origins: readonly string[];
  /** Checks at startup that the pool exists. Throws a `ConfigError` if it doesn't; only logs a warning if the pool doesn't respond. */
  reach(): Promise<void>;
  /** Returns whether an address and password match, without counting a guess: for internal use. Always false with Amazon Cognito. */
  isPassword(email: string, password: string): Promise<boolean>;
  /** The pool's background jobs. */
  readonly work: Work;
  stop(): void;
}
