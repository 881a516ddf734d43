import { sql } from 'drizzle-orm';
import {
  boolean,
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
import type { FeedbackSource, Kind, Response } from '#contract/feedback.ts';
import type { Rating } from '#contract/rating.ts';
import { accounts } from '../account/tables.ts';
import { forms } from '../form/tables.ts';
import { bytes, moment, sortableText } from '../kernel/columns.ts';

/** What the team's numbers and lists are made of, in SQL. */
export const IS_COUNTED = 'suspected is not true';
export const COUNTED = sql.raw(IS_COUNTED);

/**
 * What visitors said. The id begins with the moment of its making, so the primary key is the feed's order
 * and every list is a walk down one of these indexes.
 */
export const feedback = pgTable(
  'feedback',
  {
    accountId: text('account_id').notNull(),
    id: sortableText('id').notNull(),
    propertyId: text('property_id').notNull(),
    formId: text('form_id').notNull(),
    formVersion: integer('form_version').notNull(),
    /** SHA-256 of the key that names this submission and allows to amend it. */
    keyHash: bytes('key_hash').notNull(),
    created: moment('created').notNull(),
    rating: smallint('rating').$type<Rating>().notNull(),
    urgent: boolean('urgent').notNull(),
    kind: text('kind').$type<Kind>().notNull(),
    source: text('source').$type<FeedbackSource>().notNull(),
    text: text('text'),
    converted: moment('converted'),
    responses: jsonb('responses').$type<Response[]>().notNull(),
    screenWidth: integer('screen_width'),
    screenHeight: integer('screen_height'),
    url: text('url'),
    /** Null: never. False: it was, until a person of the team said that it counts. */
    suspected: boolean('suspected'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Without what is suspected, so that a flood of it lengthens no list.
    index('feedback_counted').on(table.accountId, table.id).where(COUNTED),
    index('feedback_of_property').on(table.accountId, table.propertyId, table.id).where(COUNTED),
    index('feedback_of_rating').on(table.accountId, table.rating, table.id).where(COUNTED),
    index('feedback_urgent').on(table.accountId, table.id).where(sql`urgent and ${COUNTED}`),
    index('feedback_suspected').on(table.accountId, table.id).where(sql`suspected`),
    uniqueIndex('feedback_key').on(table.accountId, table.formId, table.keyHash),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
  ],
);

/** In a tally's `place`: counts of the whole account instead of a property. */
export const WHOLE_ACCOUNT = '';

/**
 * How many ratings came in each quarter of an hour, so that no count reads feedback. Quarters, because every
 * zone's midnight falls on one. Writers that run side by side add to rows of their own (`lane`) and never wait.
 */
export const feedbackTally = pgTable(
  'feedback_tally',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** A property's id, or WHOLE_ACCOUNT. */
    place: text('place').notNull(),
    quarter: timestamp('quarter', { withTimezone: true, precision: 0 }).notNull(),
    lane: smallint('lane').notNull(),
    /** How many rated 1, 2, 3, 4 and 5: columns, because a month has a row for each of its quarters. */
    one: integer('one').notNull(),
    two: integer('two').notNull(),
    three: integer('three').notNull(),
    four: integer('four').notNull(),
    five: integer('five').notNull(),
    urgent: integer('urgent').notNull(),
    /** How many are in none of the other columns. */
    suspected: integer('suspected').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.place, table.quarter, table.lane] })],
);

/** How many answers to one form came from one network in each quarter of an hour. Unlogged: a crash of the database empties it. */
export const submissionBudgets = pgTable(
  'submission_budget',
  {
    /** SHA-256 of form and network. */
    key: bytes('key').notNull(),
    quarter: timestamp('quarter', { withTimezone: true, precision: 0 }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.quarter] })],
);
