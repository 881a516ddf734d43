import * as v from 'valibot';
import { account } from '../account/account.ts';
import { subscriptionStatus } from '../billing/billing.ts';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { displayName, email, okOrNotFound, page, text } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from '../identity/identity.ts';
import { TEAM_LANGUAGES, type TeamLanguage } from '../language/team.ts';

export const LEVELS = ['admin', 'user'] as const;
export type Level = (typeof LEVELS)[number];

/** A person on a team. `gs1sk` is the account's id, `gs2pk` the email address (docs/rules.md#envelope). */
const user = v.strictObject({
  id: userIdSchema,
  sk: v.literal('USER'),
  gs1sk: accountIdSchema,
  gs2pk: v.string(),
  data: v.strictObject({
    created: v.number(),
    createdBy: v.string(),
    displayName: v.string(),
    emailAddress: v.string(),
    avatar: v.optional(v.string()),
    level: v.picklist(LEVELS),
    accountId: accountIdSchema,
    /** The language of the dashboard and of mails, once known. */
    language: v.optional(v.picklist(TEAM_LANGUAGES)),
    /** True if the person hasn't accepted their invitation yet. */
    invited: v.optional(v.literal(true)),
    /** In the demo only. */
    subscription: v.optional(v.strictObject({ status: subscriptionStatus })),
  }),
});
export type User = v.InferOutput<typeof user>;

/** A new password (docs/limits.md#password). Common ones are refused when it is set. */
const password = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MINIMUM, `Use at least ${PASSWORD_MINIMUM} characters`),
  v.maxLength(PASSWORD_MAXIMUM, `Use at most ${PASSWORD_MAXIMUM} characters`),
);

/** The most characters of an uploaded picture's data URL; the picture is resized before it is stored. @limit picture */
export const LARGEST_PICTURE = 200_000;
/** The most pictures that a person may upload in an hour. @limit pictures */
export const PICTURES_AN_HOUR = 20;

/** An uploaded picture as a data URL (docs/limits.md#picture). The server re-encodes it. */
export const picture = v.pipe(
  v.string(),
  v.maxLength(LARGEST_PICTURE, 'Please choose a smaller picture'),
  v.regex(/^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/, 'Please choose a PNG, JPEG or WebP picture'),
);

/** Returns a schema of `{ success: true, data }` or `{ success: false, data: { code, message } }` (docs/rules.md#outcomes). */
// @__NO_SIDE_EFFECTS__
function outcome<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.variant('success', [
    v.strictObject({ success: v.literal(true), data: v.strictObject(entries) }),
    v.strictObject({ success: v.literal(false), data: v.strictObject({ code: v.string(), message: v.string() }) }),
  ]);
}

/** A session. `network` is the subnet of its address, never the address itself; times are UTC ms. */
const session = v.strictObject({
  id: v.string(),
  device: v.optional(v.string()),
  network: v.string(),
  signedIn: v.number(),
  lastUsed: v.number(),
  isCurrent: v.boolean(),
});
export type Session = v.InferOutput<typeof session>;

/** An invitation, as returned for its key. An operator may be invited without a team; the person who invited may have left. */
const invitation = v.strictObject({
  displayName: v.string(),
  emailAddress: v.string(),
  invitedBy: v.optional(v.string()),
  companyName: v.optional(v.string()),
  /** True if an operator created the account and no one has set it up yet. */
  isNewAccount: v.optional(v.literal(true)),
});
export type Invitation = v.InferOutput<typeof invitation>;

const invitationKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22,64}$/, 'This link is incomplete'));

/** The status of a person's two-step sign-in. `backupCodes` is how many are left; null if the user pool has no such codes. */
const secondFactor = v.strictObject({ isOn: v.boolean(), backupCodes: v.nullable(v.number()) });
export type SecondFactor = v.InferOutput<typeof secondFactor>;

