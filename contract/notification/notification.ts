import * as v from 'valibot';
import { firstWords } from '../alert/alert.ts';
import { MENTION } from '../comment/mention.ts';
import { feedbackIdSchema, notificationIdSchema, propertyIdSchema, toolIdSchema, userIdSchema, webhookIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, page } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import type { Feedback } from '../feedback/feedback.ts';
import { RATING_WORDS, RATINGS, type Rating } from '../feedback/rating.ts';
import { awaitsReply, isAskingSince, isUnopened, type OpenState } from '../feedback/work.ts';
import { type Translate, translatable } from '../language/translate.ts';

/* A person's notifications, behind the bell (docs/rules.md#notifications). */

/**
 * Urgent feedback; a visitor who wants to be contacted; urgent feedback that no one has opened; a visitor's message; a mention; an
 * assignment; for admins, a failing webhook and a reported conversation; a silent kiosk.
 */
export const NOTICE_KINDS = [
  ...(['urgent', 'contact', 'unopened', 'message', 'mention', 'assigned'] as const),
  ...(['webhook', 'reported', 'kiosk'] as const),
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How long (ms) notifications are stored. @limit notifications-kept */
export const NOTIFICATION_RETENTION = 90 * DAY;

/** A notification's feedback, as it is now. */
const subject = v.strictObject({
  id: feedbackIdSchema,
  propertyId: propertyIdSchema,
  toolId: v.optional(toolIdSchema),
  rating: v.picklist(RATINGS),
  /** True if the visitor wants to be contacted. */
  contact: v.optional(v.literal(true)),
});

/** A notification to one person. `gs1sk` is that person's id (docs/rules.md#envelope). */
const notification = v.strictObject({
  id: notificationIdSchema,
  sk: v.literal('NOTIFICATION'),
  gs1sk: userIdSchema,
  data: v.strictObject({
    kind: v.picklist(NOTICE_KINDS),
    created: v.number(),
    /** The teammate who caused it. */
    by: v.optional(userIdSchema),
    feedback: v.optional(subject),
    /** The beginning of the comment that mentions the person, of the visitor's message, or else of the visitor's text. */
    words: v.optional(v.string()),
    /** How many pieces of feedback were assigned at once. */
    count: v.optional(v.number()),
    webhookId: v.optional(webhookIdSchema),
    /** A kiosk and its property. */
    kiosk: v.optional(v.strictObject({ id: toolIdSchema, propertyId: propertyIdSchema })),
    /** True if the person hasn't read it and no one has handled it. */
    unread: v.optional(v.literal(true)),
  }),
});
export type Notification = v.InferOutput<typeof notification>;

/** Whether a person was notified of feedback, or why not: it was deleted or suspected, its visitor no longer waits, or someone opened it. */
export const ALERT_RESULTS = ['sent', 'sent-in-digest', 'deleted', 'suspected', 'no-longer-urgent', 'opened'] as const;

/** An alert's result, and the teammate who opened the feedback before it was sent. */
export interface AlertResult {
  readonly result: (typeof ALERT_RESULTS)[number];
  readonly openedBy?: string;
}

/** One person's alert about a feedback item. Stored for 90 days. */
const alert = v.strictObject({
  userId: userIdSchema,
  /** When the person was alerted (UTC ms). */
  created: v.number(),
  /** Missing until there is one. */
  result: v.optional(v.picklist(ALERT_RESULTS)),
  openedBy: v.optional(userIdSchema),
  /** What it waits for: the end of the property's quiet hours, or the digest of alerts beyond the hourly limit of mails. */
  waitsFor: v.optional(v.picklist(['quiet', 'hour'])),
  /** The end of that wait (UTC ms). */
  until: v.optional(v.number()),
  /** How many devices show the person's notifications now. */
  devices: v.number(),
});
export type ListedAlert = v.InferOutput<typeof alert>;

/** The number of unread notifications, up to `MOST_UNREAD`. */
const unread = v.number();

export const notificationOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the caller’s notifications, newest first, page by page, with the unread count, up to 100.',
    input: v.strictObject({ cursor: page.cursor, limit: page.limit }),
    answer: okOrNotFound({ notifications: v.array(notification), cursor: v.nullable(v.string()), unread }),
  }),
  markRead: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Mark the caller’s notifications as read: the given ones, or those about one feedback item.',
    input: v.union(
      [
        v.strictObject({ notificationIds: v.pipe(v.array(notificationIdSchema), v.minLength(1), v.maxLength(100)) }),
        v.strictObject({ feedbackId: feedbackIdSchema }),
      ],
      'Send notification ids, or one feedback id',
    ),
    answer: okOrNotFound({ unread }),
  }),
  markAllRead: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Mark all of the caller’s notifications as read. Feedback is unchanged.',
    input: v.strictObject({}),
    answer: okOrNotFound({ unread }),
  }),
  alerts: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List who a feedback item alerts, and why each person was notified, not yet, or not at all.',
    input: v.strictObject({ feedbackId: feedbackIdSchema }),
    answer: okOrNotFound({ alerts: v.array(alert) }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly notificationId: string;
  }
}

