import * as v from 'valibot';
import { FREQUENCIES, OFFERED_PLANS, subscription } from '../billing/billing.ts';
import { accountIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { displayName, email, found, LONGEST_STORED_NAME, page, reviewServices, text, zone } from '../core/schema.ts';
import { event, nothing } from '../event/event.ts';
import { form, REVIEW_INVITATIONS } from '../form/form.ts';
import { property, propertyName } from '../property/property.ts';

/** A business. `gs1sk` is the moment of its making as text (docs/rules.md#envelope). */
export const account = v.strictObject({
  id: accountIdSchema,
  /** `TEAM` in the demo only. */
  sk: v.picklist(['ACCOUNT', 'TEAM']),
  gs1sk: v.string(),
  data: v.strictObject({ created: v.number(), displayName: v.string(), subscription }),
});
export type Account = v.InferOutput<typeof account>;

/** An account as the operator sees it. `deletedAt` (UTC ms) stands for seven days in which nothing is lost yet. */
const listedAccount = v.strictObject({
  account,
  users: v.number(),
  properties: v.number(),
  deletedAt: v.optional(v.number()),
});
export type ListedAccount = v.InferOutput<typeof listedAccount>;

/** Something that an operator did: an event of the installation. `act` is its name, `detail` what the operator said. */
const auditEntry = v.strictObject({
  id: v.string(),
  at: v.number(),
  by: v.string(),
  act: v.string(),
  subject: v.string(),
  detail: v.string(),
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

/** How long a deleted account can be brought back (ms). */
export const DELETED_FOR = 7 * 24 * 60 * 60_000;

const ALREADY_SET_UP = 'Or signing up is finished already.';

export const accountOperations = {
  get: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Reads the account of the signed-in person.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({ account }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Renames the account. Subscription fields are the server’s and refused here.',
    input: v.strictObject({
      payload: v.strictObject({ id: accountIdSchema, data: v.strictObject({ displayName }) }),
    }),
    answer: found({ account }),
  }),
  choosePlan: operation({
    access: 'admin',
    summary: 'Chooses a plan: the second step of signing up. Refused once the account is set up.',
    refusals: { conflict: ALREADY_SET_UP },
    input: v.strictObject({ plan: v.picklist(OFFERED_PLANS), paymentFrequency: v.picklist(FREQUENCIES) }),
    answer: found({ account }),
  }),
  startTrial: operation({
    access: 'admin',
    summary: 'Starts the trial: the third step of signing up. Doing it again never makes the trial longer.',
    refusals: { conflict: `No plan was chosen. ${ALREADY_SET_UP}` },
    input: v.strictObject({}),
    answer: found({ account }),
  }),
  getStarted: operation({
    access: 'admin',
    summary: 'Makes the first property with its form: the last step of signing up. Works once.',
    refusals: { conflict: `The trial was not started. ${ALREADY_SET_UP}` },
    input: v.strictObject({
      businessName: propertyName,
      /** Not `service`, which names the room in every call. */
      services: v.optional(reviewServices, []),
      inviteToReview: v.optional(v.picklist(REVIEW_INVITATIONS), 'good'),
      /** The clock of the first property. One that is not known here keeps nobody from signing up. */
      timeZone: v.fallback(v.optional(zone), undefined),
    }),
    answer: found({ account, property, form }),
  }),
  notify: operation({
    access: 'admin',
    summary: 'Sends the welcome mail, to the caller’s own address only.',
    refusals: { 'too-many': 'Five within an hour.' },
    input: v.strictObject({
      payload: account,
      ignore: v.strictObject({ emailAddress: email }),
      debug: v.optional(v.boolean(), false),
    }),
    answer: found({}),
  }),
  delete: operation({
    access: 'admin',
    whileEnded: true,
    isGuarded: true,
    summary: 'Deletes the account with everything in it: at once out of reach, after seven days for good.',
    input: v.strictObject({ accountId: accountIdSchema, displayName: v.pipe(text(LONGEST_STORED_NAME), v.normalize('NFC')) }),
    answer: found({}),
  }),
  deletion: operation({
    access: 'member',
    whileEnded: true,
    whileDeleted: true,
    summary:
      'Says of a deleted account when it was deleted, until when it can come back, and whether the caller can bring it back. UTC ms.',
    input: v.strictObject({}),
    answer: found({
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
    summary: 'Brings the caller’s account back, within seven days of its deletion. One that stands stays as it is.',
    input: v.strictObject({}),
    answer: found({ account }),
  }),
  list: operation({
    access: 'operator',
    summary: 'Lists every account, newest first, page by page.',
    records: 'accounts.listed',
    input: v.strictObject({ ...page }),
    answer: found({ accounts: v.array(listedAccount), cursor: v.nullable(v.string()) }),
  }),
  invite: operation({
    access: 'operator',
    summary:
      'Opens an account for a business, and mails its admin a link to come in. Before that was followed, the same address gets a new link to the same account. An operator of no business who gives their own address has it open at once.',
    records: 'account.invited',
    refusals: {
      conflict: 'Somebody signs in with the address.',
      'sign-up-closed': 'The installation takes no new businesses.',
    },
    input: v.strictObject({ companyName: displayName, displayName, emailAddress: email }),
    answer: found({ isOwn: v.boolean() }),
  }),
  masterDelete: operation({
    access: 'operator',
    isGuarded: true,
    summary: 'Deletes an account: at once out of reach, after seven days for good.',
    records: 'account.deleted',
    input: v.strictObject({ accountId: accountIdSchema, reason: text(500, 1) }),
    answer: found({}),
  }),
  masterRestore: operation({
    access: 'operator',
    summary: 'Brings a deleted account back, within seven days of its deletion.',
    records: 'account.restored',
    refusals: { conflict: 'No admin of it can sign in any more.' },
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: found({}),
  }),
  auditLog: operation({
    access: 'operator',
    summary: 'Lists what operators did, newest first, page by page.',
    input: v.strictObject({ ...page }),
    answer: found({ entries: v.array(auditEntry), cursor: v.nullable(v.string()) }),
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
  masterDelete: ({ accountId }) => ({ accountId, reason: 'Asked for by its owner' }),
  masterRestore: ({ accountId }) => ({ accountId }),
  auditLog: () => ({}),
};

export const accountEvents = {
  'account.created': event({ seenBy: 'member', summary: 'A business signed up.', data: nothing }),
  'account.renamed': event({
    seenBy: 'member',
    summary: 'The account got another name.',
    data: v.strictObject({ from: v.string(), to: v.string() }),
  }),
  'account.set-up': event({
    seenBy: 'member',
    summary: 'Signing up was finished with a first property.',
    data: v.strictObject({ propertyId: propertyIdSchema }),
  }),
  'account.deleted': event({
    seenBy: 'admin',
    summary: 'The account was put out of reach.',
    data: v.strictObject({ reason: v.optional(v.string()) }),
  }),
  'account.restored': event({ seenBy: 'member', summary: 'The account came back.', data: nothing }),
  'account.welcome-requested': event({
    seenBy: 'admin',
    summary: 'An admin asked for the welcome mail.',
    data: v.strictObject({ debug: v.optional(v.boolean()) }),
  }),
};

const looked = v.strictObject({ search: v.string() });

/** Events of what operators do beyond one account: the audit log. */
export const operatorEvents = {
  'account.invited': event({
    seenBy: 'operator',
    summary: 'An operator opened an account for a business.',
    data: v.strictObject({ companyName: v.string() }),
  }),
  'accounts.listed': event({ seenBy: 'operator', summary: 'An operator looked at the accounts.', data: looked }),
  'user.second-factor-seen': event({ seenBy: 'operator', summary: 'An operator looked at somebody’s two-step sign-in.', data: nothing }),
  'user.second-factor-reset-requested': event({
    seenBy: 'operator',
    summary: 'An operator asked for a reset of a sole admin’s two-step sign-in.',
    data: v.strictObject({ reason: v.string() }),
  }),
  'user.second-factor-reset-cancelled': event({ seenBy: 'operator', summary: 'An operator withdrew such a reset.', data: nothing }),
  'user.second-factor-reset-refused': event({ seenBy: 'operator', summary: 'The person refused such a reset.', data: nothing }),
  'subscriptions.listed': event({ seenBy: 'operator', summary: 'An operator looked at who pays what.', data: looked }),
  'billing-event.replayed': event({
    seenBy: 'operator',
    summary: 'An operator had something that the payment provider said applied once more.',
    data: v.strictObject({ eventId: v.string() }),
  }),
  'subscription.extended': event({
    seenBy: 'operator',
    summary: 'An operator moved the end of an account’s free trial.',
    data: v.strictObject({ endsAt: v.number() }),
  }),
  'subscription.given-free': event({
    seenBy: 'operator',
    summary: 'An operator gave an account a plan that costs nothing.',
    data: nothing,
  }),
  'subscription.synced': event({
    seenBy: 'operator',
    summary: 'An operator asked the payment provider about an account.',
    data: nothing,
  }),
  'users.listed': event({ seenBy: 'operator', summary: 'An operator looked at the people of all accounts.', data: looked }),
  'account.exported': event({ seenBy: 'operator', summary: 'Everything of an account was exported at the command line.', data: nothing }),
  'user.password-reset-mailed': event({
    seenBy: 'operator',
    summary: 'Somebody was mailed a link that sets a new password, from the command line.',
    data: nothing,
  }),
  'operator.invited': event({
    seenBy: 'operator',
    summary: 'Somebody whom the settings name as an operator was mailed a link, from the command line.',
    data: nothing,
  }),
  'mail.tested': event({ seenBy: 'operator', summary: 'A test mail was sent from the command line.', data: nothing }),
  'backup.taken': event({ seenBy: 'operator', summary: 'A backup of the installation was written, whole.', data: nothing }),
};
