import { and, desc, eq } from 'drizzle-orm';
import type { Transaction } from '../../kernel/database.ts';
import { devices } from '../tables.ts';

export type DeviceRow = typeof devices.$inferSelect;

/** One device of one person. */
interface Owned {
  readonly sub: string;
  readonly key: string;
}

const owned = ({ sub, key }: Owned) => and(eq(devices.sub, sub), eq(devices.key, key));

/** A device that is confirmed again keeps what it was. */
export async function confirm(db: Transaction, row: typeof devices.$inferInsert): Promise<void> {
  const { name, salt, verifier, modified } = row;
  await db
    .insert(devices)
    .values(row)
    .onConflictDoUpdate({ target: [devices.sub, devices.key], set: { name, salt, verifier, modified } });
}

export async function byKey(db: Transaction, { sub, key }: Owned): Promise<DeviceRow | undefined> {
  const [row] = await db.select().from(devices).where(owned({ sub, key }));
  return row;
}

/** The devices that a person asked to be remembered, newest sign-in first. */
export function remembered(db: Transaction, sub: string, limit: number): Promise<DeviceRow[]> {
  return db
    .select()
    .from(devices)
    .where(and(eq(devices.sub, sub), eq(devices.remembered, true)))
    .orderBy(desc(devices.lastSignIn), devices.key)
    .limit(limit);
}

/** False when there is no such device. */
export async function update(
  db: Transaction,
  { sub, key }: Owned,
  changes: Partial<Pick<DeviceRow, 'remembered' | 'modified' | 'lastSignIn'>>,
): Promise<boolean> {
  const rows = await db.update(devices).set(changes).where(owned({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}

/** False when there is no such device. */
export async function remove(db: Transaction, { sub, key }: Owned): Promise<boolean> {
  const rows = await db.delete(devices).where(owned({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}

/** Keeps a person's devices few: those signed in with least recently go first. */
export async function removeBeyond(db: Transaction, sub: string, most: number): Promise<void> {
  const surplus = await db
    .select({ key: devices.key })
    .from(devices)
    .where(eq(devices.sub, sub))
    .orderBy(desc(devices.remembered), desc(devices.lastSignIn), devices.key)
    .offset(most);
  for (const { key } of surplus) await remove(db, { sub, key });
}
