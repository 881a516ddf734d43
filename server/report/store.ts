import { and, asc, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { DAY } from '#contract/core/time.ts';
import { comingPeriod, nextPeriod, REPORT_KINDS, type ReportKind, type ReportPeriod } from '#contract/report/report.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { reports } from './tables.ts';

/** A report that isn't made yet. */
export interface DueReport {
  readonly accountId: string;
  readonly propertyId: string;
  readonly kind: ReportKind;
  readonly firstDay: string;
  readonly due: Date;
}

/** Returns due reports of all accounts, the longest due first, after one of them. An index has exactly these rows. */
export function due({ db, now }: OperatorScope, after: DueReport | undefined, most: number): Promise<DueReport[]> {
  const { due, accountId, propertyId, kind } = reports;
  const isAfterCursor =
    after && sql`(${due}, ${accountId}, ${propertyId}, ${kind}) > (${after.due}, ${after.accountId}, ${after.propertyId}, ${after.kind})`;
  return db
    .select({ accountId, propertyId, kind, firstDay: reports.firstDay, due })
    .from(reports)
    .where(and(isNull(reports.made), lte(due, now), isAfterCursor))
    .orderBy(asc(due), asc(accountId), asc(propertyId), asc(kind))
    .limit(most);
}

/** Returns a property's next reports, one of each kind that has recipients. */
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

/** The settings of a property's reports: recipients and time zone. */
export interface ReportSettings {
  readonly id: string;
  readonly lists: Readonly<Record<ReportKind, readonly string[]>>;
  readonly zone: string;
}

/** Plans a property's next reports from its lists and time zone, except those already due. The caller has locked the property. */
export async function plan(scope: AccountScope, { id, lists, zone }: ReportSettings): Promise<void> {
  const planned = new Map((await waiting(scope, id)).map((each) => [each.kind, each]));
  for (const kind of REPORT_KINDS) {
    const next = planned.get(kind);
    if (next && next.due <= scope.now) continue;
    if (next) await removeWaiting(scope, id, kind);
    if (lists[kind].length > 0) await insertNext(scope, id, { period: comingPeriod(kind, scope.now.getTime(), zone), zone });
  }
}

/** Plans the report after one that was made or skipped. It may be due already if the product was down for long. */
export async function planNext(scope: AccountScope, { id, lists, zone }: ReportSettings, made: ReportPeriod): Promise<void> {
  if (lists[made.kind].length > 0) await insertNext(scope, id, { period: nextPeriod(made, zone), zone });
}

/** Adds the first period, from this one on, that has no report yet. */
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

async function removeWaiting({ accountId, db }: AccountScope, propertyId: string, kind: ReportKind): Promise<void> {
  await db.delete(reports).where(and(ofKind(accountId, propertyId, kind), isNull(reports.made)));
}

/** Marks a report as made or skipped, and deletes old ones. */
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
    .where(and(ofKind(accountId, propertyId, kind), isNotNull(reports.made), lt(reports.made, new Date(now.getTime() - RETENTION))));
}

/** Long enough that the same period can't be planned again. */
const RETENTION = 400 * DAY;

/** Deletes the reports of a deleted property. */
export async function removeAll({ accountId, db }: AccountScope, propertyId: string): Promise<void> {
  await db.delete(reports).where(and(eq(reports.accountId, accountId), eq(reports.propertyId, propertyId)));
}

const ofKind = (accountId: string, propertyId: string, kind: ReportKind) =>
  and(eq(reports.accountId, accountId), eq(reports.propertyId, propertyId), eq(reports.kind, kind));
