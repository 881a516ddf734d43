import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import {
  accountIdSchema,
  propertyIdSchema,
  type RandomBytes,
  userIdSchema,
  webhookDeliveryIdSchema,
  webhookIdSchema,
} from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, okOrNotFound, page, text } from '../core/schema.ts';
import { DAY, HOUR, MINUTE } from '../core/time.ts';
import { event, noData } from '../event/event.ts';
import { TEAM_LANGUAGES } from '../language/team.ts';
import { translatable } from '../language/translate.ts';
import { OUTBOUND_ERRORS, type OutboundError } from './outbound.ts';

/* Webhooks notify a business's own programs of events (docs/rules.md#webhooks). */

export const WEBHOOK_EVENTS = ['feedback.created', 'feedback.amended', 'feedback.urgent', 'feedback.erased', 'comment.created'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The event that “Send test” sends. */
export const TEST_EVENT = 'webhook.test';
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const MOST_WEBHOOKS = 10;
/** How long (ms) a deleted webhook can be restored. */
export const WEBHOOK_RESTORE_WINDOW = DAY;
/** How long (ms) deliveries are stored and can be resent. */
export const DELIVERY_RETENTION = 30 * DAY;
/** How long (ms) a replaced secret signs beside the new one. */
export const SECRET_OVERLAP = DAY;
/** Delays (ms) before each attempt; the first is immediate. Each is randomly up to a fifth shorter or longer. @limit webhook-tries */
export const WEBHOOK_RETRY_DELAYS: readonly number[] = [
  ...[0, 5_000, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
const JITTER = 0.2;

/** `gs1sk` is the account's id (docs/rules.md#envelope). Only `reveal` returns a stored secret. */
const webhook = v.strictObject({
  id: webhookIdSchema,
  sk: v.literal('WEBHOOK'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    url: v.string(),
    description: v.string(),
    events: v.array(v.picklist(WEBHOOK_EVENTS)),
    /** Null: all properties, including future ones. */
    propertyIds: v.nullable(v.array(propertyIdSchema)),
    format: v.picklist(WEBHOOK_FORMATS),
    /** Of the texts in a chat. */
    language: v.picklist(TEAM_LANGUAGES),
    /** True to send visitors' words and contacts, names and comments besides ids and a link. */
    isFull: v.boolean(),
    isOn: v.boolean(),
    /** The receiver returned 410 Gone, which turned the webhook off. */
    isGone: v.optional(v.literal(true)),
    /** Since when (UTC ms) nothing has been delivered; missing if it isn't failing. */
    failingSince: v.optional(v.number()),
    /** Until when (UTC ms) the previous secret also signs. */
    rotatingUntil: v.optional(v.number()),
    created: v.number(),
    createdBy: userIdSchema,
  }),
});
export type Webhook = v.InferOutput<typeof webhook>;

/**
 * Why an attempt failed. A secret is lost when the installation's own secret, which encrypted it, has changed. An attempt is cut off
 * when its process ends.
 */
export const WEBHOOK_ERRORS = {
  ...OUTBOUND_ERRORS,
  'lost-secret': translatable('The webhook’s secret can no longer be decrypted. Create a new one.'),
  'cut-off': translatable('Afterword stopped while this was being sent.'),
} as const;
type WebhookError = keyof typeof WEBHOOK_ERRORS;

const attempt = v.strictObject({
  at: v.number(),
  /** The HTTP status, if there was a response. */
  status: v.optional(v.number()),
  error: v.optional(v.picklist(Object.keys(WEBHOOK_ERRORS) as WebhookError[])),
  /** How long it took (ms). */
  duration: v.number(),
});
export type WebhookAttempt = v.InferOutput<typeof attempt>;

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delivery of one event to one webhook, whose id is `gs1sk`. Its own id is the `webhook-id` of every attempt. */
const webhookDelivery = v.strictObject({
  id: webhookDeliveryIdSchema,
  sk: v.literal('WEBHOOKDELIVERY'),
  gs1sk: webhookIdSchema,
  data: v.strictObject({
    created: v.number(),
    type: v.picklist([...WEBHOOK_EVENTS, TEST_EVENT]),
    status: v.picklist(DELIVERY_STATUSES),
    /** The next attempt (UTC ms) while it waits; missing during an attempt. */
    next: v.optional(v.number()),
    /** Oldest first. */
    attempts: v.array(attempt),
  }),
});
export type WebhookDelivery = v.InferOutput<typeof webhookDelivery>;

/* ── Operations ── */

const LONGEST_URL = 2000;
const URL_MESSAGE = 'Please enter an https address without a password, such as https://example.com/hooks';
/** A URL without a user name or password. The server checks what it resolves to. */
const WEB_ADDRESS = /^https?:\/\/([^\s/?#@\\]+)(?:[/?#]\S*)?$/i;
export const webhookUrl = v.pipe(text(LONGEST_URL, 1), v.trim(), v.regex(WEB_ADDRESS, URL_MESSAGE));

export const LONGEST_WEBHOOK_NAME = 100;
export const webhookDescription = v.pipe(
  text(LONGEST_WEBHOOK_NAME),
  v.transform((words) => words.replace(/\s+/gu, ' ')),
  v.trim(),
  v.normalize('NFC'),
);
const eventChoice = v.pipe(
  v.array(v.picklist(WEBHOOK_EVENTS)),
  v.minLength(1, 'Choose at least one event'),
  v.maxLength(WEBHOOK_EVENTS.length),
  v.check((names) => new Set(names).size === names.length, 'Choose each event once'),
);
const places = v.nullable(v.pipe(v.array(propertyIdSchema), v.minLength(1, 'Choose at least one property'), v.maxLength(1000)));

const settings = {
  description: v.optional(webhookDescription, ''),
  events: eventChoice,
  propertyIds: v.optional(places, null),
  format: v.optional(v.picklist(WEBHOOK_FORMATS), 'standard'),
  language: v.optional(v.picklist(TEAM_LANGUAGES), 'en'),
  isFull: v.optional(v.boolean(), false),
};
const change = v.strictObject({
  id: webhookIdSchema,
  data: v.strictObject({
    url: v.optional(webhookUrl),
    description: v.optional(webhookDescription),
    events: v.optional(eventChoice),
    propertyIds: v.optional(places),
    format: v.optional(v.picklist(WEBHOOK_FORMATS)),
    language: v.optional(v.picklist(TEAM_LANGUAGES)),
    isFull: v.optional(v.boolean()),
    isOn: v.optional(v.boolean()),
  }),
});
export type WebhookChange = v.InferOutput<typeof change>;

const byId = v.strictObject({ webhookId: webhookIdSchema });
const FULL = { conflict: `An account has at most ${MOST_WEBHOOKS} webhooks.` };
const tooMany = (detail: string) => ({ 'too-many': detail });

export const webhookOperations = {
  list: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List the account’s webhooks, oldest first, without their secrets.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ webhooks: v.array(webhook) }),
  }),
  save: operation({
    access: 'admin',
    summary: 'Add a webhook and return its secret, or change one by its id.',
    refusals: { ...FULL, ...tooMany('At most 100 saves an hour per account.') },
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({ id: v.optional(v.undefined()), data: v.strictObject({ url: webhookUrl, ...settings }) }),
        change,
      ]),
    }),
    /** With the secret of a new webhook. */
    answer: okOrNotFound({ webhook, secret: v.optional(v.string()) }),
  }),
  delete: operation({
    access: 'admin',
    summary: 'Delete a webhook. The person who deleted it can restore it for a day.',
    input: byId,
    answer: okOrNotFound({}),
  }),
  restore: operation({
    access: 'admin',
    summary: 'Restore a webhook the caller deleted, within a day. Does nothing if it isn’t deleted.',
    refusals: FULL,
    input: byId,
    answer: okOrNotFound({ webhook }),
  }),
  reveal: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'Get a webhook’s secret. Each request is recorded.',
    refusals: { conflict: 'It was encrypted with a different secret of the installation.' },
    input: byId,
    answer: okOrNotFound({ secret: v.string() }),
  }),
  rotate: operation({
    access: 'admin',
    summary: 'Create a new secret for a webhook. The previous one also signs for a day.',
    refusals: tooMany('At most 100 saves an hour per account.'),
    input: byId,
    answer: okOrNotFound({ webhook, secret: v.string() }),
  }),
  test: operation({
    access: 'admin',
    summary: 'Send a test message once; `deliveries` has the result.',
    refusals: { conflict: 'The webhook is off.', ...tooMany('At most 60 an hour.') },
    input: byId,
    answer: okOrNotFound({ delivery: webhookDelivery }),
  }),
  deliveries: operation({
    access: 'admin',
    whileEnded: true,
    summary: 'List a webhook’s deliveries of the last 30 days, newest first, with every attempt.',
    input: v.strictObject({
      webhookId: webhookIdSchema,
      status: v.optional(v.picklist(DELIVERY_STATUSES)),
      cursor: page.cursor,
      limit: page.limit,
    }),
    answer: okOrNotFound({ deliveries: v.array(webhookDelivery), cursor: v.nullable(v.string()) }),
  }),
  replay: operation({
    access: 'admin',
    summary: 'Resend one message, or all that failed since a time, with their original ids. Returns how many.',
    refusals: { conflict: 'The webhook is off.', ...tooMany('At most 60 an hour.') },
    input: v.pipe(
      v.strictObject({
        webhookId: webhookIdSchema,
        deliveryId: v.optional(webhookDeliveryIdSchema),
        /** UTC ms. */
        since: v.optional(instant),
      }),
      v.forward(
        v.partialCheck(
          [['deliveryId'], ['since']],
          ({ deliveryId, since }) => (deliveryId === undefined) !== (since === undefined),
          'Send a delivery id or a moment',
        ),
        ['deliveryId'],
      ),
    ),
    answer: okOrNotFound({ count: v.number() }),
  }),
  health: operation({
    access: 'operator',
    summary: 'Get the state of all webhooks of the installation: how much is waiting, since when, what failed, and which hosts fail.',
    records: 'webhooks.looked-at',
    input: v.strictObject({}),
    answer: okOrNotFound({
      waiting: v.number(),
      /** Since when (UTC ms) the oldest message has been waiting. */
      oldest: v.optional(v.number()),
      /** Messages that were given up in the last day. */
      failed: v.number(),
      /** Webhooks that are failing, and those that their receiver turned off. */
      failing: v.number(),
      gone: v.number(),
      /** The failing hosts, without the rest of the URL, which may be secret; `since` is UTC ms. */
      hosts: v.array(v.strictObject({ host: v.string(), webhooks: v.number(), since: v.number() })),
    }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly webhookId: string;
  }
  interface AuditEvents {
    'webhooks.looked-at': unknown;
  }
}

export const webhookExamples: Examples<typeof webhookOperations> = {
  list: ({ accountId }) => ({ accountId }),
  save: ({ unused }) => ({
    payload: {
      data: {
        url: `https://hooks.example.com/${unused}`,
        description: 'Help desk',
        events: ['feedback.created', 'feedback.urgent'],
        propertyIds: null,
        format: 'standard',
        isFull: false,
      },
    },
  }),
  delete: ({ webhookId }) => ({ webhookId }),
  restore: ({ webhookId }) => ({ webhookId }),
  reveal: ({ webhookId }) => ({ webhookId }),
  rotate: ({ webhookId }) => ({ webhookId }),
  test: ({ webhookId }) => ({ webhookId }),
  deliveries: ({ webhookId }) => ({ webhookId, status: 'failed', limit: 25 }),
  replay: ({ webhookId, now }) => ({ webhookId, since: now - DAY }),
  health: () => ({}),
};

/* ── Rules ── */

/** Returns 256 random bits in the format of Standard Webhooks. */
export const webhookSecret = (random: RandomBytes): string => `${SECRET_PREFIX}${base64(random(32))}`;
export const SECRET_PREFIX = 'whsec_';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns base64 with padding (RFC 4648), which the contract can't take from a platform. */
function base64(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const group = a * 65_536 + b * 256 + c;
    letters += [262_144, 4_096, 64, 1].map((unit) => BASE64[Math.floor(group / unit) % 64]).join('');
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return letters.slice(0, letters.length - missing) + '='.repeat(missing);
}

/** Throws `conflict` if an account already has the most webhooks. */
export function checkRoomForWebhook(count: number): void {
  if (count >= MOST_WEBHOOKS) throw refusal('conflict', `You have ${MOST_WEBHOOKS} webhooks, the maximum. Delete one first.`);
}

export const badWebhookAddress = (error: OutboundError): Refusal =>
  badField('payload.data.url', error === 'not-public' ? 'This address is in a private network' : URL_MESSAGE);

/** Throws `conflict` if a webhook is off. */
export function checkIsOn({ data }: Webhook): void {
  if (!data.isOn) throw refusal('conflict', 'The webhook is off. Turn it on first.');
}

/** Returns a webhook after a change; undefined if nothing changes. Turning it on clears its failures. */
export function changedWebhook(before: Webhook, fields: WebhookChange['data']): Webhook | undefined {
  const { isGone, failingSince, ...data } = before.data;
  const after = { ...data, ...definedIn(fields) };
  const isTurnedOn = after.isOn && !data.isOn;
  const failure = isTurnedOn ? {} : { ...(isGone && { isGone }), ...(failingSince !== undefined && { failingSince }) };
  const isSame = JSON.stringify(after) === JSON.stringify(data);
  return isSame ? undefined : { ...before, data: { ...after, ...failure } };
}

const definedIn = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns a webhook's host, without the rest of its URL, which may be secret. */
export const hostOfWebhook = (address: string): string => WEB_ADDRESS.exec(address)?.[1] ?? address;

/** Returns how long (ms) to wait after this many failed attempts (1 or more); undefined after the last. `chance` is from 0 to 1. */
export function waitAfter(tries: number, chance: number): number | undefined {
  const wait = WEBHOOK_RETRY_DELAYS[tries];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * chance));
}

