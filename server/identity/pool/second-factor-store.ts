import { and, eq, lt } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { totps } from '../tables.ts';

export type TotpRow = typeof totps.$inferSelect;

/** A person's app; nobody else changes it until the transaction ends. */
export async function lockBySub(db: Transaction, sub: string): Promise<TotpRow | undefined> {
  const [row] = await db.select().from(totps).where(eq(totps.sub, sub)).for('update');
  return row;
}

export async function isEnabled(db: Transaction, sub: string): Promise<boolean> {
  const rows = await db
    .select({ sub: totps.sub })
    .from(totps)
    .where(and(eq(totps.sub, sub), eq(totps.enabled, true)));
  return rows.length > 0;
}

/** A new secret in place of one that is not in use. False where one is. */
export async function put(db: Transaction, { sub, secret }: Pick<TotpRow, 'sub' | 'secret'>): Promise<boolean> {
  const rows = await db
    .insert(totps)
    .values({ sub, secret })
    .onConflictDoUpdate({ target: totps.sub, set: { secret, verified: false, lastStep: 0 }, setWhere: eq(totps.enabled, false) })
    .returning({ sub: totps.sub });
  return rows.length > 0;
}

export async function update(db: Transaction, sub: string, changes: Partial<Pick<TotpRow, 'verified' | 'enabled'>>): Promise<void> {
  await db.update(totps).set(changes).where(eq(totps.sub, sub));
}

/** Takes a step, once. False where it was taken before. */
export async function takeStep(db: Transaction, sub: string, lastStep: number): Promise<boolean> {
  const rows = await db
    .update(totps)
    .set({ lastStep })
    .where(and(eq(totps.sub, sub), lt(totps.lastStep, lastStep)))
    .returning({ sub: totps.sub });
  return rows.length > 0;
}

export async function remove(db: Transaction, sub: string): Promise<void> {
  await db.delete(totps).where(eq(totps.sub, sub));
}