/** A pending reset: who requested it, when, and when it is due (UTC ms). */
const factorReset = v.strictObject({ askedBy: v.string(), asked: v.number(), due: v.number() });

export const userOperations = {
  get: operation({
    access: 'member',
    isOwn: true,
    whileEnded: true,
    summary: 'Get one person of the account. An operator without a team gets the status `no team`.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: v.variant('status', [...okOrNotFound({ user }).options, v.strictObject({ status: v.literal('no team') })]),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the people of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ users: v.array(user) }),
  }),
  create: operation({
    access: 'visitor',
    summary: 'Sign up a business: create the account and its admin together, and email a code to confirm the address.',
    refusals: { 'sign-up-closed': 'The installation doesn’t accept new businesses, or only those an operator invites.' },
    input: v.strictObject({
      password,
      payload: v.strictObject({
        data: v.strictObject({
          displayName,
          emailAddress: email,
          companyName: displayName,
          language: v.optional(v.picklist(TEAM_LANGUAGES)),
        }),
      }),
    }),
    answer: outcome({ user, account }),
  }),
  confirmed: operation({
    access: 'visitor',
    summary: 'Get whether a sign-up’s address is confirmed, by the id the sign-up returned. False for an unknown id.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: okOrNotFound({ confirmed: v.boolean() }),
  }),
  generate: operation({
    access: 'admin',
    summary: 'Invite someone to the team by email.',
    input: v.strictObject({
      payload: v.strictObject({ data: v.strictObject({ displayName, emailAddress: email, level: v.picklist(LEVELS) }) }),
    }),
    refusals: { 'too-many': 'At most 50 invitations a day per account.' },
    answer: outcome({ user }),
  }),
  resend: operation({
    access: 'admin',
    summary: 'Resend the invitation with a new link.',
    refusals: { 'too-many': 'At most 50 invitations a day per account.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: okOrNotFound({ user }),
  }),
  invitation: operation({
    access: 'visitor',
    summary: 'Get the invitee, the inviter and the team of an invitation by its key. Not found if the key has expired or was used.',
    input: v.strictObject({ key: invitationKey }),
    answer: okOrNotFound({ invitation }),
  }),
  accept: operation({
    access: 'visitor',
    summary:
      'Accept an invitation by its key and choose a password. Works once; repeating it with the same password returns the same answer until the key expires.',
    input: v.strictObject({ key: invitationKey, password }),
    answer: outcome({ emailAddress: v.string() }),
  }),
  save: operation({
    access: 'member',
    summary: 'Change your own name, picture or language, or, as an admin, another person’s level.',
    refusals: {
      'not-allowed': 'Only admins can change another person’s name or level, and no one can change another person’s picture or language.',
      conflict: 'The last admin can’t become a member.',
      'too-many': 'At most 20 pictures an hour per person, one at a time.',
      overloaded: 'Too many pictures are waiting to be processed.',
    },
    input: v.strictObject({
      payload: v.strictObject({
        id: userIdSchema,
        data: v.strictObject({
          displayName: v.optional(displayName),
          level: v.optional(v.picklist(LEVELS)),
          avatar: v.optional(v.nullable(picture)),
          language: v.optional(v.picklist(TEAM_LANGUAGES)),
        }),
      }),
    }),
    answer: okOrNotFound({ user }),
  }),
  delete: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Remove a person from the team. Their sessions end immediately.',
    refusals: { conflict: 'The last admin can’t be removed.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: okOrNotFound({}),
  }),
  sessions: operation({
    access: 'member',
    isOwn: true,
    summary: 'List the caller’s sessions, last used first.',
    input: v.strictObject({}),
    answer: okOrNotFound({ sessions: v.array(session) }),
  }),
  endSession: operation({
    access: 'member',
    isOwn: true,
    summary: 'End one of the caller’s sessions.',
    input: v.strictObject({ sessionId: v.pipe(v.string(), v.uuid('Send the id of a session')) }),
    answer: okOrNotFound({}),
  }),
  secondFactor: operation({
    access: 'member',
    isOwn: true,
    summary: 'Get the status of your own two-step sign-in, or, as an admin, of another person’s.',
    refusals: { 'not-allowed': 'Only admins can see another person’s.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: okOrNotFound({ secondFactor }),
  }),
  makeBackupCodes: operation({
    access: 'member',
    isOwn: true,
    isGuarded: true,
    summary:
      'Create ten new backup codes for the caller, replacing the existing ones. Not found if two-step sign-in is off or the pool has no backup codes.',
    input: v.strictObject({}),
    answer: okOrNotFound({ codes: v.array(v.string()) }),
  }),
  resetSecondFactor: operation({
    access: 'admin',
    whileEnded: true,
    isGuarded: true,
    summary: 'Turn off a teammate’s two-step sign-in, email them, and sign them out everywhere. Not found if it is off.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: okOrNotFound({}),
  }),
  refuseSecondFactorReset: operation({
    access: 'visitor',
    summary: 'Refuse a reset that an operator requested, by the key of the emailed link.',
    input: v.strictObject({ key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/, 'This link is incomplete')) }),
    answer: okOrNotFound({}),
  }),
  lock: operation({
    access: 'visitor',
    summary:
      'Lock an account by the key of an emailed link: everyone is signed out, and a new password must be set by email. Not found if the link was used or has expired.',
    input: v.strictObject({ key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/, 'This link is incomplete')) }),
    answer: okOrNotFound({}),
  }),
  masterSecondFactor: operation({
    access: 'operator',
    summary: 'Get the status of a person’s two-step sign-in and of any pending reset.',
    records: 'user.second-factor-seen',
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema }),
    answer: okOrNotFound({ secondFactor, isSoleAdmin: v.boolean(), reset: v.nullable(factorReset) }),
  }),
  requestSecondFactorReset: operation({
    access: 'operator',
    isGuarded: true,
    summary:
      'Request a reset of a sole admin’s two-step sign-in. It happens after a day unless the person refuses it with the emailed link.',
    records: 'user.second-factor-reset-requested',
    refusals: { conflict: 'Another admin of the team can reset it, or two-step sign-in is off.' },
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema, reason: text(500, 1) }),
    answer: okOrNotFound({ reset: factorReset }),
  }),
  cancelSecondFactorReset: operation({
    access: 'operator',
    summary: 'Withdraw a pending reset.',
    records: 'user.second-factor-reset-cancelled',
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema }),
    answer: okOrNotFound({}),
  }),
  masterList: operation({
    access: 'operator',
    summary: 'List the people of every account, page by page.',
    records: 'users.listed',
    input: v.strictObject({ ...page }),
    answer: okOrNotFound({ users: v.array(v.strictObject({ user, company: v.string() })), cursor: v.nullable(v.string()) }),
  }),
};

