import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../kernel/database.ts';
import { devices, users } from './tables.ts';

export type User = typeof users.$inferSelect;

/** False when the address, or the name, is taken. */
export async function insert(db: Transaction, row: typeof users.$inferInsert): Promise<boolean> {
  const added = await db.insert(users).values(row).onConflictDoNothing().returning({ sub: users.sub });
  return added.length > 0;
}

/** Who signs in with this address (lower case), and whether with a device of theirs. */
export async function byEmail(
  db: Transaction,
  email: string,
  deviceKey: string | undefined,
): Promise<{ user: User; isKnownDevice: boolean } | undefined> {
  const [row] = await db
    .select({ user: users, device: devices.key })
    .from(users)
    .leftJoin(devices, and(eq(devices.sub, users.sub), eq(devices.key, deviceKey ?? '')))
    .where(eq(users.email, email));
  return row && { user: row.user, isKnownDevice: row.device !== null };
}

/** The person as long as this password is still theirs; nobody else changes it until the transaction ends. */
export async function heldWithCredential(
  db: Transaction,
  { sub, credential }: Pick<User, 'sub' | 'credential'>,
): Promise<User | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.sub, sub), eq(users.credential, credential)))
    .for('share');
  return user;
}

/** The same password under a stronger hash. */
export async function rehash(db: Transaction, { sub, credential }: Pick<User, 'sub' | 'credential'>, password: string): Promise<void> {
  await db
    .update(users)
    .set({ password })
    .where(and(eq(users.sub, sub), eq(users.credential, credential)));
}