/* ── Events ── */

const eventData = v.strictObject({ format: v.picklist(WEBHOOK_FORMATS), isFull: v.boolean(), isOn: v.boolean() });

export const webhookEvents = {
  'webhook.created': event({ seenBy: 'admin', summary: 'An admin added a webhook.', data: eventData }),
  'webhook.changed': event({ seenBy: 'admin', summary: 'An admin changed a webhook.', data: eventData }),
  'webhook.deleted': event({ seenBy: 'admin', summary: 'An admin deleted a webhook.', data: eventData }),
  'webhook.restored': event({ seenBy: 'admin', summary: 'A webhook was restored.', data: eventData }),
  'webhook.revealed': event({ seenBy: 'admin', summary: 'An admin viewed a webhook’s secret.', data: noData }),
  'webhook.rotated': event({ seenBy: 'admin', summary: 'An admin created a new secret for a webhook.', data: noData }),
  'webhook.replayed': event({
    seenBy: 'admin',
    summary: 'An admin resent messages of a webhook.',
    data: v.strictObject({ count: v.number() }),
  }),
  'webhook.failing': event({
    seenBy: 'admin',
    summary: 'A message failed at its last attempt, and nothing has been delivered since. Recorded once until a delivery succeeds.',
    data: noData,
  }),
  'webhook.gone': event({
    seenBy: 'admin',
    summary: 'The receiver returned 410 Gone, which turned the webhook off.',
    data: noData,
  }),
  'webhooks.looked-at': event({ seenBy: 'operator', summary: 'An operator viewed the state of webhooks.', data: noData }),
};
