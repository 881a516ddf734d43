import * as v from 'valibot';
import { type AlertChanges, alertChanges, alertSettings } from '../alert/alert.ts';
import { badField, type Refusal } from '../core/errors.ts';
import { accountIdSchema, formIdSchema, propertyIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, text, zone } from '../core/schema.ts';
import { event, noData } from '../event/event.ts';
import { requestSettings } from '../feedback-request/request-settings.ts';
import { form } from '../form/form.ts';
import { REVIEW_SERVICES } from '../form/review.ts';
import { reviewServices, storedReviewServices } from '../form/review-links.ts';
import { privacyContact, retentionMonths } from '../privacy/privacy.ts';

/** The most recipients of one kind of a property's emails. @limit notified */
export const MOST_NOTIFIED = 100;
export const PROPERTY_TYPE = 'brick-and-mortar';
const people = v.array(userIdSchema);
/** Recipients as a client sends them, each once. */
const chosenPeople = v.pipe(
  people,
  v.maxLength(MOST_NOTIFIED, `At most ${MOST_NOTIFIED} people`),
  v.check((list) => new Set(list).size === list.length, 'Choose each person once'),
);
/** The emails that a property sends to people on its team. */
export const NOTIFICATIONS = ['complaints', 'weekly', 'daily', 'monthly'] as const;
export type NotificationKind = (typeof NOTIFICATIONS)[number];
/** The optional lists are left out if they are empty. */
const notifications = v.strictObject({ complaints: people, weekly: people, daily: v.optional(people), monthly: v.optional(people) });
type Notifications = v.InferOutput<typeof notifications>;

/** Returns the lists as the API sends them: the optional ones only if they have people. */
export const notificationsOf = (lists: Readonly<Record<NotificationKind, string[]>>): Notifications => ({
  complaints: lists.complaints,
  weekly: lists.weekly,
  ...(lists.daily.length > 0 && { daily: lists.daily }),
  ...(lists.monthly.length > 0 && { monthly: lists.monthly }),
});

/** Returns every list, including those that were left out. */
export const listsOf = ({ complaints, weekly, daily = [], monthly = [] }: Notifications): Record<NotificationKind, string[]> => ({
  complaints,
  weekly,
  daily,
  monthly,
});

/** A place that people visit. `gs1sk` is the account's id (docs/rules.md#envelope). */
export const property = v.strictObject({
  id: propertyIdSchema,
  sk: v.literal('PROPERTY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    displayName: v.string(),
    service: storedReviewServices,
    author: v.string(),
    created: v.number(),
    propertyType: v.literal(PROPERTY_TYPE),
    /** In the demo only. */
    projectType: v.optional(v.literal('web-rating')),
    accountId: accountIdSchema,
    formId: formIdSchema,
    notifications,
    /** A zone of the tz database. Left out if no one has set it. */
    timeZone: v.optional(v.string()),
    /** Quiet hours and escalation of alerts. Without them, alerts are sent immediately and aren't escalated. */
    alerts: v.optional(alertSettings),
    /** How many months visitors' words and contact details are kept. Left out if they are kept until someone deletes them. */
    retention: v.optional(v.number()),
    /** The address at which visitors can ask about their data. Left out if they ask the business itself. */
    privacyContact: v.optional(v.string()),
    /** False if visitors can't ask for a private answer. Left out if they can. */
    privateReplies: v.optional(v.literal(false)),
    /** When feedback requests are sent. Left out if no one has changed it. */
    requests: v.optional(requestSettings),
  }),
});
export type Property = v.InferOutput<typeof property>;

/** The zone of a property without one. */
export const NO_ZONE_CLOCK = 'UTC';

/** Returns a property's time zone. */
export const zoneOf = ({ data: { timeZone = NO_ZONE_CLOCK } }: Property): string => timeZone;

/** Letters and digits of a secret for receipts, which have 256 random bits. */
export const RECEIPT_SECRET = 43;

/** A property's name. Visitors read it, so it may be in any script; a business's name is stricter. */
export const propertyName = v.pipe(text(60, 1), v.trim(), v.normalize('NFC'), v.nonEmpty('Please fill this in'));

/** Returns the lists, each with a change applied. */
export function changedLists(before: Notifications, change: (people: string[], kind: NotificationKind) => string[]): Notifications {
  const { complaints, weekly, daily, monthly } = listsOf(before);
  return notificationsOf({
    complaints: change(complaints, 'complaints'),
    weekly: change(weekly, 'weekly'),
    daily: change(daily, 'daily'),
    monthly: change(monthly, 'monthly'),
  });
}

/** Returns the refusal of a name that another property of the account has, because URLs contain the name. */
export const nameTaken = (): Refusal => badField('payload.data.displayName', 'You already have a property with this name');

interface PersonOfTeam {
  readonly id: string;
  readonly data: { readonly invited?: true | undefined };
}

/**
 * Throws for recipients who aren't on the team or haven't joined it yet, because visitors' feedback is only for the team.
 */
export function checkNotified(
  lists: Partial<Record<NotificationKind, readonly string[] | undefined>>,
  team: readonly PersonOfTeam[],
): void {
  for (const kind of NOTIFICATIONS) checkJoined(lists[kind] ?? [], { team, field: `payload.data.notifications.${kind}` });
}

/** Throws for an escalation to people who aren't on the team or haven't joined it yet. */
export function checkEscalated({ escalation }: AlertChanges, team: readonly PersonOfTeam[]): void {
  checkJoined(escalation?.to ?? [], { team, field: 'payload.data.alerts.escalation.to' });
}

