import * as v from 'valibot';
import { accountIdSchema, deliveryIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, page } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event, noData } from '../event/event.ts';

/** Waiting or in progress, accepted by the mail server, or given up. */
export const DELIVERY_STATUSES = ['queued', 'sent', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** By email, or as a push to a device. */
export const DELIVERY_CHANNELS = ['email', 'push'] as const;

/** The most urgent messages are sent first: reports come by the thousand, but someone waits for a code at the screen. */
export const URGENCY = { awaited: 3, alert: 2, ordinary: 1, bulk: 0 } as const;
export type Urgency = keyof typeof URGENCY;

/** How long a failed message can be resent, and its encrypted content is stored (ms). @limit send-again */
export const RESEND_WINDOW = 7 * DAY;
/** How long a failure is reported (ms). @limit send-again */
export const FAILURE_WINDOW = DAY;

/** An attempt: its time (UTC ms), and the error of the mail server or the network, if any. */
const attempt = v.strictObject({ at: v.number(), error: v.optional(v.string()) });

/** A message to one person, without its content. `gs1sk` is the account's id (docs/rules.md#envelope). */
const delivery = v.strictObject({
  id: deliveryIdSchema,
  sk: v.literal('DELIVERY'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    channel: v.picklist(DELIVERY_CHANNELS),
    to: v.string(),
    subject: v.string(),
    /** The name of the event that caused it. */
    reason: v.string(),
    status: v.picklist(DELIVERY_STATUSES),
    /** The total number of attempts. */
    attempts: v.number(),
    lastError: v.optional(v.string()),
    created: v.number(),
    sentAt: v.optional(v.number()),
    /** True if it can be resent: it failed, and its content is still stored. */
    mayRetry: v.boolean(),
    /** The latest attempts, oldest first. */
    latest: v.array(attempt),
  }),
});
export type Delivery = v.InferOutput<typeof delivery>;

/** A mail domain's waiting and recently failed messages. */
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
  'delivery.bounced': event({ seenBy: 'admin', summary: 'A mail server said that an email’s address doesn’t exist.', data: noData }),
  'delivery.complained': event({ seenBy: 'admin', summary: 'A recipient reported an email as spam.', data: noData }),
  'deliveries.looked-at': event({
    seenBy: 'operator',
    summary: 'An operator viewed the mail queue.',
    data: v.strictObject({}),
  }),
};
