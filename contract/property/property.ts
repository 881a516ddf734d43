import * as v from 'valibot';
import { type AlertChanges, alertChanges, alertSettings } from '../alert/alert.ts';
import { badField, type Refusal } from '../core/errors.ts';
import { accountIdSchema, formIdSchema, propertyIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, reviewServices, storedReviewServices, text, zone } from '../core/schema.ts';
import { event } from '../event/event.ts';
import { form } from '../form/form.ts';
import { REVIEW_SERVICES } from '../form/review.ts';

/** How many people get one kind of a property's mails. */
export const MOST_NOTIFIED = 100;
export const PROPERTY_TYPE = 'brick-and-mortar';
const people = v.array(userIdSchema);
/** As they are sent: each once. */
const chosenPeople = v.pipe(
  people,
  v.maxLength(MOST_NOTIFIED, `At most ${MOST_NOTIFIED} people`),
  v.check((list) => new Set(list).size === list.length, 'Choose each person once'),
);
/** What mails a property sends to people of its team. */
export const NOTIFICATIONS = ['complaints', 'weekly', 'daily', 'monthly'] as const;
export type NotificationKind = (typeof NOTIFICATIONS)[number];
/** A list that nobody chose is left out where it may be. */
const notifications = v.strictObject({ complaints: people, weekly: people, daily: v.optional(people), monthly: v.optional(people) });
export type Notifications = v.InferOutput<typeof notifications>;

/** The lists as they travel: those that every property has, and the others where somebody is on them. */
export const notificationsOf = (lists: Readonly<Record<NotificationKind, string[]>>): Notifications => ({
  complaints: lists.complaints,
  weekly: lists.weekly,
  ...(lists.daily.length > 0 && { daily: lists.daily }),
  ...(lists.monthly.length > 0 && { monthly: lists.monthly }),
});

/** Every list, also those that were left out. */
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
    /** What its clocks go by: a zone of the tz database. Left out where nobody said. */
    timeZone: v.optional(v.string()),
    /** When and in which order people hear of urgent feedback. Left out: at once, and nobody after them. */
    alerts: v.optional(alertSettings),
  }),
});
export type Property = v.InferOutput<typeof property>;

/** What the clocks of a property without a zone go by. */
export const NO_ZONE_CLOCK = 'UTC';

/** What the clocks of a property go by. */
export const zoneOf = ({ data: { timeZone = NO_ZONE_CLOCK } }: Property): string => timeZone;

/** A property's name is what visitors read, so it may hold any letters; the business's own name is stricter. */
export const propertyName = v.pipe(text(60, 1), v.trim(), v.normalize('NFC'), v.nonEmpty('Please fill this in'));

/** The lists with each of them changed. */
export function changedLists(given: Notifications, change: (people: string[], kind: NotificationKind) => string[]): Notifications {
  const { complaints, weekly, daily, monthly } = listsOf(given);
  return notificationsOf({
    complaints: change(complaints, 'complaints'),
    weekly: change(weekly, 'weekly'),
    daily: change(daily, 'daily'),
    monthly: change(monthly, 'monthly'),
  });
}

/** The refusal of a name that another property of the account has: URLs name a property by its name. */
export const nameTaken = (): Refusal => badField('payload.data.displayName', 'You already have a property with this name');

interface PersonOfTeam {
  readonly id: string;
  readonly data: { readonly invited?: true | undefined };
}

/**
 * Refuses mails to anybody who is not of the team, or has not joined it yet: what visitors say is the team's alone.
 */
export function checkNotified(
  wanted: Partial<Record<NotificationKind, readonly string[] | undefined>>,
  team: readonly PersonOfTeam[],
): void {
  for (const kind of NOTIFICATIONS) checkJoined(wanted[kind] ?? [], { team, field: `payload.data.notifications.${kind}` });
}

/** Refuses an order of who hears next with anybody who is not of the team, or has not joined it yet. */
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
  /** Null: nobody says any more. */
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
});
/** What an admin changes of a property: the fields given. */
export type PropertyChanges = v.InferOutput<typeof propertyChanges>;

export const propertyOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the properties of the account by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ properties: v.array(property) }),
  }),
  get: operation({
    access: 'member',
    whileEnded: true,
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
    input: v.strictObject({ propertyId: propertyIdSchema }),
    answer: okOrNotFound({}),
  }),
};

export const propertyExamples: Examples<typeof propertyOperations> = {
  list: ({ accountId }) => ({ accountId }),
  get: ({ propertyId }) => ({ propertyId }),
  save: ({ propertyId }) => ({ payload: { id: propertyId, data: { displayName: 'Pier 4' } } }),
  delete: ({ propertyId }) => ({ propertyId }),
};

/** Accents and the like over Latin, Greek and Cyrillic letters. Marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/** A property’s name as it stands in a URL: lowercase, with dashes for all but letters and digits. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** Whether a URL names this property: by its id or by its dashed name. */
export const isPropertyNamed = (name: string, { id, data }: Property): boolean =>
  name === id || name.normalize('NFC') === slugOf(data.displayName);

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
  'property.deleted': event({ seenBy: 'member', summary: 'A property was deleted, and its form closed.', data: withForm }),
};
