import { eq } from 'drizzle-orm';
import { type BrandLook, DEFAULT_CORNERS } from '#contract/brand/look.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { brands } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { brands };

type BrandRow = typeof brands.$inferSelect;

/** Returns the account's look. */
export async function read({ accountId, db }: AccountScope): Promise<BrandLook> {
  const [row] = await db.select().from(brands).where(eq(brands.accountId, accountId));
  return lookOf(row);
}

export async function save({ accountId, db }: AccountScope, { accent, corners, logo }: BrandLook): Promise<void> {
  const row = { accent: accent ?? null, corners, logo: logo ?? null };
  await db
    .insert(brands)
    .values({ ...row, accountId })
    .onConflictDoUpdate({ target: brands.accountId, set: row });
}

/** Returns the look in a row; a missing one is the standard look. */
export const lookOf = (row: Pick<BrandRow, 'accent' | 'corners' | 'logo'> | null | undefined): BrandLook => ({
  corners: row?.corners ?? DEFAULT_CORNERS,
  ...(row?.accent && { accent: row.accent }),
  ...(row?.logo && { logo: row.logo }),
});
