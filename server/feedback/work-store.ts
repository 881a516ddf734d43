import { sql } from 'drizzle-orm';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_COUNTED, type WorkChange } from '#contract/feedback/work.ts';
import { applyChange, type WorkEvent, workEvents } from '#contract/feedback/work-events.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as readMarks from './read-marks-store.ts';
import { OF_LIVE_PROPERTIES, recordOf } from './record-store.ts';
import { lockMany } from './store.ts';
import { WAITING } from './tables.ts';

/* The team's work on feedback (docs/rules.md#working-on-feedback). */

interface ModifyResult {
  /** The feedback after the changes. Unknown ids are left out. */
  readonly items: Feedback[];
  /** Events to record. */
  readonly events: readonly WorkEvent[];
}

/** Applies changes to existing feedback, under a lock, so that concurrent changes run one after another. */
export async function modify(scope: AccountScope, changes: readonly WorkChange[]): Promise<ModifyResult> {
  const changeOf = new Map(changes.map((change, at) => [change.feedbackId, { ...change, at }]));
  const changed = (await lockMany(scope, [...changeOf.keys()])).map((row) => {
    const before = recordOf(row);
    const change = changeOf.get(row.id);
    return {
      before,
      after: change ? applyChange(before, change, { actor: scope.actor, now: scope.now.getTime(), at: change.at }) : before,
    };
  });
  await store(
    scope,
    changed.filter(({ before, after }) => after !== before).map(({ after }) => after),
  );
  const ids = changed.map(({ after }) => after.id);
  for (const unread of [true, false]) {
    await readMarks.mark(
      scope,
      ids.filter((id) => changeOf.get(id)?.unread === unread),
      unread,
    );
  }
  const unread = await readMarks.unreadAmong(scope, ids);
  return {
    items: changed.map(({ after }) => ({ ...after, data: { ...after.data, ...(unread.has(after.id) && { unread: true }) } })),
    events: changed.flatMap(({ before, after }) => workEvents(before, after)),
  };
}

async function store({ accountId, db }: AccountScope, rows: readonly Feedback[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ id, data: { status, statusBy, statusAt, assignee, tags } }) => ({
    id,
    status,
    statusBy,
    statusAt,
    assignee,
    tags,
  }));
  await db.execute(sql`
    update feedback
       set status = sent.status, status_by = sent."statusBy", status_at = to_timestamp(sent."statusAt" / 1000.0),
           assignee = sent.assignee, tags = array(select json_array_elements_text(sent.tags))
      from json_to_recordset(${JSON.stringify(values)}::json) as sent (
        id text, status text, "statusBy" text, "statusAt" bigint, assignee text, tags json)
     where feedback.account_id = ${accountId} and feedback.id = sent.id`);
}

interface Inbox {
  readonly waiting: { readonly propertyId: string; readonly count: number }[];
  readonly unread: number;
}

/** Counts the visitors waiting at each property, and the person's unread feedback, each up to a thousand. */
export async function inbox(scope: AccountScope): Promise<Inbox> {
  const { accountId, db } = scope;
  const { rows } = await db.execute<Inbox['waiting'][number]>(sql`
    select "propertyId", count(*)::integer as count from (
      select property_id as "propertyId" from feedback
       where account_id = ${accountId} and ${WAITING} and ${OF_LIVE_PROPERTIES}
       limit ${MOST_COUNTED}
    ) as waiting group by 1 order by 1`);
  return { waiting: rows, unread: await readMarks.countUnread(scope, OF_LIVE_PROPERTIES) };
}
