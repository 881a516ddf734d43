import { eq } from 'drizzle-orm';
import { type BrandLook, DEFAULT_CORNERS, type LogoPicture } from '#contract/brand/look.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { brands } from './tables.ts';

/** The table, for later modules to join in their queries. */
export { brands };

/** What pages need, without the logo for mails, which is large. */
export const LOOK = { accent: brands.accent, corners: brands.corners, logo: brands.logo };

type BrandRow = typeof brands.$inferSelect;

/** Returns the account's look. */
export async function read({ accountId, db }: AccountScope): Promise<BrandLook> {
  const [row] = await db.select(LOOK).from(brands).where(eq(brands.accountId, accountId));
  return lookOf(row);
}

/** Returns the account's look, locked until the transaction ends, so that concurrent changes run one after another. */
export async function lock({ accountId, db }: AccountScope): Promise<BrandLook> {
  await db.insert(brands).values({ accountId, corners: DEFAULT_CORNERS }).onConflictDoNothing();
  const [row] = await db.select(LOOK).from(brands).where(eq(brands.accountId, accountId)).for('no key update');
  return lookOf(row);
}

/** Replaces the account's look, and a new logo's picture for mails. Lock the look first. */
export async function save({ accountId, db }: AccountScope, { accent, corners, logo }: BrandLook, mailLogo?: LogoPicture): Promise<void> {
  await db
    .update(brands)
    .set({ accent: accent ?? null, corners, logo: logo ?? null, ...(mailLogo && { mailLogo }), ...(!logo && { mailLogo: null }) })
    .where(eq(brands.accountId, accountId));
}

/** Returns the account's look in mails. */
export async function readForMails({ accountId, db }: AccountScope): Promise<BrandLook> {
  const [row] = await db
    .select({ ...LOOK, mailLogo: brands.mailLogo })
    .from(brands)
    .where(eq(brands.accountId, accountId));
  const { logo, ...look } = lookOf(row);
  return { ...look, ...(logo && row?.mailLogo && { logo: { ...row.mailLogo, alt: logo.alt } }) };
}

/** Returns the look in a row; a missing one is the standard look. */
export const lookOf = (row: Pick<BrandRow, 'accent' | 'corners' | 'logo'> | null | undefined): BrandLook => ({
  corners: row?.corners ?? DEFAULT_CORNERS,
  ...(row?.accent && { accent: row.accent }),
  ...(row?.logo && { logo: row.logo }),
});
