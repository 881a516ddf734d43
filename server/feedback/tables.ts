import { getTableName, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { REPLIES, type Response } from '#contract/feedback/feedback.ts';
import { KINDS, SOURCES } from '#contract/feedback/filters.ts';
import { LONGEST_ORDER_NUMBER } from '#contract/feedback/order-number.ts';
import { MAX_TEXT, type Rating } from '#contract/feedback/rating.ts';
import { STATUSES } from '#contract/feedback/work.ts';
import { LANGUAGE_TAGS } from '#contract/language/languages.ts';
import { accounts } from '../account/tables.ts';
import { forms } from '../form/tables.ts';
import { bytes, moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { tools } from '../tool/tables.ts';
import { users } from '../user/store.ts';

/** SQL: feedback that the team's counts and lists include. */
export const IS_COUNTED = 'suspected is not true';
export const COUNTED = sql.raw(IS_COUNTED);
/** SQL: visitors who are waiting for someone to act. */
export const WAITING = sql.raw(`urgent and ${IS_COUNTED} and test is not true and status in ('new', 'open')`);
/** SQL: feedback whose text is searched for frequent words. */
export const HAS_COUNTED_TEXT = `text is not null and ${IS_COUNTED} and test is not true`;
const COUNTED_TEXT = sql.raw(HAS_COUNTED_TEXT);

/**
 * Visitors' feedback. The id begins with its creation time, so the primary key is the feed's order and every list walks one of
 * these indexes.
 */
export const feedback = pgTable(
  'feedback',
  {
    accountId: text('account_id').notNull(),
    id: sortableText('id').notNull(),
    propertyId: text('property_id').notNull(),
    formId: text('form_id').notNull(),
    formVersion: integer('form_version').notNull(),
    /** SHA-256 of the key that identifies this submission and permits amending it. */
    keyHash: bytes('key_hash').notNull(),
    created: moment('created').notNull(),
    rating: smallint('rating').$type<Rating>().notNull(),
    urgent: boolean('urgent').notNull(),
    kind: text('kind', { enum: KINDS }).notNull(),
    source: text('source', { enum: SOURCES }).notNull(),
    text: text('text'),
    converted: moment('converted'),
    responses: jsonb('responses').$type<Response[]>().notNull(),
    screenWidth: integer('screen_width'),
    screenHeight: integer('screen_height'),
    url: text('url'),
    userId: text('user_id'),
    /** Null: never suspected. False: suspected until a teammate counted it. */
    suspected: boolean('suspected'),
    // The team's work. Statements that store visitors' answers omit these columns, so each has a default.
    status: text('status', { enum: STATUSES }).notNull().default('new'),
    statusBy: text('status_by'),
    statusAt: moment('status_at'),
    assignee: text('assignee'),
    tags: text('tags').array().notNull().default([]),
    /** The placement whose code or link was opened. */
    toolId: text('tool_id'),
    /** True for a teammate's test of the form, otherwise null. */
    test: boolean('test'),
    /** The language that the visitor read, if it isn't the form's own, so that most answers write to no index of it. */
    language: text('language', { enum: LANGUAGE_TAGS }),
    /** Whose message is the last in the conversation, which also omits this column when an answer is stored. */
    reply: text('reply', { enum: REPLIES }),
    /** The number of the visitor's order, which the property's till signed. Most answers have none. */
    orderNumber: text('order_number'),
    /** When the visitor last changed it (UTC ms), by their device's clock, which may be wrong. Null if their page didn't send it. */
    changed: bigint('changed', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Without suspected feedback, so that a flood of it slows no list.
    index('feedback_counted').on(table.accountId, table.id).where(COUNTED),
    index('feedback_of_property').on(table.accountId, table.propertyId, table.id).where(COUNTED),
    index('feedback_of_rating').on(table.accountId, table.rating, table.id).where(COUNTED),
    index('feedback_urgent').on(table.accountId, table.id).where(sql`urgent and ${COUNTED}`),
    index('feedback_suspected').on(table.accountId, table.id).where(sql`suspected`),
    // For requests of visitors about their data.
    index('feedback_asking').on(table.accountId, table.id).where(sql`kind = 'contact me'`),
    index('feedback_waiting').on(table.accountId, table.id).where(WAITING),
    // These contain only feedback that someone worked on, so storing a visitor's answer doesn't write to them.
    index('feedback_of_status').on(table.accountId, table.status, table.id).where(sql`status <> 'new'`),
    index('feedback_of_assignee').on(table.accountId, table.assignee, table.id).where(sql`assignee is not null`),
    index('feedback_of_tag').using('gin', table.tags).where(sql`tags <> '{}'`),
    index('feedback_of_tool').on(table.accountId, table.toolId, table.id).where(sql`tool_id is not null and ${COUNTED}`),
    index('feedback_of_language').on(table.accountId, table.language, table.id).where(sql`language is not null and ${COUNTED}`),
    // Only answers with an order number, so storing others doesn't write to it.
    index('feedback_of_order').on(table.accountId, table.orderNumber).where(sql`order_number is not null`),
    // Feedback with text, so that the latest texts are found quickly even if they are rare.
    index('feedback_said').on(table.accountId, table.id).where(COUNTED_TEXT),
    index('feedback_said_of_property').on(table.accountId, table.propertyId, table.id).where(COUNTED_TEXT),
    // The hash comes first, so that the planner, which has no statistics of a new database, never takes this index to find an account's id.
    uniqueIndex('feedback_key').on(table.keyHash, table.formId, table.accountId),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.toolId],
      foreignColumns: [tools.accountId, tools.propertyId, tools.id],
    }).onDelete('cascade'),
    ...valueChecks(table, { rating: [1, 5], text: MAX_TEXT, responses: 'array', orderNumber: LONGEST_ORDER_NUMBER }),
  ],
);