declare module '../core/operation.ts' {
  interface AuditEvents {
    'users.listed': unknown;
    'user.second-factor-seen': unknown;
    'user.second-factor-reset-requested': unknown;
    'user.second-factor-reset-cancelled': unknown;
  }
}

export const userExamples: Examples<typeof userOperations> = {
  get: ({ userId }) => ({ userId }),
  list: ({ accountId }) => ({ accountId }),
  create: ({ unused }) => ({
    password: `a harbor ${unused}`,
    payload: { data: { displayName: 'Dana Reyes', emailAddress: `dana.${unused}@example.com`, companyName: 'Harbor Coffee' } },
  }),
  confirmed: ({ userId }) => ({ userId }),
  generate: ({ unused }) => ({
    payload: { data: { displayName: 'Sam Okafor', emailAddress: `sam.${unused}@example.com`, level: 'user' } },
  }),
  resend: ({ userId }) => ({ userId }),
  invitation: ({ invitationKey }) => ({ key: invitationKey }),
  accept: ({ invitationKey, unused }) => ({ key: invitationKey, password: `a harbor ${unused}` }),
  save: ({ userId }) => ({ payload: { id: userId, data: { displayName: 'Dana Reyes' } } }),
  delete: ({ userId }) => ({ userId }),
  sessions: () => ({}),
  endSession: ({ sessionId }) => ({ sessionId }),
  secondFactor: ({ userId }) => ({ userId }),
  makeBackupCodes: () => ({}),
  resetSecondFactor: ({ userId }) => ({ userId }),
  refuseSecondFactorReset: ({ resetKey }) => ({ key: resetKey }),
  lock: ({ lockKey }) => ({ key: lockKey }),
  masterSecondFactor: ({ accountId, userId }) => ({ accountId, userId }),
  requestSecondFactorReset: ({ accountId, userId }) => ({ accountId, userId, reason: 'Lost the phone; confirmed by a call to the shop' }),
  cancelSecondFactorReset: ({ accountId, userId }) => ({ accountId, userId }),
  masterList: () => ({ search: 'dana', limit: 25 }),
};

