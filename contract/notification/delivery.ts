import * as v from 'valibot';
import { accountIdSchema, deliveryIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, page } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';

/** Waiting or being tried, accepted by the mail server, or given up. */
export const DELIVERY_STATUSES = ['queued', 'sent', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How a message goes: by mail, or to the screen of a device. */
export const DELIVERY_CHANNELS = ['email', 'push'] as const;

/** What goes out first where many messages wait: the higher. Reports come by the thousand, and a code is waited for at the screen. */
export const URGENCY = { awaited: 3, alert: 2, ordinary: 1, bulk: 0 } as const;
export type Urgency = keyof typeof URGENCY;

/** How long what failed can be sent again: its words are kept, sealed, for as long (ms). */
export const RESEND_WINDOW = 7 * DAY;
/** How far back a failure is told of (ms). */
export const FAILURE_WINDOW = DAY;

/** One try: when (UTC ms), and what the mail server or the network said; nothing where it worked. */
const attempt = v.strictObject({ at: v.number(), error: v.optional(v.string()) });

/** A message to one person, without what it says. `gs1sk` is the account's id (docs/rules.md#envelope). */
const delivery = v.strictObject({
  id: deliveryIdSchema,
  sk: v.literal('DELIVERY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    channel: v.picklist(DELIVERY_CHANNELS),
    to: v.string(),
    subject: v.string(),
    /** The name of the event that it is about. */
    reason: v.string(),
    status: v.picklist(DELIVERY_STATUSES),
    /** How often it was tried in all. */
    attempts: v.number(),
    lastError: v.optional(v.string()),
    created: v.number(),
    sentAt: v.optional(v.number()),
    /** Whether it can be sent again: it failed, and its words are still kept. */
    mayRetry: v.boolean(),
    /** The latest tries, oldest first. */
    latest: v.array(attempt),
  }),
});
export type Delivery = v.InferOutput<typeof delivery>;

/** What waits for one mail domain, or was given up there lately. */
const host = v.strictObject({ host: v.string(), waiting: v.number(), failed: v.number(), lastError: v.optional(v.string()) });

export const deliveryOperations = {
  list: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List emails and pushes to people, newest first, page by page, optionally in one state.',
    input: v.strictObject({ accountId: accountIdSchema, ...page, status: v.optional(v.picklist(DELIVERY_STATUSES)) }),
    answer: okOrNotFound({ deliveries: v.array(delivery), cursor: v.nullable(v.string()) }),
  }),
  health: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Count the messages that failed in the last day.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ failed: v.number() }),
  }),
  invitations: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Get the delivery status of the newest invitation of each person who hasn’t joined.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ deliveries: v.array(delivery) }),
  }),
  retry: operation({
    access: 'admin',
    summary: 'Resend a failed message. Does nothing if it is waiting or sent.',
    input: v.strictObject({ deliveryId: deliveryIdSchema }),
    answer: okOrNotFound({ delivery }),
  }),
  test: operation({
    access: 'admin',
    summary: 'Send a test email to the caller’s own address.',
    refusals: { 'too-many': 'At most ten tests an hour per person.' },
    input: v.strictObject({}),
    answer: okOrNotFound({ delivery }),
  }),
  queue: operation({
    access: 'operator',
    summary: 'Get the installation’s mail queue: how much is waiting, since when, and which mail domains fail.',
    records: 'deliveries.looked-at',
    input: v.strictObject({}),
    answer: okOrNotFound({ waiting: v.number(), oldest: v.optional(v.number()), failed: v.number(), hosts: v.array(host) }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly deliveryId: string;
  }
  interface AuditEvents {
    'deliveries.looked-at': unknown;
  }
}

export const deliveryExamples: Examples<typeof deliveryOperations> = {
  list: ({ accountId }) => ({ accountId, status: 'failed', limit: 25 }),
  health: ({ accountId }) => ({ accountId }),
  invitations: ({ accountId }) => ({ accountId }),
  retry: ({ deliveryId }) => ({ deliveryId }),
  test: () => ({}),
  queue: () => ({}),
};

export const deliveryEvents = {
  'delivery.retried': event({ seenBy: 'admin', summary: 'An admin resent a failed message.', data: v.strictObject({}) }),
  'delivery.test-requested': event({ seenBy: 'admin', summary: 'An admin requested a test message.', data: v.strictObject({}) }),
  'deliveries.looked-at': event({
    seenBy: 'operator',
    summary: 'An operator viewed the mail queue.',
    data: v.strictObject({}),
  }),
};
