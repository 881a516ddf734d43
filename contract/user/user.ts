import * as v from 'valibot';
import { account } from '../account/account.ts';
import { subscriptionStatus } from '../billing/billing.ts';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { displayName, email, found, page, text } from '../core/schema.ts';
import { event, nothing } from '../event/event.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from '../identity/identity.ts';

export const LEVELS = ['admin', 'user'] as const;
export type Level = (typeof LEVELS)[number];

/** A person of a team. `gs1sk` is the account's id, `gs2pk` the address (docs/rules.md#envelope). */
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
    /** Invited, and has not accepted yet. */
    invited: v.optional(v.literal(true)),
    /** In the demo only. */
    subscription: v.optional(v.strictObject({ status: subscriptionStatus })),
  }),
});
export type User = v.InferOutput<typeof user>;

/** A new password (docs/limits.md#password). The commonest are refused where it is set. */
const password = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MINIMUM, `Use at least ${PASSWORD_MINIMUM} characters`),
  v.maxLength(PASSWORD_MAXIMUM, `Use at most ${PASSWORD_MAXIMUM} characters`),
);

/** Characters of an uploaded picture's data address; it is made small before it is kept. */
export const LARGEST_PICTURE = 200_000;
/** How many pictures a person may send within an hour (docs/limits.md#pictures). */
export const PICTURES_AN_HOUR = 20;

/** A picture as it is sent: a data address (docs/limits.md#picture). The server draws it anew. */
export const picture = v.pipe(
  v.string(),
  v.maxLength(LARGEST_PICTURE, 'Please choose a smaller picture'),
  v.regex(/^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/, 'Please choose a PNG, JPEG or WebP picture'),
);

/** `{ success: true, data }`, or `{ success: false, data: { code, message } }` (docs/rules.md#outcomes). */
// @__NO_SIDE_EFFECTS__
function outcome<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.variant('success', [
    v.strictObject({ success: v.literal(true), data: v.strictObject(entries) }),
    v.strictObject({ success: v.literal(false), data: v.strictObject({ code: v.string(), message: v.string() }) }),
  ]);
}

/** A sign-in that lasts. `network` is the subnet of its address, never the address itself; times are UTC ms. */
const session = v.strictObject({
  id: v.string(),
  device: v.optional(v.string()),
  network: v.string(),
  signedIn: v.number(),
  lastUsed: v.number(),
  isCurrent: v.boolean(),
});
export type Session = v.InferOutput<typeof session>;

/** An invitation as its key shows it. Whoever runs the installation may be invited by nobody of a team, and to none; who invited may have left. */
const invitation = v.strictObject({
  displayName: v.string(),
  emailAddress: v.string(),
  invitedBy: v.optional(v.string()),
  companyName: v.optional(v.string()),
  /** An operator opened the account, and nobody has set it up yet. */
  isNewAccount: v.optional(v.literal(true)),
});
export type Invitation = v.InferOutput<typeof invitation>;

const invitationKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22,64}$/, 'This link is incomplete'));

/** How the second step of somebody's sign-in stands. `backupCodes`: how many are left; null where the user pool knows no such codes. */
const secondFactor = v.strictObject({ isOn: v.boolean(), backupCodes: v.nullable(v.number()) });
export type SecondFactor = v.InferOutput<typeof secondFactor>;

/** A reset that waits: who asked, and two moments in UTC ms. */
const factorReset = v.strictObject({ askedBy: v.string(), asked: v.number(), due: v.number() });

