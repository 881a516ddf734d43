import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { feedbackIdFloor } from '#contract/core/ids.ts';
import { QUARTER_HOUR } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { awaitsReply, type OpenState, WAITING_STATUSES } from '#contract/feedback/work.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { purging } from '../platform/database/batches.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { DELETED_IDS } from '../property/store.ts';
import { isUnread, markUnreadForAll, readBy, readUntil } from './read-marks-store.ts';
import { type FeedbackRow, OF_LIVE_PROPERTIES, recordOf } from './record-store.ts';
import type { NewFeedback } from './submission-store.ts';
import { COUNTED, feedback, WHOLE_ACCOUNT } from './tables.ts';
import { AMENDMENT_LANE, addCounts } from './tally-store.ts';

export { count, type FeedbackListQuery, list, page } from './list-store.ts';
export { markLate } from './read-marks-store.ts';
export { OF_LIVE_PROPERTIES } from './record-store.ts';
export {
  countedIds,
  countedWords,
  type IdRange,
  idsWithWords,
  lastOfNextTexts,
  newestWithWords,
  type SomeAnswers,
} from './search-store.ts';
export { type Insert, insertMany, type NewFeedback } from './submission-store.ts';
export { DISTRIBUTED } from './tables.ts';

/** Permanently deletes a purged account's feedback. */
export const purge = purging(feedback.accountId, feedback.id);

/** Returns the feedback with a key. */
export async function byKey({ accountId, db }: AccountScope, formId: string, keyHash: string): Promise<Feedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(hasKey(accountId, formId, keyHash));
  return row && recordOf(row);
}

/** Returns the languages, other than the forms' own, in which visitors answered. */
export async function languagesOf({ accountId, db }: AccountScope): Promise<LanguageTag[]> {
  const rows = await db
    .selectDistinct({ language: feedback.language })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), isNotNull(feedback.language), COUNTED));
  return rows.flatMap(({ language }) => language ?? []);
}

/** Returns the hashed keys of feedback. */
export async function keyHashes({ accountId, db }: AccountScope, ids: readonly string[]): Promise<Buffer[]> {
  const rows = await db
    .select({ keyHash: feedback.keyHash })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids])));
  return rows.map(({ keyHash }) => keyHash);
}

/** Feedback, and when its visitor last changed it, by their device's clock (UTC ms). */
interface LockedFeedback {
  readonly feedback: Feedback;
  readonly changed: number | null;
}

/** Returns the feedback with a key, locked until the transaction ends so that concurrent amendments run one after another. */
export async function lockByKey({ accountId, db }: AccountScope, formId: string, keyHash: string): Promise<LockedFeedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(hasKey(accountId, formId, keyHash))
    .for('no key update');
  return row && { feedback: recordOf(row), changed: row.changed };
}

/** Records when a visitor last changed their feedback, if it has the same answers as before. */
export async function markChanged({ accountId, db }: AccountScope, id: string, changed: number): Promise<void> {
  await db
    .update(feedback)
    .set({ changed })
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, id)));
}

const hasKey = (accountId: string, formId: string, keyHash: string) =>
  and(eq(feedback.accountId, accountId), eq(feedback.formId, formId), eq(feedback.keyHash, Buffer.from(keyHash, 'hex')));

/** The parts of feedback that an amendment replaces. */
type Amendment = Pick<NewFeedback, 'rating' | 'urgent' | 'kind' | 'source' | 'text' | 'converted' | 'responses' | 'changed'>;

/** Replaces a visitor's answers and adjusts the counts. Lock the row first (`lockByKey`). */
export async function amend(scope: AccountScope, before: Feedback, after: Amendment): Promise<Feedback> {
  const { accountId, db } = scope;
  const { converted, responses, text, ...rest } = after;
  const [row] = await db
    .update(feedback)
    .set({ ...rest, text: text ?? null, converted: converted === undefined ? null : new Date(converted), responses: [...responses] })
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, before.id)))
    .returning();
  if (!row) throw new Error('Feedback vanished while it was locked');
  if (!before.data.suspected && !before.data.test && affectsCounts(before, after)) await moveTally(scope, before, after);
  return recordOf(row);
}

const affectsCounts = ({ gs1sk, data }: Feedback, { rating, urgent, converted }: Amendment): boolean =>
  data.rating !== rating || (gs1sk === 'URGENT') !== urgent || (data.converted === undefined) !== (converted === undefined);