export const notificationExamples: Examples<typeof notificationOperations> = {
  list: () => ({ limit: 25 }),
  markRead: ({ notificationId }) => ({ notificationIds: [notificationId] }),
  markAllRead: () => ({}),
  alerts: ({ feedbackId }) => ({ feedbackId }),
};

interface NoticeState {
  readonly kind: NoticeKind;
  readonly userId: string;
  /** UTC ms. */
  readonly created: number;
}

/** Returns whether a notification still asks its person to act on its feedback. Mentions, webhooks and kiosks ask until they are read. */
export function isPending({ kind, userId, created }: NoticeState, item: OpenState | undefined): boolean {
  switch (kind) {
    case 'urgent':
    case 'unopened':
      return item !== undefined && isUnopened(item);
    case 'contact':
      return item !== undefined && isAskingSince(item, created);
    case 'message':
      return awaitsReply(item?.data.reply) && item?.data.status !== 'done';
    case 'assigned':
      return item?.data.assignee === userId && item.data.status !== 'done';
    default:
      return true;
  }
}

/* ── Words ── */

/** Returns the part of feedback that a notification contains. */
export const aboutFeedback = ({
  id,
  data: { projectId: propertyId, toolId, rating, contact },
}: Feedback): v.InferOutput<typeof subject> => ({
  id,
  propertyId,
  ...(toolId !== undefined && { toolId }),
  rating,
  ...(contact && { contact: true }),
});

interface Quotable {
  readonly item: Feedback | undefined;
  /** The comment that mentions the person, or the visitor's message. */
  readonly quote: string | undefined;
  /** How many pieces of feedback it's about. */
  readonly count: number | null | undefined;
  readonly nameOf: (userId: string) => string | undefined;
}

/** Returns the beginning of what a notification quotes: its comment with names, its message, or else its visitor's text. */
export function quotedWords({ item, quote, count, nameOf }: Quotable): string | undefined {
  const quoteWithNames = quote?.replace(MENTION, (_, userId) => `@${nameOf(userId) ?? 'former teammate'}`);
  const words = quoteWithNames ?? ((count ?? 1) === 1 ? item?.data.textFeedback : undefined);
  return words && firstWords(words);
}

/** Returns urgent feedback in a few words: "Rated Awful". */
const urgentWords = (t: Translate, rating: Rating): string => t('Rated {rating}', { rating: t(RATING_WORDS[rating]) });
/** Shown beside the place, unless the title says it. */
export const WANTS_CONTACT = translatable('Wants to be contacted');

interface NoticeWords {
  readonly kind: NoticeKind;
  readonly rating?: Rating | undefined;
  /** The name of the teammate who caused it. */
  readonly by?: string | undefined;
  readonly count?: number | undefined;
}

/** Returns what happened in one line, for the bell and the phone; the place is shown beside it. */
export function notificationTitle(t: Translate, { kind, rating, by = t('A teammate'), count = 1 }: NoticeWords): string {
  switch (kind) {
    case 'urgent':
      return rating === undefined ? t('Urgent feedback') : urgentWords(t, rating);
    case 'contact':
      return t('A visitor wants to be contacted');
    case 'unopened':
      return rating === undefined ? t('Not opened yet: urgent feedback') : t('Not opened yet: {what}', { what: urgentWords(t, rating) });
    case 'message':
      return t('A visitor wrote to you');
    case 'mention':
      return t('{name} mentioned you', { name: by });
    case 'assigned':
      return t.count(count, '{name} assigned feedback to you', '{name} assigned {count} feedback items to you', { name: by });
    case 'webhook':
      return t('A webhook is failing');
    case 'reported':
      return t('A visitor reported a conversation');
    case 'kiosk':
      return t('A kiosk is silent');
  }
}
