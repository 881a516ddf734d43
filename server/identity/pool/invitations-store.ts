import { eq, lt } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { invitations } from '../tables.ts';

export type InvitationRow = typeof invitations.$inferSelect;

/** A new invitation of the same person ends the one before. */
export async function put(db: Transaction, row: InvitationRow): Promise<void> {
  const { sub: _sub, ...set } = row;
  await db.insert(invitations).values(row).onConflictDoUpdate({ target: invitations.sub, set });
}

/** The invitation that a key opens; nobody else accepts it until the transaction ends. */
export async function lockByKey(db: Transaction, key: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.key, key)).for('update');
  return row;
}

export async function remove(db: Transaction, sub: string): Promise<void> {
  await db.delete(invitations).where(eq(invitations.sub, sub));
}

/** Forgets invitations that nobody accepted in time. */
export async function removeOld(db: Transaction, before: Date): Promise<void> {
  await db.delete(invitations).where(lt(invitations.expires, before));
}