/** Moves an answer's counts. Those of a deleted property were subtracted from the account's. */
async function moveTally(
  { accountId, db }: AccountScope,
  { gs1sk, data }: Feedback,
  after: Pick<Amendment, 'rating' | 'urgent' | 'converted'>,
): Promise<void> {
  const quarter = new Date(Math.floor(data.created / QUARTER_HOUR) * QUARTER_HOUR);
  const moved = RATINGS.map((rating) => Number(after.rating === rating) - Number(data.rating === rating));
  const urgent = Number(after.urgent) - Number(gs1sk === 'URGENT');
  const reviews = Number(after.converted !== undefined) - Number(data.converted !== undefined);
  await addCounts(
    db,
    sql`select ${accountId}::text as account_id, place, ${quarter.toISOString()}::timestamptz as quarter, ${AMENDMENT_LANE}::smallint as lane,
               ${moved[0]}::integer as one, ${moved[1]}::integer as two, ${moved[2]}::integer as three, ${moved[3]}::integer as four,
               ${moved[4]}::integer as five, ${reviews}::integer as reviews, ${urgent}::integer as urgent, 0 as suspected
          from (values (${WHOLE_ACCOUNT}), (${data.projectId}::text), (${data.toolId ?? null}::text)) as places (place)
         where place is not null and ${data.projectId} <> all (array(${sql.raw(DELETED_IDS)}))`,
  );
}

interface OpenStateRow
  extends Pick<FeedbackRow, 'id' | 'urgent' | 'kind' | 'suspected' | 'test' | 'reply' | 'status' | 'statusBy' | 'assignee'> {
  readonly statusAt: number | null;
  readonly readBy: string | null;
}

/**
 * Returns, by id, whether someone still has to act on feedback. Leaves out unknown ids and deleted properties. Lateral with a limit,
 * so that each is looked up by its key: the planner's statistics don't include recent feedback.
 */
export async function openStates(scope: AccountScope, ids: readonly string[]): Promise<ReadonlyMap<string, OpenState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.db.execute<OpenStateRow & Record<string, unknown>>(sql`
    select item.* from unnest(${sql.param(ids)}::text[]) as wanted (id) cross join lateral (
      select id, urgent, kind, suspected, test, reply, status, status_by as "statusBy", assignee, ${readBy(scope)} as "readBy",
             floor(extract(epoch from status_at) * 1000)::float8 as "statusAt"
        from feedback
       where account_id = ${scope.accountId} and id = wanted.id and ${OF_LIVE_PROPERTIES} limit 1) as item`);
  return new Map(rows.map((row) => [row.id, openStateOf(row)]));
}

const openStateOf = ({ urgent, kind, ...row }: OpenStateRow): OpenState => ({
  gs1sk: urgent ? 'URGENT' : 'NORMAL',
  data: {
    ...(kind === 'contact me' && { contact: {} }),
    suspected: row.suspected === true,
    ...(row.test && { test: true }),
    reply: row.reply ?? undefined,
    status: row.status,
    statusBy: row.statusBy ?? undefined,
    statusAt: row.statusAt ?? undefined,
    assignee: row.assignee ?? undefined,
  },
  readBy: row.readBy ?? undefined,
});

export async function byId(scope: AccountScope, id: string): Promise<Feedback | undefined> {
  const [item] = await some(scope, [id]);
  return item;
}

/** Unassigns a person who leaves the team from all feedback. */
export async function unassign({ accountId, db }: AccountScope, userId: string): Promise<void> {
  await db
    .update(feedback)
    .set({ assignee: null })
    .where(and(eq(feedback.accountId, accountId), eq(feedback.assignee, userId)));
}

/** Returns the existing rows, newest first, locked until the transaction ends. */
export const lockMany = ({ accountId, db }: AccountScope, ids: readonly string[]): Promise<FeedbackRow[]> =>
  db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids]), OF_LIVE_PROPERTIES))
    .orderBy(desc(feedback.id))
    .for('no key update');

/** Returns the existing feedback, newest first. */
export async function some(scope: AccountScope, ids: readonly string[]): Promise<Feedback[]> {
  const { accountId, db } = scope;
  const rows = await db
    .select({ ...getTableColumns(feedback), unread: isUnread(scope, await readUntil(scope)) })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids]), OF_LIVE_PROPERTIES))
    .orderBy(desc(feedback.id));
  return rows.map(recordOf);
}

/** Counts suspected feedback, or undoes that, and adjusts the counts. Returns what changed. */
export async function trust(
  scope: AccountScope,
  ids: readonly string[],
  counts: boolean,
): Promise<Pick<FeedbackRow, 'id' | 'propertyId'>[]> {
  const { accountId, db } = scope;
  const changed = (await lockMany(scope, ids)).filter(({ suspected }) => suspected === counts);
  if (changed.length > 0) {
    const those = sql`account_id = ${accountId} and id = any(${sql.param(changed.map(({ id }) => id))}::text[])`;
    await db.execute(sql`update feedback set suspected = ${!counts} where ${those}`);
    await addCounts(db, trustedCounts(those, counts));
  }
  return changed;
}