function checkJoined(ids: readonly string[], { team, field }: { team: readonly PersonOfTeam[]; field: string }): void {
  const joined = new Set(team.filter(({ data }) => !data.invited).map(({ id }) => id));
  const stranger = ids.findIndex((id) => !joined.has(id));
  if (stranger !== -1) throw badField(`${field}.${stranger}`, 'Only people who have joined the team can receive this');
}

const propertyChanges = v.strictObject({
  displayName: v.optional(propertyName),
  service: v.optional(reviewServices),
  /** Null removes it. */
  timeZone: v.optional(v.nullable(zone)),
  notifications: v.optional(
    v.strictObject({
      complaints: v.optional(chosenPeople),
      weekly: v.optional(chosenPeople),
      daily: v.optional(chosenPeople),
      monthly: v.optional(chosenPeople),
    }),
  ),
  alerts: v.optional(alertChanges),
  /** In months. Null removes it. */
  retention: v.optional(v.nullable(retentionMonths)),
  /** An email address. Null removes it. */
  privacyContact: v.optional(v.nullable(privacyContact)),
  /** Whether visitors can ask for a private answer. */
  privateReplies: v.optional(v.boolean()),
  /** Replaces all of them. */
  requests: v.optional(requestSettings),
});
/** An admin's changes to a property; fields that are left out stay unchanged. */
export type PropertyChanges = v.InferOutput<typeof propertyChanges>;

const byId = v.strictObject({ propertyId: propertyIdSchema });
const receiptSecret = okOrNotFound({ secret: v.string() });

export const propertyOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'List the properties of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ properties: v.array(property) }),
  }),
  get: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'read-feedback',
    summary: 'Get one property by its id, or by its name in lowercase with dashes.',
    input: v.strictObject({ propertyId: v.pipe(v.string(), v.maxLength(120)) }),
    answer: okOrNotFound({ property }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Create a property with its default form, or change one by its id.',
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({
          id: v.optional(v.undefined()),
          data: v.strictObject({ displayName: propertyName, service: v.optional(reviewServices, []), timeZone: v.optional(zone) }),
        }),
        v.strictObject({
          id: propertyIdSchema,
          data: propertyChanges,
        }),
      ]),
    }),
    answer: okOrNotFound({ property, form }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a property. Its form closes immediately, and its feedback disappears from every list.',
    input: byId,
    answer: okOrNotFound({}),
  }),
  receiptSecret: operation({
    access: 'admin',
    summary: 'Get the secret that signs order numbers on receipts, created at the first request. Each request is recorded.',
    refusals: { conflict: 'It was encrypted with a different secret of the installation. Replace it.' },
    input: byId,
    answer: receiptSecret,
  }),
  replaceReceiptSecret: operation({
    access: 'admin',
    summary: 'Replace the secret that signs order numbers. Links signed with the previous one lose their order number.',
    input: byId,
    answer: receiptSecret,
  }),
};

export const propertyExamples: Examples<typeof propertyOperations> = {
  list: ({ accountId }) => ({ accountId }),
  get: ({ propertyId }) => ({ propertyId }),
  save: ({ propertyId }) => ({ payload: { id: propertyId, data: { displayName: 'Pier 4' } } }),
  delete: ({ propertyId }) => ({ propertyId }),
  receiptSecret: ({ propertyId }) => ({ propertyId }),
  replaceReceiptSecret: ({ propertyId }) => ({ propertyId }),
};

/** Accents and the like over Latin, Greek and Cyrillic letters. Marks of other scripts are part of their letters. */
const withForm = v.strictObject({ formId: formIdSchema });

export const propertyEvents = {
  'property.created': event({ seenBy: 'member', summary: 'A property was created, with its form.', data: withForm }),
  'property.renamed': event({
    seenBy: 'member',
    summary: 'A property was renamed. Its form shows the new name.',
    data: v.strictObject({ from: v.string(), to: v.string(), ...withForm.entries }),
  }),
  'property.services-changed': event({
    seenBy: 'member',
    summary: 'A property’s review links changed.',
    data: v.strictObject({ services: v.array(v.picklist(REVIEW_SERVICES)) }),
  }),
  'property.time-zone-changed': event({
    seenBy: 'member',
    summary: 'A property’s time zone changed.',
    data: v.strictObject({ to: v.nullable(v.string()) }),
  }),
  'property.notifications-changed': event({
    seenBy: 'member',
    summary: 'The recipients of a property’s emails changed.',
    data: notifications,
  }),
  'property.alerts-changed': event({
    seenBy: 'member',
    summary: 'A property’s quiet hours or escalation changed.',
    data: alertSettings,
  }),
  'property.retention-changed': event({
    seenBy: 'member',
    summary: 'How many months a property keeps visitors’ words and contact details changed.',
    data: v.strictObject({ to: v.nullable(v.number()) }),
  }),
  'property.privacy-contact-changed': event({
    seenBy: 'member',
    summary: 'The address at which visitors of a property can ask about their data changed.',
    data: noData,
  }),
  'property.private-replies-changed': event({
    seenBy: 'member',
    summary: 'A property started or stopped offering private answers.',
    data: v.strictObject({ to: v.boolean() }),
  }),
  'property.requests-changed': event({
    seenBy: 'admin',
    summary: 'The settings of a property’s feedback requests changed.',
    data: requestSettings,
  }),
  'property.receipt-secret-created': event({
    seenBy: 'admin',
    summary: 'A secret for receipts was created, in place of any previous one.',
    data: withForm,
  }),
  'property.receipt-secret-revealed': event({
    seenBy: 'admin',
    summary: 'An admin viewed a property’s secret for receipts.',
    data: noData,
  }),
  'property.deleted': event({ seenBy: 'member', summary: 'A property was deleted, and its form closed.', data: withForm }),
};
