import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { JWK } from 'jose';
import { LONGEST_STORED_NAME, MAX_EMAIL } from '#contract/core/schema.ts';
import { RECORDED_ENDS } from '#contract/identity/identity.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/* The user pool. It stands before every account, so none of its tables belongs to one. */

/** The pool's names, made once for all processes. */
export const pools = pgTable(
  'identity_pool',
  {
    only: boolean('only').primaryKey().default(true),
    id: text('id').notNull(),
    clientId: text('client_id').notNull(),
    created: moment('created').notNull(),
  },
  (table) => [check('identity_pool_is_one', sql`${table.only}`), ...valueChecks(table)],
);

/** Keys that sign tokens. Each secret that private parts are sealed with has a line of generations of its own. */
export const keys = pgTable(
  'identity_key',
  {
    id: text('id').primaryKey(),
    sealedBy: text('sealed_by').notNull(),
    generation: integer('generation').notNull(),
    publicKey: jsonb('public_key').$type<JWK>().notNull(),
    /** AES-256-GCM. */
    privateKey: bytes('private_key').notNull(),
    signsFrom: moment('signs_from').notNull(),
    /** No process signs with the key after this, unless it writes a later moment here first. */
    signsUntil: moment('signs_until').notNull(),
  },
  (table) => [unique('identity_key_generation').on(table.sealedBy, table.generation), ...valueChecks(table, { publicKey: 'object' })],
);

/** People who can sign in. An address has one owner at most, and beside them one sign-up that waits for its code. */
export const users = pgTable(
  'identity_user',
  {
    sub: uuid('sub').primaryKey(),
    /** In lower case. */
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull(),
    /** argon2id, as a PHC string. */
    password: text('password').notNull(),
    /** Counts the passwords a person has had: what was proved with an earlier one proves nothing. */
    credential: integer('credential').notNull().default(1),
    status: text('status', { enum: ['UNCONFIRMED', 'CONFIRMED', 'RESET_REQUIRED'] }).notNull(),
    enabled: boolean('enabled').notNull().default(true),
    groups: text('groups').array().notNull().default(sql`'{}'`),
    /** What mails call them. */
    name: text('name').notNull().default(''),
    /** Where Amazon Cognito is the pool: tokens from before this are worth nothing. */
    endedBefore: moment('ended_before'),
    created: moment('created').notNull(),
    modified: moment('modified').notNull(),
  },
  (table) => [
    index('identity_user_email').on(table.email),
    uniqueIndex('identity_user_owner').on(table.email).where(sql`${table.status} <> 'UNCONFIRMED'`),
    uniqueIndex('identity_user_waiting').on(table.email).where(sql`${table.status} = 'UNCONFIRMED'`),
    ...valueChecks(table, { email: MAX_EMAIL, name: LONGEST_STORED_NAME, password: 500 }),
  ],
);

/** Sessions begin with a sign-in. Each is a family of refresh tokens, of which one is made from the one before. */
export const sessions = pgTable(
  'identity_session',
  {
    /** `origin_jti` of the tokens. */
    family: uuid('family').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    deviceKey: text('device_key').notNull(),
    /** The network that it was last used from. */
    network: text('network').notNull().default(''),
    /** Whether a one-time password was asked for, and given. */
    twoFactor: boolean('two_factor').notNull().default(false),
    signedIn: moment('signed_in').notNull(),
    lastUsed: moment('last_used').notNull(),
    expires: moment('expires').notNull(),
    revoked: moment('revoked'),
    /** Why it was revoked, where its own browser did not do it. */
    endedBy: text('ended_by', { enum: RECORDED_ENDS }),
  },
  (table) => [index('identity_session_of_user').on(table.sub), index('identity_session_expiry').on(table.expires), ...valueChecks(table)],
);

export const refreshTokens = pgTable(
  'identity_refresh_token',
  {
    /** SHA-256. */
    hash: bytes('hash').primaryKey(),
    family: uuid('family')
      .notNull()
      .references(() => sessions.family, { onDelete: 'cascade' }),
    issued: moment('issued').notNull(),
    /** Whether it is the first of its family. */
    isFirst: boolean('is_first').notNull(),
    /** When its successor was made. */
    rotated: moment('rotated'),
    /** Makes the successor out of the token itself, which is not stored: neither is of use alone. */
    salt: bytes('salt'),
  },
  (table) => [index('identity_refresh_token_of_session').on(table.family), ...valueChecks(table)],
);

/** Browsers that somebody signed in with. */
export const devices = pgTable(
  'identity_device',
  {
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name'),
    salt: text('salt'),
    verifier: text('verifier'),
    remembered: boolean('remembered').notNull().default(false),
    created: moment('created').notNull(),
    modified: moment('modified').notNull(),
    lastSignIn: moment('last_sign_in').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sub, table.key] }), ...valueChecks(table)],
);

/**
 * Codes that were mailed, at most one for a purpose and a name. An address that nobody has gets its row too, with
 * nobody behind it, so that both are the same work and get the same answers.
 */
