import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { type BrandLogo, CORNERS, type LogoPicture } from '#contract/brand/look.ts';
import { accounts } from '../account/tables.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** How an account's pages look to visitors. An account without a row has the standard look. */
export const brands = pgTable(
  'brand',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** As `#rrggbb`. */
    accent: text('accent'),
    corners: text('corners', { enum: CORNERS }).notNull(),
    logo: jsonb('logo').$type<BrandLogo>(),
    /** The same logo for mails. */
    mailLogo: jsonb('mail_logo').$type<LogoPicture>(),
  },
  (table) => valueChecks(table, { accent: 7, logo: 'object', mailLogo: 'object' }),
);
