import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { REGION } from '#contract/identity/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { devices } from '../../tables.ts';
import { revokeAll } from './sessions-store.ts';

export type DeviceRow = typeof devices.$inferSelect;

/** One device of one person. */
interface DeviceOfPerson {
  readonly sub: string;
  readonly key: string;
}

/** What a device's key looks like; one of another form is nobody's. */
export const DEVICE_KEY = /^[\w-]+_[0-9a-f-]+$/;
export const isKey = (key: string | undefined): key is string => key !== undefined && DEVICE_KEY.test(key);

/** The name that a browser is given at its first sign-in. */
export const newKey = (): string => `${REGION}_${randomUUID()}`;

/** What a person can have of them. */
export const MOST_DEVICES = 60;

const owned = ({ sub, key }: DeviceOfPerson) => and(eq(devices.sub, sub), eq(devices.key, key));

/** A device that is confirmed again keeps what it was. Where there are too many, those signed in with least recently go. */
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
  for (const { key } of surplus) await remove(db, { sub, key });
}

export async function byKey(db: Transaction, { sub, key }: DeviceOfPerson): Promise<DeviceRow | undefined> {
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
  { sub, key }: DeviceOfPerson,
  changes: Partial<Pick<DeviceRow, 'remembered' | 'modified' | 'lastSignIn'>>,
): Promise<boolean> {
  const rows = await db.update(devices).set(changes).where(owned({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}

interface ForgottenDevice extends DeviceOfPerson {
  /** The device that asks: it may be forgotten, and stays signed in. */
  readonly askedBy: string;
  readonly now: Date;
}

/** Forgets a device; another than the one that asks is signed out, too. False when there is no such device. */
export async function forget(db: Transaction, { sub, key, askedBy, now }: ForgottenDevice): Promise<boolean> {
  if (!(await remove(db, { sub, key }))) return false;
  if (key !== askedBy) await revokeAll(db, { sub, deviceKey: key, revoked: now, endedBy: 'signed-out' });
  return true;
}

async function remove(db: Transaction, { sub, key }: DeviceOfPerson): Promise<boolean> {
  const rows = await db.delete(devices).where(owned({ sub, key })).returning({ key: devices.key });
  return rows.length > 0;
}
