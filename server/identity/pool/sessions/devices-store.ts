import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { REGION } from '#contract/identity/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { devices } from '../../tables.ts';
import { revokeAll } from './sessions-store.ts';

export type DeviceRow = typeof devices.$inferSelect;

interface DeviceOfPerson {
  readonly sub: string;
  readonly key: string;
}

/** The format of a device's key. */
export const DEVICE_KEY = /^[\w-]+_[0-9a-f-]+$/;
export const isKey = (key: string | undefined): key is string => key !== undefined && DEVICE_KEY.test(key);

/** Returns the key for a browser at its first sign-in. */
export const newKey = (): string => `${REGION}_${randomUUID()}`;

/** The most devices of one person. */
export const MOST_DEVICES = 60;

const isDevice = ({ sub, key }: DeviceOfPerson) => and(eq(devices.sub, sub), eq(devices.key, key));

/** Stores a device, or updates it if it was confirmed before. Above the limit, deletes the least recently used. */
export async function confirm(db: Transaction, row: typeof devices.$inferInsert): Promise<void> {
  const { name, salt, verifier, modified } = row;
  await db
    .insert(devices)
    .values(row)
    .onConflictDoUpdate({ target: [devices.sub, devices.key], set: { name, salt, verifier, modified } });
  await removeSurplus(db, row.sub);
}

async function removeSurplus(db: Transaction, sub: string): Promise<void> {
  const surplus = await db
    .select({ key: devices.key })
    .from(devices)
    .where(eq(devices.sub, sub))
    .orderBy(desc(devices.remembered), desc(devices.lastSignIn), devices.key)
    .offset(MOST_DEVICES);
  for (const { key } of surplus) await deleteRow(db, { sub, key });
}

export async function byKey(db: Transaction, { sub, key }: DeviceOfPerson): Promise<DeviceRow | undefined> {
  const [row] = await db.select().from(devices).where(isDevice({ sub, key }));
  return row;
}

/** Returns a person's remembered devices, newest sign-in first. */
export function byUser(db: Transaction, sub: string, limit: number): Promise<DeviceRow[]> {
  return db
    .select()
    .from(devices)
    .where(and(eq(devices.sub, sub), eq(devices.remembered, true)))
    .orderBy(desc(devices.lastSignIn), devices.key)
    .limit(limit);
}

/** Updates a device; returns false if there is no such device. */
export async function update(
  db: Transaction,
  { sub, key }: DeviceOfPerson,
  changes: Partial<Pick<DeviceRow, 'remembered' | 'modified' | 'lastSignIn'>>,
): Promise<boolean> {
  const rows = await db.update(devices).set(changes).where(isDevice({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}

interface DeviceToRemove extends DeviceOfPerson {
  /** The caller's own device, which stays signed in even if it is the one deleted. */
  readonly askedBy: string;
  readonly now: Date;
}

/** Deletes a device, and signs it out unless it is the caller's own; returns false if there is no such device. */
export async function remove(db: Transaction, { sub, key, askedBy, now }: DeviceToRemove): Promise<boolean> {
  if (!(await deleteRow(db, { sub, key }))) return false;
  if (key !== askedBy) await revokeAll(db, { sub, deviceKey: key, revoked: now, endedBy: 'signed-out' });
  return true;
}

async function deleteRow(db: Transaction, { sub, key }: DeviceOfPerson): Promise<boolean> {
  const rows = await db.delete(devices).where(isDevice({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}
