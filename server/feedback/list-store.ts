import { and, arrayContains, asc, count as countRows, desc, eq, getTableColumns, gt, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { feedbackIdFloor } from '#contract/core/ids.ts';
import { pageOf } from '#contract/core/pagination.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { type FeedbackSource, KINDS, type Kind } from '#contract/feedback/filters.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { UNASSIGNED, type WorkStatus } from '#contract/feedback/work.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { isUnread, mayBeUnread, readUntil } from './read-marks-store.ts';
import { OF_LIVE_PROPERTIES, recordOf } from './record-store.ts';
import { type IdRange, type ListStart, nextTextMatches, orHasOrderNumber, textMatches, textMatchesForCount } from './search-store.ts';
import { COUNTED, feedback, WAITING } from './tables.ts';

/* Lists of feedback, with their filters and the number of their items. */

/** How many of a list's next texts are read before the word index is, which would read all answers with a common word. */
const NEXT_TEXTS = 1_000;
/** A word that none of so many texts has is rare. */
const FIRST_TEXTS = 100;

/** The filters of a feedback list, and the id it continues after. Times are UTC ms; `to` is exclusive. */
export interface FeedbackListQuery {
  readonly propertyId?: string | undefined;
  readonly toolId?: string | undefined;
  readonly kind: Kind | 'all' | 'urgent' | 'suspected';
  readonly waiting?: true | undefined;
  readonly source?: FeedbackSource | undefined;
  readonly rating?: Rating | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly text?: string | undefined;
  readonly status?: WorkStatus | undefined;
  /** A person's id, or `UNASSIGNED`. */
  readonly assignee?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: LanguageTag | undefined;
  readonly unread?: true | undefined;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Returns a page, walking an index from the cursor, so that later pages take no longer than the first. */
export async function list(scope: AccountScope, query: FeedbackListQuery): Promise<{ feedback: Feedback[]; cursor: string | null }> {
  const { accountId, db } = scope;
  const floor = await readUntil(scope);
  const unread = isUnread(scope, floor);
  const text = query.text?.trim();
  const rows = text ? await search(text) : await read(undefined);
  const page = pageOf(rows, query.limit, ({ id }) => id);
  return { feedback: page.rows.map(recordOf), cursor: page.cursor };

  async function search(words: string) {
    const matches = await nextMatches(scope, words, query, NEXT_TEXTS);
    const isCommon = matches && (await read(await nextMatches(scope, words, query, FIRST_TEXTS))).length > 0;
    const nextRows = isCommon ? await read(matches) : [];
    return nextRows.length > query.limit ? nextRows : read(await textMatches(scope, words));
  }

  function read(matches: SQL | undefined) {
    return db
      .select({ ...getTableColumns(feedback), unread })
      .from(feedback)
      .where(and(...conditions(accountId, query), matches, ...(query.unread ? [mayBeUnread(scope, floor), unread] : [])))
      .orderBy(query.order === 'oldest' ? asc(feedback.id) : desc(feedback.id))
      .limit(query.limit + 1);
  }
}

/** Returns the matches among the list's next texts, which suspected feedback isn't part of. */
const nextMatches = async (scope: AccountScope, words: string, query: FeedbackListQuery, most: number): Promise<SQL | undefined> =>
  query.kind === 'suspected' ? undefined : nextTextMatches(scope, words, startOf(query), most);

/** Returns where a list starts: at its cursor, or an end of its time range. */
function startOf({ order, cursor, ...query }: FeedbackListQuery): ListStart {
  const { from, to } = idRange(query);
  return { order, start: cursor ?? (order === 'oldest' ? from : to) };
}

/** Returns a page of the account's feedback by id, including what no list shows. */
export async function page({ accountId, db }: AccountScope, after: string, most: number): Promise<Feedback[]> {
  const rows = await db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), gt(feedback.id, after)))
    .orderBy(asc(feedback.id))
    .limit(most);
  return rows.map(recordOf);
}

type FilteredQuery = Omit<FeedbackListQuery, 'cursor' | 'limit'>;

/** Counts a list's items, up to `most`. */
export async function count(scope: AccountScope, query: FilteredQuery, most: number): Promise<number> {
  const { text } = query;
  if (!text?.trim()) return countMatching(scope, query, most);
  // Most searches have few matches, or so many that some of them are enough.
  const some = await textMatchesForCount(scope, text, { ...idRange(query), most: 2 * most });
  const counted = await countMatching(scope, query, most, await orHasOrderNumber(scope, text, some.condition));
  if (counted === most || some.isComplete) return counted;
  const all = await textMatchesForCount(scope, text, idRange(query));
  return countMatching(scope, query, most, await orHasOrderNumber(scope, text, all.condition));
}

async function countMatching(scope: AccountScope, query: FilteredQuery, most: number, matches?: SQL): Promise<number> {
  const floor = query.unread && (await readUntil(scope));
  const unread = floor === undefined ? [] : [mayBeUnread(scope, floor), isUnread(scope, floor)];
  const items = scope.db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(...conditions(scope.accountId, query), matches, ...unread))
    .limit(most)
    .as('some_feedback');
  const [row] = await scope.db.select({ many: countRows() }).from(items);
  return row?.many ?? 0;
}

function conditions(accountId: string, { propertyId, toolId, kind, source, rating, ...query }: Omit<FeedbackListQuery, 'limit'>): SQL[] {
  const range = idRange(query);
  const { status, assignee, tag, language, order, cursor } = query;
  const { id } = feedback;
  return [
    eq(feedback.accountId, accountId),
    propertyId === undefined ? OF_LIVE_PROPERTIES : eq(feedback.propertyId, propertyId),
    range.from !== undefined && gte(id, range.from),
    range.to !== undefined && lt(id, range.to),
    cursor !== undefined && (order === 'oldest' ? gt(id, cursor) : lt(id, cursor)),
    toolId !== undefined && eq(feedback.toolId, toolId),
    rating !== undefined && eq(feedback.rating, rating),
    // Written exactly as in the indexes.
    kind === 'suspected' ? sql`${feedback.suspected}` : COUNTED,
    kind === 'urgent' ? sql`${feedback.urgent} and ${feedback.test} is not true` : isKind(kind) && eq(feedback.kind, kind),
    query.waiting && WAITING,
    status !== undefined &&
      (status === 'new' ? eq(feedback.status, status) : sql`${feedback.status} <> 'new' and ${eq(feedback.status, status)}`),
    assignee !== undefined && (assignee === UNASSIGNED ? isNull(feedback.assignee) : eq(feedback.assignee, assignee)),
    tag !== undefined && sql`tags <> '{}' and ${arrayContains(feedback.tags, [tag])}`,
    source !== undefined && eq(feedback.source, source),
    language !== undefined && eq(feedback.language, language),
  ].filter((condition): condition is SQL => condition !== false && condition !== undefined);
}

/** Returns the id range of a time range; `to` is exclusive. */
const idRange = ({ from, to }: Pick<FeedbackListQuery, 'from' | 'to'>): IdRange => ({
  from: from === undefined ? undefined : feedbackIdFloor(from),
  to: to === undefined ? undefined : feedbackIdFloor(to),
});

const isKind = (kind: FeedbackListQuery['kind']): kind is Kind => KINDS.some((each) => each === kind);