/** A person's read and unread marks, where they differ from `feedback_reader`. */
export const marks = pgTable(
  'feedback_mark',
  {
    accountId: text('account_id').notNull(),
    userId: text('user_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    unread: boolean('unread').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId, table.feedbackId] }),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('feedback_mark_of').on(table.accountId, table.feedbackId),
    ...valueChecks(table),
  ],
);

/** The start of a person's unread feedback: lower ids are read. Without a row, it starts when they joined. */
export const readers = pgTable(
  'feedback_reader',
  {
    accountId: text('account_id').notNull(),
    userId: text('user_id').notNull(),
    readUntil: sortableText('read_until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** A tally's `place` for the whole account. */
export const WHOLE_ACCOUNT = '';

/** The number of ratings of 1 to 5, in columns, so that a quarter of an hour has one row. */
const ratingColumns = () => ({
  one: integer('one').notNull(),
  two: integer('two').notNull(),
  three: integer('three').notNull(),
  four: integer('four').notNull(),
  five: integer('five').notNull(),
});

/**
 * The number of ratings in each quarter of an hour, so that no count reads feedback. Quarters, because every zone's midnight falls
 * on one. Concurrent writers add to separate rows (`lane`) and never wait for each other.
 */
export const feedbackTally = pgTable(
  'feedback_tally',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The id of a property or placement, or WHOLE_ACCOUNT. */
    place: text('place').notNull(),
    quarter: timestamp('quarter', { withTimezone: true, precision: 0 }).notNull(),
    lane: smallint('lane').notNull(),
    ...ratingColumns(),
    urgent: integer('urgent').notNull(),
    /** Suspected answers, which no other column includes. */
    suspected: integer('suspected').notNull().default(0),
    /** How many of the visitors who rated continued to a review service. */
    reviews: integer('reviews').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.place, table.quarter, table.lane] }), ...valueChecks(table)],
);

/** The same by day (UTC), so that reading a year of fifty places is fast. Written with the quarters, in the same lanes. */
export const feedbackDays = pgTable(
  'feedback_day',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    place: text('place').notNull(),
    day: date('day').notNull(),
    lane: smallint('lane').notNull(),
    ...ratingColumns(),
    urgent: integer('urgent').notNull().default(0),
    suspected: integer('suspected').notNull().default(0),
    reviews: integer('reviews').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.place, table.day, table.lane] }), ...valueChecks(table)],
);

/** The names of the tables that a cluster distributes by account: those that grow with feedback. */
export const DISTRIBUTED = [feedback, feedbackTally, feedbackDays, marks].map(getTableName);

/** The number of answers to a form from a network in each quarter of an hour. Unlogged, so a database crash empties it. */
export const submissionBudgets = pgTable(
  'submission_budget',
  {
    /** SHA-256 of form and network. */
    key: bytes('key').notNull(),
    quarter: timestamp('quarter', { withTimezone: true, precision: 0 }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.quarter] }), ...valueChecks(table)],
);
