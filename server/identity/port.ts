import type { FastifyInstance } from 'fastify';
import type { PublicConfig } from '#contract/identity.ts';
import type { Session } from '#contract/user.ts';
import type { Authenticator, PersonRecord } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Condition, Transaction } from '../kernel/database.ts';
import type { Work } from '../kernel/jobs.ts';
import type { SendMail } from '../kernel/send-mail.ts';

/* The port between the product and whatever signs people in: its own user pool, or Amazon Cognito. */

/** What a user pool needs of the kernel. */
export type IdentityKernel = Pick<Kernel, 'config' | 'secret' | 'database' | 'log' | 'now' | 'random'>;

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
}

/** Somebody who is asked to join. */
export interface Invitee {
  /** A UUID. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}

/** What the product asks of a user pool, each in the caller's transaction. */
export interface UserPool {
  /**
   * Makes a person, and mails the code that confirms the address. Where the address is taken its owner gets a mail, and
   * the caller an answer after the same time. Refuses the field `password` where it is weak.
   */
  signUp(db: Transaction, person: NewUser): Promise<{ readonly taken: boolean; readonly sub: string }>;
  /** The key of an invitation, for seven days; a new one ends the one before. Undefined when the address is taken. */
  invite(db: Transaction, invitee: Invitee): Promise<string | undefined>;
  /** Makes the person whom a key invites, once; undefined when the key opens nothing. Refuses the field `password` where it is weak. */
  accept(
    db: Transaction,
    answer: { readonly key: string; readonly password: string },
  ): Promise<{ readonly sub: string; readonly email: string; readonly invited: string } | undefined>;
  /** Mails the code of somebody who has not confirmed the address yet. */
  resend(db: Transaction, sub: string): Promise<void>;
  /** Keeps a person out, and ends their sessions. */
  disable(db: Transaction, sub: string): Promise<void>;
  /** Forgets a person or an invitation. */
  remove(db: Transaction, sub: string): Promise<void>;
  /** Signs a person out everywhere. */
  endSessions(db: Transaction, sub: string): Promise<void>;
  /** Ends one session; false when there is none of this id. */
  endSession(db: Transaction, session: { readonly sub: string; readonly id: string }): Promise<boolean>;
  /** The sessions that last, last used first. `family` names the one that asks. */
  sessions(db: Transaction, asked: { readonly sub: string; readonly family?: string }): Promise<Session[]>;
}

/** What a user pool asks of the product: the teams' list of people. */
export interface Directory {
  /** The person of a team behind a user id, where `condition` holds; undefined where there is none, or the account is deleted. */
  findPerson: FindPerson;
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
  /** What the pool does in the background. */
  readonly work: Work;
  stop(): void;
}
