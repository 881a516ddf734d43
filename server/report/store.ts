import { and, asc, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { DAY } from '#contract/core/time.ts';
import { comingPeriod, nextPeriod, REPORT_KINDS, type ReportKind, type ReportPeriod } from '#contract/report/report.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { reports } from './tables.ts';

/** A report that is to be made. */
export interface DueReport {
  readonly accountId: string;
  readonly propertyId: string;
  readonly kind: ReportKind;
  readonly firstDay: string;
  readonly due: Date;
}

/** Reports of all accounts whose time has come, the longest due first, behind one of them. An index gives these and no others. */
export function due({ db, now }: OperatorScope, after: DueReport | undefined, most: number): Promise<DueReport[]> {
  const { due, accountId, propertyId, kind } = reports;
  const behind =
    after && sql`(${due}, ${accountId}, ${propertyId}, ${kind}) > (${after.due}, ${after.accountId}, ${after.propertyId}, ${after.kind})`;
  return db
    .select({ accountId, propertyId, kind, firstDay: reports.firstDay, due })
    .from(reports)
    .where(and(isNull(reports.made), lte(due, now), behind))
    .orderBy(asc(due), asc(accountId), asc(propertyId), asc(kind))
    .limit(most);
}

/** The reports of a property that come next, one of each kind that somebody gets. */
export function waiting({ accountId, db }: AccountScope, propertyId: string): Promise<DueReport[]> {
  return db
    .select({
      accountId: reports.accountId,
      propertyId: reports.propertyId,
      kind: reports.kind,
      firstDay: reports.firstDay,
      due: reports.due,
    })
    .from(reports)
    .where(and(eq(reports.accountId, accountId), eq(reports.propertyId, propertyId), isNull(reports.made)));
}

/** What reports of a property go by: who gets them, and its clock. */
export interface ReportSettings {
  readonly id: string;
  readonly lists: Readonly<Record<ReportKind, readonly string[]>>;
  readonly zone: string;
}

/**
 * Says which reports of a property come next, by its lists and its clock. One that is due stays: it is made by what was so far.
 * The caller holds the property.
 */
export async function plan(scope: AccountScope, { id, lists, zone }: ReportSettings): Promise<void> {
  const planned = new Map((await waiting(scope, id)).map((each) => [each.kind, each]));
  for (const kind of REPORT_KINDS) {
    const next = planned.get(kind);
    if (next && next.due <= scope.now) continue;
    if (next) await forgetWaiting(scope, id, kind);
    if (lists[kind].length > 0) await insertNext(scope, id, { period: comingPeriod(kind, scope.now.getTime(), zone), zone });
  }
}

/** Says which report follows one that was made or skipped. It may be due as well, where the product was down for long. */
export async function follow(scope: AccountScope, { id, lists, zone }: ReportSettings, made: ReportPeriod): Promise<void> {
  if (lists[made.kind].length > 0) await insertNext(scope, id, { period: nextPeriod(made, zone), zone });
}

/** Adds the first of these periods that no report was made of. */
async function insertNext(
  scope: AccountScope,
  propertyId: string,
  { period, zone }: { period: ReportPeriod; zone: string },
): Promise<void> {
  const { accountId, db } = scope;
  const { kind, firstDay, due } = period;
  const { rowCount } = await db
    .insert(reports)
    .values({ accountId, propertyId, kind, firstDay, due: new Date(due) })
    .onConflictDoNothing();
  if (rowCount === 0) await insertNext(scope, propertyId, { period: nextPeriod(period, zone), zone });
}

async function forgetWaiting({ accountId, db }: AccountScope, propertyId: string, kind: ReportKind): Promise<void> {
  await db.delete(reports).where(and(ofKind(accountId, propertyId, kind), isNull(reports.made)));
}

/** Notes that a report was made, or skipped, and forgets those of long ago. */
export async function markMade(
  { accountId, db, now }: AccountScope,
  { propertyId, kind, firstDay }: DueReport,
  people: number,
): Promise<void> {
  await db
    .update(reports)
    .set({ made: now, people })
    .where(and(ofKind(accountId, propertyId, kind), eq(reports.firstDay, firstDay)));
  await db
    .delete(reports)
    .where(and(ofKind(accountId, propertyId, kind), isNotNull(reports.made), lt(reports.made, new Date(now.getTime() - KEPT))));
}

/** Longer than anything could ask for the same period again. */
const KEPT = 400 * DAY;

/** Of a property that is gone. */
export async function forget({ accountId, db }: AccountScope, propertyId: string): Promise<void> {
  await db.delete(reports).where(and(eq(reports.accountId, accountId), eq(reports.propertyId, propertyId)));
}

const ofKind = (accountId: string, propertyId: string, kind: ReportKind) =>
  and(eq(reports.accountId, accountId), eq(reports.propertyId, propertyId), eq(reports.kind, kind));