/** Returns the counts that feedback adds when it is counted, or takes away when it is suspected again. */
function trustedCounts(ids: SQL, counts: boolean): SQL {
  const moved = (condition: string) => sql.raw(`${counts ? '' : '-'}count(*) filter (where ${condition})`);
  return sql`
    select account_id, place, date_bin('15 minutes', created, 'epoch') as quarter, ${AMENDMENT_LANE}::smallint as lane,
           ${moved('rating = 1')} as one, ${moved('rating = 2')} as two, ${moved('rating = 3')} as three, ${moved('rating = 4')} as four,
           ${moved('rating = 5')} as five, ${moved('converted is not null')} as reviews, ${moved('urgent')} as urgent,
           ${sql.raw(counts ? '-' : '')}count(*) as suspected
      from feedback, lateral (values (${WHOLE_ACCOUNT}), (property_id), (tool_id)) as places (place)
     where ${ids} and place is not null
     group by 1, 2, 3`;
}

/**
 * Stores what happened last in the conversation about feedback. What a visitor does makes it urgent and unread, and reopens it if
 * the team was done or waited; an answer sets it to waiting. Returns the feedback before and after.
 */
export async function setReply(
  scope: AccountScope,
  id: string,
  reply: NonNullable<Feedback['data']['reply']>,
): Promise<{ readonly before: Feedback; readonly after: Feedback } | undefined> {
  const [row] = await lockMany(scope, [id]);
  if (!row) return undefined;
  const isVisitors = awaitsReply(reply);
  const { accountId, db, actor, now } = scope;
  const isToDo = WAITING_STATUSES.includes(row.status);
  const changes = {
    reply,
    ...(isVisitors && { urgent: true }),
    ...(isVisitors && !isToDo && { status: 'open' as const, statusBy: null, statusAt: null }),
    ...(!isVisitors && isToDo && { status: 'waiting' as const, statusBy: actor, statusAt: now }),
  };
  await db
    .update(feedback)
    .set(changes)
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, id)));
  if (isVisitors) await markUnreadForAll(scope, id);
  const [before, after] = [recordOf(row), recordOf({ ...row, ...changes })];
  if (before.gs1sk !== after.gs1sk && !row.suspected && !row.test) {
    const { rating, converted } = after.data;
    await moveTally(scope, before, { rating, converted, urgent: true });
  }
  return { before, after };
}

/** Opens feedback that waits for its visitor again, for no one in particular. Returns whether it did. */
export async function reopen(scope: AccountScope, id: string): Promise<boolean> {
  const [row] = await scope.db
    .update(feedback)
    .set({ status: 'open', statusBy: null, statusAt: null })
    .where(and(eq(feedback.accountId, scope.accountId), eq(feedback.id, id), eq(feedback.status, 'waiting')))
    .returning({ id: feedback.id });
  if (row) await markUnreadForAll(scope, id);
  return row !== undefined;
}

/** Returns feedback, also of a deleted property, locked until the transaction ends. */
export async function lockById({ accountId, db }: AccountScope, id: string): Promise<Feedback | undefined> {
  const [row] = await db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, id)))
    .for('no key update');
  return row && recordOf(row);
}

/** Deletes what identifies the visitor besides the responses, and the state of the conversation. */
export async function clearTraces({ accountId, db }: AccountScope, id: string): Promise<void> {
  await db
    .update(feedback)
    .set({ userId: null, url: null, screenWidth: null, screenHeight: null, reply: null, orderNumber: null })
    .where(and(eq(feedback.accountId, accountId), eq(feedback.id, id)));
}

/** SQL: feedback that has something to erase. */
const IS_ERASABLE = sql`(${feedback.text} is not null or ${feedback.kind} = 'contact me' or ${feedback.userId} is not null or ${feedback.orderNumber} is not null or ${feedback.reply} is not null)`;

interface ErasableRange {
  readonly propertyId: string;
  /** An id, exclusive. */
  readonly after: string;
  /** UTC ms, exclusive. */
  readonly before: number;
  readonly most: number;
}

/** Returns ids of a property's answers in a period that have something to erase, oldest first. */
export async function erasable({ accountId, db }: AccountScope, { propertyId, after, before, most }: ErasableRange): Promise<string[]> {
  const isInPeriod = [gt(feedback.id, after), lt(feedback.id, feedbackIdFloor(before))];
  const rows = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), ...isInPeriod, eq(feedback.propertyId, propertyId), IS_ERASABLE))
    .orderBy(asc(feedback.id))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** Counts a property's answers from before a moment (UTC ms) that have something to erase, up to one more than `MOST_RESULTS`. */
export const countErasable = async (scope: AccountScope, propertyId: string, before: number): Promise<number> =>
  (await erasable(scope, { propertyId, after: '', before, most: MOST_RESULTS + 1 })).length;

/** Deletes those of the answers that are tests, and returns them. Tests aren't counted, so no count changes. */
export async function discardTests({ accountId, db }: AccountScope, ids: readonly string[]): Promise<Feedback[]> {
  const rows = await db
    .delete(feedback)
    .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, [...ids]), feedback.test, OF_LIVE_PROPERTIES))
    .returning();
  return rows.map(recordOf);
}