export const codes = pgTable(
  'identity_code',
  {
    /** SHA-256 of purpose and name. */
    key: bytes('key').primaryKey(),
    /** HMAC of the code and of everything that it is good for. */
    mac: bytes('mac').notNull(),
    /** The same of the key in the mailed link, where there is one. */
    linkMac: bytes('link_mac'),
    sub: uuid('sub').references(() => users.sub, { onDelete: 'cascade' }),
    /** Which of the person's passwords was theirs then: with another one the code is worth nothing. */
    credential: integer('credential').notNull().default(0),
    /** The address that the code was mailed to, where it is not the person's own yet. */
    address: text('address'),
    tries: integer('tries').notNull().default(0),
    used: boolean('used').notNull().default(false),
    /** Whose code this one took the place of: who types that one is told so. */
    former: uuid('former'),
    expires: moment('expires').notNull(),
  },
  (table) => [index('identity_code_of_user').on(table.sub), index('identity_code_expiry').on(table.expires), ...valueChecks(table)],
);

/** Apps that make one-time passwords, at most one a person. */
export const totps = pgTable(
  'identity_totp',
  {
    sub: uuid('sub')
      .primaryKey()
      .references(() => users.sub, { onDelete: 'cascade' }),
    /** AES-256-GCM. */
    secret: bytes('secret').notNull(),
    /** Whether the app has shown that it knows the secret. */
    verified: boolean('verified').notNull().default(false),
    /** Whether the app is asked at each sign-in. */
    enabled: boolean('enabled').notNull().default(false),
    /** Since when it is; null where nobody knows. */
    enabledSince: moment('enabled_since'),
    /** The step of the last password that was accepted: none is accepted twice. */
    lastStep: integer('last_step').notNull().default(0),
  },
  (table) => valueChecks(table),
);

/** Codes that stand in for the app, each once. They go with it. */
export const backupCodes = pgTable(
  'identity_backup_code',
  {
    sub: uuid('sub')
      .notNull()
      .references(() => totps.sub, { onDelete: 'cascade' }),
    /** HMAC of the code. */
    mac: bytes('mac').notNull(),
    used: moment('used'),
  },
  (table) => [primaryKey({ columns: [table.sub, table.mac] }), ...valueChecks(table)],
);

/** Resets of a second factor that an operator asked for and that wait, at most one a person. */
export const factorResets = pgTable(
  'identity_factor_reset',
  {
    sub: uuid('sub')
      .primaryKey()
      .references(() => users.sub, { onDelete: 'cascade' }),
    /** The operator's address. */
    askedBy: text('asked_by').notNull(),
    asked: moment('asked').notNull(),
    due: moment('due').notNull(),
    /** SHA-256 of the key in the mailed link that refuses it. */
    key: bytes('key').notNull().unique('identity_factor_reset_key'),
  },
  (table) => [index('identity_factor_reset_due').on(table.due), ...valueChecks(table)],
);

/** What the links in mails about somebody's sign-in undo (docs/decisions/0005-signing-in.md). */
export const locks = pgTable(
  'identity_lock',
  {
    /** SHA-256 of the key in the link. */
    key: bytes('key').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    /** The address that the mail went to, which was the person's own until then. */
    address: text('address').notNull(),
    made: moment('made').notNull(),
  },
  (table) => [index('identity_lock_of_user').on(table.sub), index('identity_lock_made').on(table.made), ...valueChecks(table)],
);

/** Sign-ins that wait for a one-time password. */
export const challenges = pgTable(
  'identity_challenge',
  {
    /** SHA-256 of the name that the client has for the challenge. */
    session: bytes('session').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    credential: integer('credential').notNull(),
    /** A device of the person that the sign-in began on. */
    deviceKey: text('device_key'),
    tries: integer('tries').notNull().default(0),
    expires: moment('expires').notNull(),
  },
  (table) => [
    index('identity_challenge_of_user').on(table.sub),
    index('identity_challenge_expiry').on(table.expires),
    ...valueChecks(table),
  ],
);

/** People who are asked to join. An address is not taken before they accept; the key is known from then on until it expires. */
export const invitations = pgTable(
  'identity_invitation',
  {
    sub: uuid('sub').primaryKey(),
    /** SHA-256. */
    key: bytes('key').notNull().unique('identity_invitation_key'),
    email: text('email').notNull(),
    name: text('name').notNull(),
    expires: moment('expires').notNull(),
    /** Whom it has become. */
    acceptedAs: uuid('accepted_as').references(() => users.sub, { onDelete: 'cascade' }),
  },
  (table) => [
    index('identity_invitation_expiry').on(table.expires),
    index('identity_invitation_accepted_as').on(table.acceptedAs),
    ...valueChecks(table, { email: MAX_EMAIL, name: LONGEST_STORED_NAME }),
  ],
);

/** Counts of guesses and requests by person, network and address, all hashed. Unlogged: a crash may forget them, a restart does not. */
export const throttles = pgTable(
  'identity_throttle',
  {
    key: bytes('key').primaryKey(),
    failures: integer('failures').notNull(),
    /** When the first was counted that still counts. */
    since: moment('since').notNull(),
    last: moment('last').notNull(),
    /** Long ago where there is no lock. */
    lockedUntil: moment('locked_until').notNull(),
    /** Of the call that was counted last, so that its repetitions are not counted. */
    idempotencyKey: bytes('call'),
  },
  (table) => [index('identity_throttle_last').on(table.last), ...valueChecks(table)],
);
