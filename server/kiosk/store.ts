import { and, eq, gt, inArray, isNotNull, isNull, lt, type SQL } from 'drizzle-orm';
import type { OpeningHours } from '#contract/kiosk/hours.ts';
import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import { NO_ZONE_CLOCK } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { isNotDeleted } from '../account/store.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { properties } from '../property/store.ts';
import * as tools from '../tool/store.ts';
import { kiosks } from './tables.ts';

type KioskRow = typeof kiosks.$inferSelect;

/** A kiosk with the fields that only the server reads. */
export interface StoredKiosk {
  readonly kiosk: Kiosk;
  readonly formId: string;
  readonly pinHash: Buffer;
}

/** Returns the kiosks of the account or one property, by name. */
export async function all(scope: AccountScope, propertyId?: string): Promise<Kiosk[]> {
  const placements = (await tools.all(scope, propertyId)).filter(({ data }) => data.toolType === 'kiosk');
  const ids = placements.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await scope.db
          .select()
          .from(kiosks)
          .where(and(isOf(scope), inArray(kiosks.id, ids)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return placements.flatMap((tool) => {
    const row = byId.get(tool.id);
    return row ? [record(row, tool)] : [];
  });
}

export const byId = (scope: AccountScope, id: string): Promise<StoredKiosk | undefined> => one(scope, eq(kiosks.id, id));

/** Returns the kiosk of a paired tablet. */
export const byToken = (scope: AccountScope, tokenHash: Buffer): Promise<StoredKiosk | undefined> =>
  one(scope, eq(kiosks.tokenHash, tokenHash));

async function one(scope: AccountScope, condition: SQL): Promise<StoredKiosk | undefined> {
  const { formId } = properties;
  const [row] = await scope.db
    .select({ kiosk: kiosks, formId })
    .from(kiosks)
    .innerJoin(properties, OF_PROPERTY)
    .where(and(isOf(scope), condition));
  const tool = row && (await tools.byId(scope, row.kiosk.id));
  // Not the placement's form, which is the one it was printed for.
  return tool && { kiosk: record(row.kiosk, tool), formId: row.formId, pinHash: row.kiosk.pinHash };
}

const OF_PROPERTY = and(eq(properties.accountId, kiosks.accountId), eq(properties.id, kiosks.propertyId), isNull(properties.deleted));

type KioskSettings = Pick<KioskRow, 'id' | 'propertyId' | 'hours' | 'thanks' | 'repeatWithin' | 'pinHash'>;

export async function insert({ accountId, db }: AccountScope, row: KioskSettings): Promise<void> {
  await db.insert(kiosks).values({ ...row, accountId });
}

export async function change(scope: AccountScope, id: string, changes: Partial<Omit<KioskRow, 'accountId' | 'id'>>): Promise<void> {
  await scope.db
    .update(kiosks)
    .set(changes)
    .where(and(isOf(scope), eq(kiosks.id, id)));
}

/** Ends the access of a kiosk's tablet, and its pairing code. Returns false if it has no tablet. */
export async function unpair(scope: AccountScope, id: string): Promise<boolean> {
  await change(scope, id, { codeHash: null, codeUntil: null });
  const { rowCount } = await scope.db
    .update(kiosks)
    .set(UNPAIRED)
    .where(and(isOf(scope), eq(kiosks.id, id), isNotNull(kiosks.tokenHash)));
  return rowCount === 1;
}

const UNPAIRED = { tokenHash: null, paired: null, seen: null, waiting: null, version: null, silent: null };

/** Returns the account of a pairing code that is still valid. */
export async function accountOfCode({ db, now }: OperatorScope, codeHash: Buffer): Promise<string | undefined> {
  const [row] = await db.select({ accountId: kiosks.accountId }).from(kiosks).where(isCode(codeHash, now));
  return row?.accountId;
}

/** Uses a pairing code, once. Returns the kiosk's id; undefined if the code isn't valid. */
export async function pair(
  scope: AccountScope,
  { codeHash, tokenHash }: { codeHash: Buffer; tokenHash: Buffer },
): Promise<string | undefined> {
  const [row] = await scope.db
    .update(kiosks)
    .set({ ...UNPAIRED, tokenHash, paired: scope.now, seen: scope.now, codeHash: null, codeUntil: null })
    .where(and(isOf(scope), isCode(codeHash, scope.now)))
    .returning({ id: kiosks.id });
  return row?.id;
}

const isCode = (codeHash: Buffer, now: Date): SQL | undefined => and(eq(kiosks.codeHash, codeHash), gt(kiosks.codeUntil, now));

/* ── Silence ── */

/** A paired kiosk that hasn't reported for a while. */
interface QuietKiosk {
  readonly accountId: string;
  readonly id: string;
  readonly hours: OpeningHours;
  readonly seen: Date;
  readonly zone: string;
}

/** Returns the paired kiosks of all accounts that reported last before a time, without those marked as silent. */
export async function seenBefore({ db }: OperatorScope, before: Date): Promise<QuietKiosk[]> {
  const rows = await db
    .select({ accountId: kiosks.accountId, id: kiosks.id, hours: kiosks.hours, seen: kiosks.seen, zone: properties.timeZone })
    .from(kiosks)
    .innerJoin(properties, OF_PROPERTY)
    .where(and(isNotNull(kiosks.tokenHash), isNull(kiosks.silent), lt(kiosks.seen, before), isNotDeleted(kiosks.accountId)));
  return rows.map((row) => ({ ...row, seen: row.seen ?? before, zone: row.zone ?? NO_ZONE_CLOCK }));
}

/** Marks a kiosk as silent unless it has reported since. Returns false if it has. */
export async function markSilent(scope: AccountScope, { id, seen }: Pick<QuietKiosk, 'id' | 'seen'>): Promise<boolean> {
  const { rowCount } = await scope.db
    .update(kiosks)
    .set({ silent: seen })
    .where(and(isOf(scope), eq(kiosks.id, id), eq(kiosks.seen, seen), isNull(kiosks.silent)));
  return rowCount === 1;
}

const isOf = ({ accountId }: AccountScope): SQL => eq(kiosks.accountId, accountId);

const record = ({ accountId, id, propertyId, hours, thanks, repeatWithin, ...row }: KioskRow, tool: Tool): Kiosk => ({
  id,
  sk: 'KIOSK',
  gs1sk: propertyId,
  data: {
    accountId,
    propertyId,
    displayName: tool.data.displayName,
    created: tool.data.created,
    hours,
    ...(thanks && { thanks }),
    repeatWithin,
    ...(row.paired && { paired: row.paired.getTime() }),
    ...(row.seen && { seen: row.seen.getTime() }),
    ...(row.waiting !== null && { waiting: row.waiting }),
    ...(row.version !== null && { version: row.version }),
    ...(row.silent && { silent: row.silent.getTime() }),
  },
});