export const userOperations = {
  get: operation({
    access: 'member',
    isOwn: true,
    whileEnded: true,
    summary: 'Returns one person of the account. An operator without a team gets the status `no team`.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: v.variant('status', [...found({ user }).options, v.strictObject({ status: v.literal('no team') })]),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Lists the people of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ users: v.array(user) }),
  }),
  create: operation({
    access: 'visitor',
    summary: 'Signs a business up: makes the account and its admin together, or nothing. A code is mailed to confirm the address.',
    refusals: { 'sign-up-closed': 'The installation takes no new businesses, or those only that an operator invites.' },
    input: v.strictObject({
      password,
      payload: v.strictObject({ data: v.strictObject({ displayName, emailAddress: email, companyName: displayName }) }),
    }),
    answer: outcome({ user, account }),
  }),
  confirmed: operation({
    access: 'visitor',
    summary: 'Says whether the address of a sign-up is confirmed, by the id that the sign-up was answered with. Of nobody it is not.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({ confirmed: v.boolean() }),
  }),
  generate: operation({
    access: 'admin',
    summary: 'Invites somebody to the team by a mail with a link.',
    input: v.strictObject({
      payload: v.strictObject({ data: v.strictObject({ displayName, emailAddress: email, level: v.picklist(LEVELS) }) }),
    }),
    refusals: { 'too-many': 'An account invites fifty times a day at most.' },
    answer: outcome({ user }),
  }),
  resend: operation({
    access: 'admin',
    summary: 'Mails the invitation again, with a new link.',
    refusals: { 'too-many': 'An account invites fifty times a day at most.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({ user }),
  }),
  invitation: operation({
    access: 'visitor',
    summary: 'Says who is invited by a key, by whom and to which team. Not found where the key is over, or was used.',
    input: v.strictObject({ key: invitationKey }),
    answer: found({ invitation }),
  }),
  accept: operation({
    access: 'visitor',
    summary:
      'Accepts an invitation by its key, with a password of one’s own. Works once; until the key would have expired, the same password is answered alike, for the first answer may be lost.',
    input: v.strictObject({ key: invitationKey, password }),
    answer: outcome({ emailAddress: v.string() }),
  }),
  save: operation({
    access: 'member',
    summary: 'Changes one’s own name or picture; admins also the level of others.',
    refusals: {
      'not-allowed': 'Somebody else’s name or level is an admin’s to change, and a picture its person’s own.',
      conflict: 'The last admin cannot become a member.',
      'too-many': 'A person sends one picture at a time, and twenty within an hour.',
      overloaded: 'Too many pictures wait to be drawn.',
    },
    input: v.strictObject({
      payload: v.strictObject({
        id: userIdSchema,
        data: v.strictObject({
          displayName: v.optional(displayName),
          level: v.optional(v.picklist(LEVELS)),
          avatar: v.optional(v.nullable(picture)),
        }),
      }),
    }),
    answer: found({ user }),
  }),
  delete: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Removes a person from the team. Their sessions end at once.',
    refusals: { conflict: 'The last admin cannot be removed.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({}),
  }),
  sessions: operation({
    access: 'member',
    isOwn: true,
    summary: 'Lists where the caller is signed in, last used first.',
    input: v.strictObject({}),
    answer: found({ sessions: v.array(session) }),
  }),
  endSession: operation({
    access: 'member',
    isOwn: true,
    summary: 'Signs the caller out of one place.',
    input: v.strictObject({ sessionId: v.pipe(v.string(), v.uuid('Please give the id of a session')) }),
    answer: found({}),
  }),
  secondFactor: operation({
    access: 'member',
    isOwn: true,
    summary: 'Says how one’s own two-step sign-in stands; to admins also that of others.',
    refusals: { 'not-allowed': 'Somebody else’s is an admin’s to see.' },
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({ secondFactor }),
  }),
  makeBackupCodes: operation({
    access: 'member',
    isOwn: true,
    isGuarded: true,
    summary:
      'Gives the caller ten new backup codes, which end those before. Not found where two-step sign-in is off, or the pool has no such codes.',
    input: v.strictObject({}),
    answer: found({ codes: v.array(v.string()) }),
  }),
  resetSecondFactor: operation({
    access: 'admin',
    whileEnded: true,
    isGuarded: true,
    summary: 'Turns a colleague’s two-step sign-in off, with a mail to them, and signs them out everywhere. Not found where it is off.',
    input: v.strictObject({ userId: userIdSchema }),
    answer: found({}),
  }),
  refuseSecondFactorReset: operation({
    access: 'visitor',
    summary: 'Refuses the reset that an operator asked for, by the key of the mailed link.',
    input: v.strictObject({ key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/, 'This link is incomplete')) }),
    answer: found({}),
  }),
  lock: operation({
    access: 'visitor',
    summary:
      'Locks an account by the key of the link in a mail about its sign-in: everybody is signed out, and the password has to be set anew by mail. Not found where the link was used or is over.',
    input: v.strictObject({ key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/, 'This link is incomplete')) }),
    answer: found({}),
  }),
  masterSecondFactor: operation({
    access: 'operator',
    summary: 'Says how somebody’s two-step sign-in stands, and which reset of it waits.',
    records: 'user.second-factor-seen',
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema }),
    answer: found({ secondFactor, isSoleAdmin: v.boolean(), reset: v.nullable(factorReset) }),
  }),
  requestSecondFactorReset: operation({
    access: 'operator',
    isGuarded: true,
    summary:
      'Asks for a reset of a sole admin’s two-step sign-in. It is done after a day, unless its person refuses it by the link that is mailed at once.',
    records: 'user.second-factor-reset-requested',
    refusals: { conflict: 'Another admin of the team can do it, or two-step sign-in is off.' },
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema, reason: text(500, 1) }),
    answer: found({ reset: factorReset }),
  }),
  cancelSecondFactorReset: operation({
    access: 'operator',
    summary: 'Withdraws a reset that waits.',
    records: 'user.second-factor-reset-cancelled',
    input: v.strictObject({ accountId: accountIdSchema, userId: userIdSchema }),
    answer: found({}),
  }),
  masterList: operation({
    access: 'operator',
    summary: 'Lists the people of every account, page by page.',
    records: 'users.listed',
    input: v.strictObject({ ...page }),
    answer: found({ users: v.array(v.strictObject({ user, company: v.string() })), cursor: v.nullable(v.string()) }),
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
  requestSecondFactorReset: ({ accountId, userId }) => ({ accountId, userId, reason: 'Lost the phone; known by a call to the shop' }),
  cancelSecondFactorReset: ({ accountId, userId }) => ({ accountId, userId }),
  masterList: () => ({ search: 'dana', limit: 25 }),
};

/* ── Rules ── */

interface UserChanges {
  readonly level?: Level | undefined;
  readonly avatar?: string | null | undefined;
}

/** Refuses `not-allowed` where somebody may not change a person of their team so. */
export function checkMayChange(by: { readonly userId: string; readonly level: Level }, before: User, { level, avatar }: UserChanges): void {
  const isOwn = before.id === by.userId;
  if (!isOwn && by.level !== 'admin') throw refusal('not-allowed', 'Only admins can change others.');
  if (!isOwn && avatar !== undefined) throw refusal('not-allowed', 'A picture is its person’s own.');
  const isOtherLevel = level !== undefined && level !== before.data.level;
  if (isOtherLevel && by.level !== 'admin') throw refusal('not-allowed', 'Only admins can change a level.');
}

/** The refusal to demote or remove the only admin of an account. */
export function lastAdmin(what: 'become a member' | 'be removed'): Refusal {
  const message = `The last admin of an account cannot ${what}.`;
  const path = what === 'be removed' ? 'userId' : 'payload.data.level';
  return refusal('conflict', { detail: message, errors: badField(path, message).errors });
}

/** Two letters for a person without a picture: of the first and the last word of the name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

export const userEvents = {
  'user.invited': event({
    seenBy: 'member',
    summary: 'Somebody was asked to join the team.',
    data: v.strictObject({ level: v.picklist(LEVELS) }),
  }),
  'user.invitation-resent': event({ seenBy: 'member', summary: 'The invitation was mailed again.', data: nothing }),
  'user.joined': event({
    seenBy: 'member',
    summary: 'Somebody who was invited came. A pool may know them by another id from then on.',
    data: v.strictObject({ invitedAs: userIdSchema }),
  }),
  'user.profile-changed': event({
    seenBy: 'member',
    summary: 'Somebody changed their name or picture.',
    data: v.strictObject({ fields: v.array(v.picklist(['displayName', 'avatar'])) }),
  }),
  'user.level-changed': event({
    seenBy: 'member',
    summary: 'Somebody may do more, or less.',
    data: v.strictObject({ from: v.picklist(LEVELS), to: v.picklist(LEVELS) }),
  }),
  'user.email-changed': event({ seenBy: 'admin', summary: 'Somebody signs in with another email.', data: nothing }),
  'user.second-factor-reset': event({ seenBy: 'admin', summary: 'Somebody’s two-step sign-in was turned off for them.', data: nothing }),
  'user.removed': event({ seenBy: 'member', summary: 'Somebody is not of the team any more.', data: nothing }),
};
