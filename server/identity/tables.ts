import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { JWK } from 'jose';
import { LONGEST_STORED_NAME, MAX_EMAIL } from '#contract/core/schema.ts';
import { RECORDED_ENDS } from '#contract/identity/identity.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/* The user pool. People sign in before the account is known, so none of its tables belongs to an account. */

/** The pool's ids, created once for all processes. */
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

/** Keys that sign tokens. Generations are counted separately for each secret that encrypts the private parts. */
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
    /** No process signs with the key after this time, unless it writes a later time here first. */
    signsUntil: moment('signs_until').notNull(),
  },
  (table) => [unique('identity_key_generation').on(table.sealedBy, table.generation), ...valueChecks(table, { publicKey: 'object' })],
);

/** People who can sign in. An address has at most one owner, and one sign-up that has yet to be confirmed. */
export const users = pgTable(
  'identity_user',
  {
    sub: uuid('sub').primaryKey(),
    /** Lowercase. */
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull(),
    /** argon2id, as a PHC string. */
    password: text('password').notNull(),
    /** Counts the person's passwords: codes and challenges issued under an earlier one are not valid. */
    credential: integer('credential').notNull().default(1),
    status: text('status', { enum: ['UNCONFIRMED', 'CONFIRMED', 'RESET_REQUIRED'] }).notNull(),
    enabled: boolean('enabled').notNull().default(true),
    groups: text('groups').array().notNull().default(sql`'{}'`),
    /** The name used in mails. */
    name: text('name').notNull().default(''),
    /** With Amazon Cognito as the pool, tokens issued before this are rejected. */
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

/** A session begins with a sign-in. It is a family of refresh tokens, each derived from the previous one. */
export const sessions = pgTable(
  'identity_session',
  {
    /** `origin_jti` of the tokens. */
    family: uuid('family').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    deviceKey: text('device_key').notNull(),
    /** The network the session was last used from. */
    network: text('network').notNull().default(''),
    /** True if the sign-in included a one-time password. */
    twoFactor: boolean('two_factor').notNull().default(false),
    signedIn: moment('signed_in').notNull(),
    lastUsed: moment('last_used').notNull(),
    expires: moment('expires').notNull(),
    revoked: moment('revoked'),
    /** The reason it was revoked, unless its own browser signed out. */
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
    /** True for the first token of its family. */
    isFirst: boolean('is_first').notNull(),
    /** The time its successor was created. */
    rotated: moment('rotated'),
    /** Derives the successor from the token itself, which is not stored; neither is any use alone. */
    salt: bytes('salt'),
  },
  (table) => [index('identity_refresh_token_of_session').on(table.family), ...valueChecks(table)],
);

/** Browsers that people signed in with. */
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
 * Mailed codes, at most one for each purpose and name. An unknown address gets a row without a person too, so that it takes
 * the same work and gets the same answers.
 */
export const codes = pgTable(
  'identity_code',
  {
    /** SHA-256 of purpose and name. */
    key: bytes('key').primaryKey(),
    /** HMAC of the code and of everything it grants. */
    mac: bytes('mac').notNull(),
    /** The same HMAC for the key in the mailed link, if any. */
    linkMac: bytes('link_mac'),
    sub: uuid('sub').references(() => users.sub, { onDelete: 'cascade' }),
    /** `identity_user.credential` when the code was made: a later password makes the code invalid. */
    credential: integer('credential').notNull().default(0),
    /** The address the code was mailed to, if it is not the person's own yet. */
    address: text('address'),
    tries: integer('tries').notNull().default(0),
    used: boolean('used').notNull().default(false),
    /** The person whose code this one replaced: someone who enters that code learns that there is a newer one. */
    former: uuid('former'),
    expires: moment('expires').notNull(),
  },
  (table) => [index('identity_code_of_user').on(table.sub), index('identity_code_expiry').on(table.expires), ...valueChecks(table)],
);

/** Authenticator apps, at most one per person. */
export const totps = pgTable(
  'identity_totp',
  {
    sub: uuid('sub')
      .primaryKey()
      .references(() => users.sub, { onDelete: 'cascade' }),
    /** AES-256-GCM. */
    secret: bytes('secret').notNull(),
    /** True once the app has proved that it has the secret. */
    verified: boolean('verified').notNull().default(false),
    /** True if each sign-in asks for a code from the app. */
    enabled: boolean('enabled').notNull().default(false),
    /** The time it was enabled; null if unknown. */
    enabledSince: moment('enabled_since'),
    /** The time step of the last accepted password: no password is accepted twice. */
    lastStep: integer('last_step').notNull().default(0),
  },
  (table) => valueChecks(table),
);

/** Single-use codes that replace the app, and are deleted with it. */
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

/** Pending resets of a second factor, requested by an operator, at most one per person. */
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
    /** SHA-256 of the key in the mailed link that refuses the reset. */
    key: bytes('key').notNull().unique('identity_factor_reset_key'),
  },
  (table) => [index('identity_factor_reset_due').on(table.due), ...valueChecks(table)],
);

/** Links in security mails, which lock the account and undo the change (docs/decisions/0004-access.md). */
export const locks = pgTable(
  'identity_lock',
  {
    /** SHA-256 of the key in the link. */
    key: bytes('key').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    /** The address the mail went to, which was the person's until then. */
    address: text('address').notNull(),
    made: moment('made').notNull(),
  },
  (table) => [index('identity_lock_of_user').on(table.sub), index('identity_lock_made').on(table.made), ...valueChecks(table)],
);

/** Sign-ins that still need a one-time password. */
export const challenges = pgTable(
  'identity_challenge',
  {
    /** SHA-256 of the challenge's id, which only the client has. */
    session: bytes('session').primaryKey(),
    sub: uuid('sub')
      .notNull()
      .references(() => users.sub, { onDelete: 'cascade' }),
    credential: integer('credential').notNull(),
    /** The person's device that the sign-in began on. */
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

/** People who are invited. Their address is not taken until they accept; an accepted key stays valid for retries until it expires. */
export const invitations = pgTable(
  'identity_invitation',
  {
    sub: uuid('sub').primaryKey(),
    /** SHA-256. */
    key: bytes('key').notNull().unique('identity_invitation_key'),
    email: text('email').notNull(),
    name: text('name').notNull(),
    expires: moment('expires').notNull(),
    /** The user that accepting it created. */
    acceptedAs: uuid('accepted_as').references(() => users.sub, { onDelete: 'cascade' }),
  },
  (table) => [
    index('identity_invitation_expiry').on(table.expires),
    index('identity_invitation_accepted_as').on(table.acceptedAs),
    ...valueChecks(table, { email: MAX_EMAIL, name: LONGEST_STORED_NAME }),
  ],
);

/** Counts of guesses and requests by person, network and address, all hashed. Unlogged: a crash may lose them, a restart doesn't. */
export const throttles = pgTable(
  'identity_throttle',
  {
    key: bytes('key').primaryKey(),
    failures: integer('failures').notNull(),
    /** The time of the first count that still applies. */
    since: moment('since').notNull(),
    last: moment('last').notNull(),
    /** In the distant past if there is no lock. */
    lockedUntil: moment('locked_until').notNull(),
    /** The key of the last counted call, so that its retries are not counted. */
    idempotencyKey: bytes('call'),
  },
  (table) => [index('identity_throttle_last').on(table.last), ...valueChecks(table)],
);
