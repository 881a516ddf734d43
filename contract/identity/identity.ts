import * as v from 'valibot';
import { DAY } from '../core/time.ts';

/** The pool's region (docs/rules.md#region). Pool ids begin with it in both modes. */
export const REGION = 'us-west-2';
export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 128;

/** How long after a sign-in a session alone may change what guards the account, or do what cannot be undone (ms; docs/limits.md#fresh-sign-in). */
export const FRESH_SIGN_IN_WINDOW = 15 * 60_000;

/** How many backup codes somebody has, each for one sign-in without the app (docs/limits.md#backup-codes). */
export const BACKUP_CODES = 10;
/** How long a reset of somebody's second factor waits that an operator asked for (ms; docs/limits.md#factor-reset). */
export const FACTOR_RESET_DELAY = 24 * 60 * 60_000;
/** What the second step of signing in takes: six digits of an app, or a backup code, whose dash and case do not matter. */
export const SIGN_IN_CODE = /^(?:\d{6}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/;

/** How a business comes to be: anybody signs one up, an operator invites it, or not at all (docs/rules.md#registration). */
export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;

/** What `GET /api/config` tells a page before anyone signs in. */
const publicConfig = v.object({
  identity: v.object({
    userPoolId: v.string(),
    userPoolClientId: v.string(),
    userPoolEndpoint: v.optional(v.string()),
    /** The host of Cognito's hosted login. */
    hostedDomain: v.optional(v.string()),
  }),
  billing: v.object({
    kind: v.picklist(['none', 'sandbox', 'paddle']),
    /** What the provider's program in the browser starts with; all of it is public. Left out where nobody pays. */
    checkout: v.optional(
      v.object({
        token: v.optional(v.string()),
        seller: v.optional(v.number()),
        environment: v.picklist(['sandbox', 'production']),
        /** Where the program is, in place of the provider's own address. */
        script: v.optional(v.string()),
      }),
    ),
  }),
  registration: v.picklist(REGISTRATIONS),
  /** The key is public: browsers send it along. `host` is where they send to. */
  analytics: v.variant('enabled', [
    v.object({ enabled: v.literal(false) }),
    v.object({ enabled: v.literal(true), key: v.string(), host: v.string() }),
  ]),
  /** Where the mails are that a page promises: sent; in the outbox, which this browser can open; or kept where only the operator looks. */
  mails: v.picklist(['sent', 'outbox', 'kept']),
  website: v.string(),
  /** How people reach this installation, without a slash at the end: printed codes hold it. */
  publicUrl: v.string(),
});
export type PublicConfig = v.InferOutput<typeof publicConfig>;

/** Why a new password is refused: as the pool says it, and as a page does (docs/rules.md#wording). */
export const PASSWORD_WORDS: Readonly<Record<string, string>> = {
  'Password not long enough': `Use at least ${PASSWORD_MINIMUM} characters`,
  'Password too long': `Use at most ${PASSWORD_MAXIMUM} characters`,
  'Password too common': 'This password is too common. Choose another.',
  'Password too close to the user': 'Choose a password that is not your name or email.',
};

/** What the sign-in screen says (docs/rules.md#wording). The pool's own words are on the left where they differ. */
export const SIGN_IN_WORDS: Readonly<Record<string, string>> = {
  'Incorrect username or password.': 'Incorrect email or password.',
  'Invalid code received for user': 'That code isn’t right. Enter the current code from your app.',
  'Code mismatch': 'That code isn’t right. Enter the current code from your app.',
  'Your software token has already been used once.': 'That code was already used. Enter the next one from your app.',
  'Invalid backup code received for user': 'That backup code isn’t right or was already used.',
};

/** Why a session has ended without its person’s doing, as the next sign-in screen says it (docs/rules.md#signed-out). */
export const SESSION_ENDS = {
  'signed-out': 'You were signed out on another device.',
  'password-changed': 'Your password was changed. Sign in with the new one.',
  'second-factor-reset': 'Two-step sign-in was turned off for you, so you were signed out.',
  locked: 'This account was locked from a link in an email. Set a new password to sign in.',
  reused: 'For your safety, you were signed out because this session was used in two places.',
  expired: 'Your session has expired. Sign in to continue.',
  removed: 'You are no longer part of this team.',
} as const;
export type SessionEnd = keyof typeof SESSION_ENDS;
/** Those that are written down with the session. */
export const RECORDED_ENDS = ['signed-out', 'password-changed', 'second-factor-reset', 'locked'] as const satisfies readonly SessionEnd[];
export type RecordedEnd = (typeof RECORDED_ENDS)[number];

/** How long the link in a mail about a change of somebody's sign-in locks the account (ms; docs/limits.md#lock-link). */
export const LOCK_LINK_TTL = 7 * DAY;
