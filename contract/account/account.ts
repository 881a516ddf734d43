import * as v from 'valibot';
import { FREQUENCIES, OFFERED_PLANS, subscription } from '../billing/billing.ts';
import { accountIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { displayName, email, LONGEST_STORED_NAME, okOrNotFound, page, text, zone } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';
import { form, REVIEW_INVITATIONS } from '../form/form.ts';
import { reviewServices } from '../form/review-links.ts';
import { property, propertyName } from '../property/property.ts';

/** A business. `gs1sk` is its creation time as text (docs/rules.md#envelope). */
export const account = v.strictObject({
  id: accountIdSchema,
  /** `TEAM` in the demo only. */
  sk: v.picklist(['ACCOUNT', 'TEAM']),
  gs1sk: v.string(),
  data: v.strictObject({ created: v.number(), displayName: v.string(), subscription }),
});
export type Account = v.InferOutput<typeof account>;

/** An account as operators see it. `deletedAt` (UTC ms) is set during the seven days in which it can be restored. */
const listedAccount = v.strictObject({
  account,
  users: v.number(),
  properties: v.number(),
  deletedAt: v.optional(v.number()),
});
export type ListedAccount = v.InferOutput<typeof listedAccount>;

/** An operator's action, recorded as an event of the installation. `act` is the event's name, `detail` what the operator entered. */
const auditEntry = v.strictObject({
  id: v.string(),
  at: v.number(),
  by: v.string(),
  act: v.string(),
  subject: v.string(),
  detail: v.string(),
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

/** How long a deleted account can be restored (ms). */
export const ACCOUNT_RESTORE_WINDOW = 7 * 24 * 60 * 60_000;

const ALREADY_SET_UP = 'Or sign-up is already finished.';

export const accountOperations = {
  get: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Get the account of the signed-in person.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ account }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Rename the account. Subscription fields are set by the server and refused here.',
    input: v.strictObject({
      payload: v.strictObject({ id: accountIdSchema, data: v.strictObject({ displayName }) }),
    }),
    answer: okOrNotFound({ account }),
  }),
  choosePlan: operation({
    access: 'admin',
    summary: 'Choose a plan, the second step of signing up. Refused once the account is set up.',
    refusals: { conflict: ALREADY_SET_UP },
    input: v.strictObject({ plan: v.picklist(OFFERED_PLANS), paymentFrequency: v.picklist(FREQUENCIES) }),
    answer: okOrNotFound({ account }),
  }),
  startTrial: operation({
    access: 'admin',
    summary: 'Start the trial, the third step of signing up. Repeating it never extends the trial.',
    refusals: { conflict: `No plan was chosen. ${ALREADY_SET_UP}` },
    input: v.strictObject({}),
    answer: okOrNotFound({ account }),
  }),
  getStarted: operation({
    access: 'admin',
    summary: 'Create the first property with its form, the last step of signing up. Works once.',
    refusals: { conflict: `The trial was not started. ${ALREADY_SET_UP}` },
    input: v.strictObject({
      businessName: propertyName,
      /** Not called `service`, which names the service in every call. */
      services: v.optional(reviewServices, []),
      inviteToReview: v.optional(v.picklist(REVIEW_INVITATIONS), 'good'),
      /** The first property's time zone. An unknown one is dropped, so it can't block sign-up. */
      timeZone: v.fallback(v.optional(zone), undefined),
    }),
    answer: okOrNotFound({ account, property, form }),
  }),
  notify: operation({
    access: 'admin',
    summary: 'Send the welcome email to the caller’s own address.',
    refusals: { 'too-many': 'At most five an hour.' },
    input: v.strictObject({
      payload: account,
      ignore: v.strictObject({ emailAddress: email }),
      debug: v.optional(v.boolean(), false),
    }),
    answer: okOrNotFound({}),
  }),
  delete: operation({
    access: 'admin',
    whileEnded: true,
    isGuarded: true,
    summary: 'Delete the account and everything in it. Hidden immediately, erased after seven days.',
    input: v.strictObject({ accountId: accountIdSchema, displayName: v.pipe(text(LONGEST_STORED_NAME), v.normalize('NFC')) }),
    answer: okOrNotFound({}),
  }),
  deletion: operation({
    access: 'member',
    whileEnded: true,
    whileDeleted: true,
    summary: 'Get when the caller’s account was deleted, until when it can be restored (UTC ms), and whether the caller may restore it.',
    input: v.strictObject({}),
    answer: okOrNotFound({
      displayName: v.string(),
      deletedAt: v.optional(v.number()),
      until: v.optional(v.number()),
      mayRestore: v.boolean(),
    }),
  }),
  restore: operation({
    access: 'admin',
    whileEnded: true,
    whileDeleted: true,
    summary: 'Restore the caller’s account within seven days of its deletion. Does nothing if it isn’t deleted.',
    input: v.strictObject({}),
    answer: okOrNotFound({ account }),
  }),
  list: operation({
    access: 'operator',
    summary: 'List every account, newest first, page by page.',
    records: 'accounts.listed',
    input: v.strictObject({ ...page }),
    answer: okOrNotFound({ accounts: v.array(listedAccount), cursor: v.nullable(v.string()) }),
  }),
  invite: operation({
    access: 'operator',
    summary:
      'Create an account for a business and email its admin a sign-in link. Until the link is used, repeating it with the same address sends a new link to the same account. For an operator without a team who gives their own address, the account opens immediately.',
    records: 'account.invited',
    refusals: {
      conflict: 'The address already has an account.',
      'sign-up-closed': 'The installation doesn’t accept new businesses.',
    },
    input: v.strictObject({ companyName: displayName, displayName, emailAddress: email }),
    answer: okOrNotFound({ isOwn: v.boolean() }),
  }),
  masterDelete: operation({
    access: 'operator',
    isGuarded: true,
    summary: 'Delete an account. Hidden immediately, erased after seven days.',
    records: 'account.deleted',
    input: v.strictObject({ accountId: accountIdSchema, reason: text(500, 1) }),
    answer: okOrNotFound({}),
  }),
  masterRestore: operation({
    access: 'operator',
    summary: 'Restore a deleted account within seven days of its deletion.',
    records: 'account.restored',
    refusals: { conflict: 'None of its admins can sign in anymore.' },
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({}),
  }),
  auditLog: operation({
    access: 'operator',
    summary: 'List what operators did, newest first, page by page.',
    input: v.strictObject({ ...page }),
    answer: okOrNotFound({ entries: v.array(auditEntry), cursor: v.nullable(v.string()) }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly account: Account;
  }
  interface AuditEvents {
    'accounts.listed': unknown;
    'account.invited': unknown;
    'account.deleted': unknown;
    'account.restored': unknown;
  }
}

export const accountExamples: Examples<typeof accountOperations> = {
  get: ({ accountId }) => ({ accountId }),
  save: ({ accountId }) => ({ payload: { id: accountId, data: { displayName: 'Harbor Coffee' } } }),
  choosePlan: () => ({ plan: 'Pro', paymentFrequency: 'Annual' }),
  startTrial: () => ({}),
  getStarted: () => ({ businessName: 'Pier 4', services: [{ name: 'Google', url: 'https://g.page/r/pier-4/review' }] }),
  notify: ({ account, email }) => ({ payload: account, ignore: { emailAddress: email } }),
  delete: ({ accountId, account }) => ({ accountId, displayName: account.data.displayName }),
  deletion: () => ({}),
  restore: () => ({}),
  list: () => ({ search: 'harbor', limit: 25 }),
  invite: ({ unused }) => ({ companyName: 'Pier 4', displayName: 'Mia Chen', emailAddress: `mia.${unused}@example.com` }),
  masterDelete: ({ accountId }) => ({ accountId, reason: 'Requested by its owner' }),
  masterRestore: ({ accountId }) => ({ accountId }),
  auditLog: () => ({}),
};

export const accountEvents = {
  'account.created': event({ seenBy: 'member', summary: 'A business signed up.', data: noData }),
  'account.renamed': event({
    seenBy: 'member',
    summary: 'The account was renamed.',
    data: v.strictObject({ from: v.string(), to: v.string() }),
  }),
  'account.set-up': event({
    seenBy: 'member',
    summary: 'Signing up was finished with a first property.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'account.deleted': event({
    seenBy: 'admin',
    summary: 'The account was deleted.',
    data: v.strictObject({ reason: v.optional(v.string()) }),
  }),
  'account.restored': event({ seenBy: 'member', summary: 'The account was restored.', data: noData }),
  'account.welcome-requested': event({
    seenBy: 'admin',
    summary: 'An admin requested the welcome email.',
    data: v.strictObject({ debug: v.optional(v.boolean()) }),
  }),
};

const listQuery = v.strictObject({ search: v.string() });

/** The audit log: events about operators' actions beyond a single account. */
export const operatorEvents = {
  'account.invited': event({
    seenBy: 'operator',
    summary: 'An operator opened an account for a business.',
    data: v.strictObject({ companyName: v.string() }),
  }),
  'accounts.listed': event({ seenBy: 'operator', summary: 'An operator viewed the accounts.', data: listQuery }),
  'user.second-factor-seen': event({ seenBy: 'operator', summary: 'An operator viewed a person’s two-step sign-in.', data: noData }),
  'user.second-factor-reset-requested': event({
    seenBy: 'operator',
    summary: 'An operator asked for a reset of a sole admin’s two-step sign-in.',
    data: v.strictObject({ reason: v.string() }),
  }),
  'user.second-factor-reset-cancelled': event({ seenBy: 'operator', summary: 'An operator withdrew such a reset.', data: noData }),
  'user.second-factor-reset-refused': event({ seenBy: 'operator', summary: 'The person refused such a reset.', data: noData }),
  'subscriptions.listed': event({ seenBy: 'operator', summary: 'An operator viewed the subscriptions.', data: listQuery }),
  'billing-event.replayed': event({
    seenBy: 'operator',
    summary: 'An operator reapplied an event from the payment provider.',
    data: v.strictObject({ eventId: v.string() }),
  }),
  'subscription.extended': event({
    seenBy: 'operator',
    summary: 'An operator moved the end of an account’s free trial.',
    data: v.strictObject({ endsAt: v.number() }),
  }),
  'subscription.given-free': event({
    seenBy: 'operator',
    summary: 'An operator gave an account a free plan.',
    data: noData,
  }),
  'subscription.synced': event({
    seenBy: 'operator',
    summary: 'An operator synced an account with the payment provider.',
    data: noData,
  }),
  'users.listed': event({ seenBy: 'operator', summary: 'An operator viewed the people of all accounts.', data: listQuery }),
  'account.exported': event({ seenBy: 'operator', summary: 'An account was exported from the command line.', data: noData }),
  'user.password-reset-mailed': event({
    seenBy: 'operator',
    summary: 'A password reset link was emailed from the command line.',
    data: noData,
  }),
  'operator.invited': event({
    seenBy: 'operator',
    summary: 'A link was emailed to an operator from the command line.',
    data: noData,
  }),
  'mail.tested': event({ seenBy: 'operator', summary: 'A test email was sent from the command line.', data: noData }),
  'backup.taken': event({ seenBy: 'operator', summary: 'A backup of the installation was completed.', data: noData }),
};