/* ── Rules ── */

interface UserChanges {
  readonly level?: Level | undefined;
  readonly avatar?: string | null | undefined;
  readonly language?: TeamLanguage | undefined;
}

/** Throws `not-allowed` if a person may not make these changes to a person on their team. */
export function checkMayChange(
  by: { readonly userId: string; readonly level: Level },
  before: User,
  { level, avatar, language }: UserChanges,
): void {
  const isOwn = before.id === by.userId;
  if (!isOwn && by.level !== 'admin') throw refusal('not-allowed', 'Only admins can change others.');
  if (!isOwn && avatar !== undefined) throw refusal('not-allowed', 'You can change only your own picture.');
  if (!isOwn && language !== undefined) throw refusal('not-allowed', 'You can change only your own language.');
  const isOtherLevel = level !== undefined && level !== before.data.level;
  if (isOtherLevel && by.level !== 'admin') throw refusal('not-allowed', 'Only admins can change a level.');
}

/** Returns the refusal to demote or remove the only admin of an account. */
export function lastAdmin(change: 'become a member' | 'be removed'): Refusal {
  const isRemoval = change === 'be removed';
  const message = isRemoval ? 'The last admin of an account can’t be removed.' : 'The last admin of an account can’t become a member.';
  const path = isRemoval ? 'userId' : 'payload.data.level';
  return refusal('conflict', { detail: message, errors: badField(path, message).errors });
}

export const userEvents = {
  'user.invited': event({
    seenBy: 'member',
    summary: 'A person was invited to the team.',
    data: v.strictObject({ level: v.picklist(LEVELS) }),
  }),
  'user.invitation-resent': event({ seenBy: 'member', summary: 'An invitation was resent.', data: noData }),
  'user.joined': event({
    seenBy: 'member',
    summary: 'An invited person joined. Their id in the user pool may have changed.',
    data: v.strictObject({ invitedAs: userIdSchema }),
  }),
  'user.profile-changed': event({
    seenBy: 'member',
    summary: 'A person changed their name, picture or language.',
    data: v.strictObject({ fields: v.array(v.picklist(['displayName', 'avatar', 'language'])) }),
  }),
  'user.level-changed': event({
    seenBy: 'member',
    summary: 'A person’s level changed.',
    data: v.strictObject({ from: v.picklist(LEVELS), to: v.picklist(LEVELS) }),
  }),
  'user.email-changed': event({ seenBy: 'admin', summary: 'A person’s email changed.', data: noData }),
  'user.second-factor-reset': event({ seenBy: 'admin', summary: 'A person’s two-step sign-in was turned off for them.', data: noData }),
  'user.removed': event({ seenBy: 'member', summary: 'A person left or was removed from the team.', data: noData }),
};
