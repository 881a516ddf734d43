import { and, asc, count, eq, inArray, lt, sql } from 'drizzle-orm';
import type { PushDevice } from '#contract/notification/device.ts';
import { deleteSome } from '../../platform/database/batches.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { AccountScope, OperatorScope } from '../../platform/tenancy/access.ts';
import { devices, pushKeys } from './tables.ts';

export type PushDeviceRow = typeof devices.$inferSelect;

/** A person's devices, oldest first. */
export const byUser = ({ accountId, db }: AccountScope, userId: string): Promise<PushDeviceRow[]> =>
  db
    .select()
    .from(devices)
    .where(and(eq(devices.accountId, accountId), eq(devices.userId, userId)))
    .orderBy(asc(devices.created), asc(devices.id));

/** Counts the devices of each of these people who has any. */
export async function countByUser({ accountId, db }: AccountScope, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { userId } = devices;
  const rows = await db
    .select({ userId, devices: count() })
    .from(devices)
    .where(and(eq(devices.accountId, accountId), inArray(userId, [...userIds])))
    .groupBy(userId);
  return new Map(rows.map((row) => [row.userId, row.devices]));
}

export async function byId({ accountId, db }: AccountScope, id: string): Promise<PushDeviceRow | undefined> {
  const [row] = await db.select().from(devices).where(isDevice(accountId, id));
  return row;
}

const isDevice = (accountId: string, id: string) => and(eq(devices.accountId, accountId), eq(devices.id, id));

/** Adds a device, or changes the one with this address. */
export async function save(
  { accountId, db, now }: AccountScope,
  row: Omit<typeof devices.$inferInsert, 'accountId' | 'created'>,
): Promise<PushDeviceRow> {
  const { session, sealed, label, showsWords } = row;
  const [stored] = await db
    .insert(devices)
    .values({ ...row, accountId, created: now })
    .onConflictDoUpdate({ target: devices.hash, set: { session, sealed, label, showsWords, failingSince: null } })
    .returning();
  if (!stored) throw new Error('The device was not stored');
  return stored;
}

/** Deletes an address from everyone else's devices, because the browser now belongs to another person. */
export async function release({ db }: OperatorScope, { hash, except }: { readonly hash: Buffer; readonly except: string }): Promise<void> {
  await db.delete(devices).where(and(eq(devices.hash, hash), sql`${devices.userId} <> ${except}`));
}

/** Deletes a person's device. Returns whether there was one. */
export async function remove(
  { accountId, db }: AccountScope,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<boolean> {
  const { rowCount } = await db.delete(devices).where(and(isDevice(accountId, id), eq(devices.userId, userId)));
  return rowCount === 1;
}

export async function markDelivered({ accountId, db, now }: AccountScope, id: string): Promise<void> {
  await db.update(devices).set({ delivered: now, failingSince: null }).where(isDevice(accountId, id));
}

export async function markFailing({ accountId, db, now }: AccountScope, id: string): Promise<void> {
  const failingSince = sql`coalesce(${devices.failingSince}, ${now.toISOString()}::timestamptz)`;
  await db.update(devices).set({ failingSince }).where(isDevice(accountId, id));
}

/** Deletes devices to which pushes have failed since a moment. */
export const deleteFailing = ({ db }: OperatorScope, since: Date): Promise<number> =>
  deleteSome(db, devices, lt(devices.failingSince, since));

/* ── The installation's keys ── */

type PushKeyRow = typeof pushKeys.$inferSelect;

export async function keysOf(db: Transaction, secret: string): Promise<PushKeyRow | undefined> {
  const [row] = await db.select().from(pushKeys).where(eq(pushKeys.secret, secret));
  return row;
}

/** Adds a pair, unless another process has added one. */
export async function addKeys(db: Transaction, row: PushKeyRow): Promise<void> {
  await db.insert(pushKeys).values(row).onConflictDoNothing();
}

/** Returns a device as the API sends it. */
export function deviceOf({ id, userId, label, showsWords, created, delivered, failingSince }: PushDeviceRow): PushDevice {
  return {
    id,
    sk: 'DEVICE',
    gs1sk: userId,
    data: {
      label,
      showsWords,
      created: created.getTime(),
      ...(delivered && { delivered: delivered.getTime() }),
      ...(failingSince && { failingSince: failingSince.getTime() }),
    },
  };
}
