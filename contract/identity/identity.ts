import * as v from 'valibot';
import { DAY } from '../core/time.ts';

/** The pool's region (docs/rules.md#region). Pool ids begin with it in both modes. */
export const REGION = 'us-west-2';
/** Characters of a new password. Common ones are refused. @limit password */
export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 128;

/** How long after a sign-in a session may change security settings or do what can't be undone (ms). @limit fresh-sign-in */
export const FRESH_SIGN_IN_WINDOW = 15 * 60_000;

/** How many backup codes a person gets, each for one sign-in without the app. @limit backup-codes */
export const BACKUP_CODES = 10;
/** How long a reset of a second factor waits after an operator requested it (ms). @limit factor-reset */
export const FACTOR_RESET_DELAY = 24 * 60 * 60_000;
/** A code for the second step of sign-in: six digits from an app, or a backup code in any case, with or without its dash. */
export const SIGN_IN_CODE = /^(?:\d{6}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/;

/** How businesses join: anyone can sign up, an operator invites them, or not at all (docs/rules.md#registration). */
export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;

/** The answer of `GET /api/config`, which pages read before sign-in. */
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
    /** The settings of the provider's script in the browser, all public. Left out without billing. */
    checkout: v.optional(
      v.object({
        token: v.optional(v.string()),
        seller: v.optional(v.number()),
        environment: v.picklist(['sandbox', 'production']),
        /** The script's URL, if it isn't the provider's own. */
        script: v.optional(v.string()),
      }),
    ),
  }),
  registration: v.picklist(REGISTRATIONS),
  /** The key is public: browsers send it to `host`. */
  analytics: v.variant('enabled', [
    v.object({ enabled: v.literal(false) }),
    v.object({ enabled: v.literal(true), key: v.string(), host: v.string() }),
  ]),
  /** Emails are sent, stored in an outbox that this browser can open, or stored where only the operator can read them. */
  mails: v.picklist(['sent', 'outbox', 'kept']),
  website: v.string(),
  /** The installation's URL without a slash at the end; printed QR codes contain it. */
  publicUrl: v.string(),
});
export type PublicConfig = v.InferOutput<typeof publicConfig>;

/** The pool's reasons for refusing a password, with the pages' wording (docs/rules.md#wording). */
export const PASSWORD_WORDS: Readonly<Record<string, string>> = {
  'Password not long enough': `Use at least ${PASSWORD_MINIMUM} characters`,
  'Password too long': `Use at most ${PASSWORD_MAXIMUM} characters`,
  'Password too common': 'This password is too common. Choose another.',
  'Password too close to the user': 'Choose a password that isn’t your name or email.',
};

/** The pool's messages that the sign-in screen words differently (docs/rules.md#wording). */
export const SIGN_IN_WORDS: Readonly<Record<string, string>> = {
  'Incorrect username or password.': 'Incorrect email or password.',
  'Invalid code received for user': 'That code isn’t right. Enter the current code from your app.',
  'Code mismatch': 'That code isn’t right. Enter the current code from your app.',
  'Your software token has already been used once.': 'That code was already used. Enter the next one from your app.',
  'Invalid backup code received for user': 'That backup code isn’t right or was already used.',
};

/** Why a session ended without the person's doing, in the words of the sign-in screen (docs/rules.md#signed-out). */
export const SESSION_ENDS = {
  'signed-out': 'You were signed out on another device.',
  'password-changed': 'Your password was changed. Sign in with the new one.',
  'second-factor-reset': 'Two-step sign-in was turned off for you, so you were signed out.',
  locked: 'This account was locked from a link in an email. Set a new password to sign in.',
  reused: 'For your safety, you were signed out because this session was used in two places.',
  expired: 'Your session has expired. Sign in to continue.',
  removed: 'You’re no longer on this team.',
} as const;
type SessionEnd = keyof typeof SESSION_ENDS;
/** The reasons that are stored with the session. */
export const RECORDED_ENDS = ['signed-out', 'password-changed', 'second-factor-reset', 'locked'] as const satisfies readonly SessionEnd[];
export type RecordedEnd = (typeof RECORDED_ENDS)[number];

/** How long the link that locks an account works, from an email about a changed sign-in (ms). @limit lock-link */
export const LOCK_LINK_TTL = 7 * DAY;
