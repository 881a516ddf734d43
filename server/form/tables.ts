import { foreignKey, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { REVIEW_INVITATIONS, type Step } from '#contract/form/form.ts';
import { LANGUAGE_TAGS, type Translations } from '#contract/language/languages.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { properties } from '../property/tables.ts';

/** Forms by their public id. Their content is in their versions. */
export const forms = pgTable(
  'form',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    propertyId: text('property_id').notNull(),
    /** The current version. */
    version: integer('version').notNull(),
    /** When the form was closed. */
    closed: moment('closed'),
    /** When the form was deleted. Always set together with `closed`. */
    deleted: moment('deleted'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('form_id_unique').on(table.id),
    // Feedback refers to all three columns, so that it can't mix accounts or properties (docs/rules.md#same-account).
    unique('form_of_property').on(table.accountId, table.propertyId, table.id),
    foreignKey({
      columns: [table.accountId, table.propertyId],
      foreignColumns: [properties.accountId, properties.id],
    }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);

/** Immutable (docs/rules.md#form-versions). Each answer belongs to a version. */
export const formVersions = pgTable(
  'form_version',
  {
    accountId: text('account_id').notNull(),
    formId: text('form_id').notNull(),
    version: integer('version').notNull(),
    steps: jsonb('steps').$type<Step[]>().notNull(),
    inviteToReview: text('invite_to_review', { enum: REVIEW_INVITATIONS }).notNull(),
    /** The language that the steps are written in. */
    language: text('language', { enum: LANGUAGE_TAGS }).notNull().default('en'),
    translations: jsonb('translations').$type<Translations>().notNull().default({}),
    saved: moment('saved').notNull(),
    savedBy: text('saved_by').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.formId, table.version] }),
    foreignKey({ columns: [table.accountId, table.formId], foreignColumns: [forms.accountId, forms.id] }).onDelete('cascade'),
    ...valueChecks(table, { steps: 'array', translations: 'object' }),
  ],
);
