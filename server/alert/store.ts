import { and, asc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { MOST_CONTACTS_IN_DIGEST, MOST_IN_DIGEST } from '#contract/alert/alert.ts';
import { stands } from '../account/store.ts';
import { isAsking, isAskingSince, unopened } from '../feedback/store.ts';
import { deleteSome } from '../platform/database/portions.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { alertLinks, alertRecipients, alerts, escalations } from './tables.ts';

/** That a person has to hear of a piece of feedback, or has heard. */
export type Alert = typeof alerts.$inferSelect;

interface NewAlerts extends Pick<Alert, 'feedbackId' | 'propertyId' | 'reason'> {
  readonly userIds: readonly string[];
}

/** The alerts that were added. */
interface Added {
  /** Everyone who has a new alert, or one to which the visitor's wish to be contacted was added. */
  readonly userIds: readonly string[];
  /** Those who can be notified now. The others' alerts are in their digest. */
  readonly now: readonly string[];
  readonly isAsking: boolean;
}

/**
 * Adds an alert for each person, unless they have one. A wish to be contacted is added to an existing alert, once: an alert that
 * was sent is due again.
 */
export async function add({ accountId, db, now }: AccountScope, { feedbackId, propertyId, reason, userIds }: NewAlerts): Promise<Added> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const asks = sql`case when ${sql.raw(isAsking('wanted.account_id', 'wanted.feedback_id'))} then ${at} end`;
  const { rows } = await db.execute<{ user_id: string; held: Alert['held']; is_asking: boolean }>(sql`
    with wanted as (select ${accountId}::text as account_id, ${feedbackId}::text as feedback_id, unnest(${sql.param(userIds)}::text[]) as person)
    insert into alert (account_id, feedback_id, user_id, property_id, created, reason, due, held, asked)
    select wanted.account_id, wanted.feedback_id, person, ${propertyId}, ${at}, ${reason},
           coalesce(recipient.digest, ${at}), case when recipient.digest is not null then 'hour' end, ${asks}
      from wanted left join alert_recipient recipient on recipient.account_id = wanted.account_id and recipient.user_id = person
     order by person
    on conflict (account_id, feedback_id, user_id) do update
       set due = case when ${IS_PENDING} then alert.due else excluded.due end,
           held = case when ${IS_PENDING} then alert.held else excluded.held end,
           reason = case when alert.told is null and alert.due is null then excluded.reason else alert.reason end,
           asked = excluded.asked,
           told = null
     where (alert.told is null and alert.due is null) or (alert.asked is null and excluded.asked is not null)
    returning user_id, held, asked is not null as is_asking`);
  return {
    userIds: rows.map(({ user_id }) => user_id),
    now: rows.filter(({ held }) => held === null).map(({ user_id }) => user_id),
    isAsking: rows.some(({ is_asking }) => is_asking),
  };
}

/** An alert that was not sent yet. */
const IS_PENDING = sql`alert.told is null and alert.due is not null`;

/** Everyone to whom a piece of feedback was escalated. */
export async function escalatedTo({ accountId, db }: AccountScope, feedbackId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: alerts.userId })
    .from(alerts)
    .where(
      and(
        eq(alerts.accountId, accountId),
        eq(alerts.feedbackId, feedbackId),
        eq(alerts.reason, 'escalated'),
        or(isNotNull(alerts.told), isNotNull(alerts.due)),
      ),
    );
  return rows.map(({ userId }) => userId);
}

/** What a person was sent of late. All times are UTC ms. */
export interface Recipient {
  /** When mails went to them, in order, of the last hour at least. */
  readonly recent: readonly number[];
  /** When the digest goes out of what is beyond the hour's mails. */
  readonly digest: number | undefined;
  readonly digested: number | undefined;
}

/** Holds a person until the transaction ends, while mails to them are decided on; undefined where somebody else does. */
export async function hold({ accountId, db }: AccountScope, userId: string): Promise<Recipient | undefined> {
  await db.insert(alertRecipients).values({ accountId, userId }).onConflictDoNothing();
  const [row] = await db
    .select()
    .from(alertRecipients)
    .where(and(eq(alertRecipients.accountId, accountId), eq(alertRecipients.userId, userId)))
    .for('no key update', { skipLocked: true });
  return row && { recent: row.recent, digest: row.digest?.getTime(), digested: row.digested?.getTime() };
}

/** Keeps what a person was sent. Hold them first. */
export async function keep({ accountId, db }: AccountScope, userId: string, { recent, digest, digested }: Recipient): Promise<void> {
  await db
    .update(alertRecipients)
    .set({ recent: [...recent], digest: momentOf(digest), digested: momentOf(digested) })
    .where(and(eq(alertRecipients.accountId, accountId), eq(alertRecipients.userId, userId)));
}

const momentOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));

/** What is due of a person and waits for nothing else, in the order in which visitors came: to be told, or to be looked at again. */
export const due = ({ accountId, db, now }: AccountScope, userId: string): Promise<Alert[]> =>
  db
    .select()
    .from(alerts)
    .where(and(ofPerson(accountId, userId), lte(alerts.due, now), isNull(alerts.held)))
    .orderBy(asc(alerts.feedbackId))
    .limit(MOST_AT_ONCE);

/** What is beyond comes at the next look. */
const MOST_AT_ONCE = 100;

/** All in ms; `at` since 1970. */
type Addition = Readonly<Record<'at' | 'within' | 'pause', number>>;

/**
 * What was told of a piece of feedback at most `within` ms before a visitor changed it. It is looked at again when they have
 * paused, at the end of that time at the latest.
 */
export const amended = ({ accountId, db }: AccountScope, feedbackId: string, { at, within, pause }: Addition): Promise<Alert[]> =>
  db
    .update(alerts)
    .set({ due: sql`least(${alerts.told} + ${within} * interval '1 ms', ${new Date(at + pause).toISOString()}::timestamptz)` })
    .where(
      and(
        eq(alerts.accountId, accountId),
        eq(alerts.feedbackId, feedbackId),
        isNotNull(alerts.due),
        gt(alerts.told, new Date(at - within)),
      ),
    )
    .returning();

/** Changes what became of an alert. */
export async function change({ accountId, db }: AccountScope, { feedbackId, userId }: Alert, changes: Partial<Alert>): Promise<void> {
  await db
    .update(alerts)
    .set(changes)
    .where(and(ofPerson(accountId, userId), eq(alerts.feedbackId, feedbackId)));
}

const ofPerson = (accountId: string, userId: string): SQL | undefined => and(eq(alerts.accountId, accountId), eq(alerts.userId, userId));

/* ── What is held, and told together ── */

/** The properties of what a person is to be told together now. */
export async function heldPlaces(scope: AccountScope, userId: string): Promise<string[]> {
  const rows = await scope.db.selectDistinct({ propertyId: alerts.propertyId }).from(alerts).where(heldDue(scope, userId));
  return rows.map(({ propertyId }) => propertyId);
}

const heldDue = ({ accountId, now }: AccountScope, userId: string): SQL | undefined =>
  and(ofPerson(accountId, userId), isNotNull(alerts.held), lte(alerts.due, now));

/** Holds what is due of a property for longer. */
export async function holdLonger(
  scope: AccountScope,
  { userId, propertyIds, ...longer }: { userId: string; propertyIds: readonly string[]; held: NonNullable<Alert['held']>; due: Date },
): Promise<void> {
  await scope.db
    .update(alerts)
    .set(longer)
    .where(and(heldDue(scope, userId), inArray(alerts.propertyId, [...propertyIds])));
}

/** The pending feedback of one property: how much there is, and the first of it, in the order in which visitors came. */
export interface HeldAt {
  readonly propertyId: string;
  readonly count: number;
  /** The visitors who want to be contacted. */
  readonly asking: readonly string[];
  readonly others: readonly string[];
}

const IS_ASKING = sql.raw(`alert.asked is not null and ${isAskingSince('alert.account_id', 'alert.feedback_id', 'alert.asked')}`);
const IS_UNOPENED = sql.raw(unopened('alert.account_id', 'alert.feedback_id'));

/** Returns what a digest contains now: what nobody has opened, and visitors who want to be contacted, by property. */
export async function heldPending({ accountId, db, now }: AccountScope, userId: string): Promise<HeldAt[]> {
  const first = (most: number, condition: SQL) =>
    sql`coalesce((array_agg(feedback_id order by feedback_id) filter (where ${condition}))[1:${most}], '{}')`;
  const { rows } = await db.execute<{ propertyId: string; count: number; asking: string[]; others: string[] }>(sql`
    select property_id as "propertyId", count(*)::integer as count,
           ${first(MOST_CONTACTS_IN_DIGEST, sql`is_asking`)} as asking, ${first(MOST_IN_DIGEST, sql`not is_asking`)} as others
      from (select property_id, feedback_id, ${IS_ASKING} as is_asking, ${IS_UNOPENED} as is_unopened
              from alert
             where account_id = ${accountId} and user_id = ${userId} and held is not null and due <= ${now.toISOString()}::timestamptz) as held
     where is_asking or is_unopened
     group by property_id`);
  return rows;
}

/** Ends what was due and held: it was told now where the digest contained it, and is left out elsewhere. */
export async function endHeld({ accountId, db, now }: AccountScope, userId: string): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    update alert set due = null, held = null,
           told = case when ${IS_UNOPENED} or (${IS_ASKING}) then ${at} end
     where account_id = ${accountId} and user_id = ${userId} and held is not null and due <= ${at}`);
}

/* ── Escalation order ── */

export type EscalationRow = typeof escalations.$inferSelect;

/** Keeps that the next person hears of feedback unless somebody opens it; what is kept already stays. */
export async function addEscalation({ accountId, db }: AccountScope, row: Omit<EscalationRow, 'accountId' | 'step'>): Promise<void> {
  await db
    .insert(escalations)
    .values({ ...row, accountId, step: 0 })
    .onConflictDoNothing();
}

/** What is due of one piece of feedback, held until the transaction ends; undefined where another process has it. */
export async function dueEscalation({ accountId, db, now }: AccountScope, feedbackId: string): Promise<EscalationRow | undefined> {
  const [row] = await db
    .select()
    .from(escalations)
    .where(and(eq(escalations.accountId, accountId), eq(escalations.feedbackId, feedbackId), lte(escalations.due, now)))
    .for('no key update', { skipLocked: true });
  return row;
}

/** Changes when the next person hears; without a moment nobody does any more. */
export async function keepEscalation({ accountId, db }: AccountScope, { feedbackId, step }: EscalationRow, due?: Date): Promise<void> {
  const one = and(eq(escalations.accountId, accountId), eq(escalations.feedbackId, feedbackId));
  await (due ? db.update(escalations).set({ step, due }).where(one) : db.delete(escalations).where(one));
}

/** Whether somebody has heard of feedback, or will. */
export async function isAlerted({ accountId, db }: AccountScope, feedbackId: string, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ told: alerts.told, due: alerts.due })
    .from(alerts)
    .where(and(ofPerson(accountId, userId), eq(alerts.feedbackId, feedbackId)));
  return row !== undefined && (row.told !== null || row.due !== null);
}

/* ── Links by which people take feedback on ── */

type LinkRow = typeof alertLinks.$inferSelect;

export async function addLink({ accountId, db }: AccountScope, row: Omit<LinkRow, 'accountId' | 'used'>): Promise<void> {
  await db.insert(alertLinks).values({ ...row, accountId });
}

/** Deletes the links of an alert that expire at a moment or later. */
export async function forgetLinks({ accountId, db }: AccountScope, { feedbackId, userId }: Alert, from: Date): Promise<void> {
  await db
    .delete(alertLinks)
    .where(
      and(
        eq(alertLinks.accountId, accountId),
        eq(alertLinks.feedbackId, feedbackId),
        eq(alertLinks.userId, userId),
        gte(alertLinks.until, from),
      ),
    );
}

/** Returns a link that has not expired, used or not, and when the visitor asked to be contacted. */
export async function link({ accountId, db, now }: AccountScope, hash: Buffer): Promise<(LinkRow & Pick<Alert, 'asked'>) | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(alertLinks), asked: alerts.asked })
    .from(alertLinks)
    .innerJoin(
      alerts,
      and(eq(alerts.accountId, alertLinks.accountId), eq(alerts.feedbackId, alertLinks.feedbackId), eq(alerts.userId, alertLinks.userId)),
    )
    .where(and(eq(alertLinks.accountId, accountId), eq(alertLinks.hash, hash), gt(alertLinks.until, now)));
  return row;
}

/** Takes what a link is for, once: false where it was used or is over. */
export async function takeLink({ accountId, db, now }: AccountScope, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db
    .update(alertLinks)
    .set({ used: now })
    .where(and(eq(alertLinks.accountId, accountId), eq(alertLinks.hash, hash), gt(alertLinks.until, now), isNull(alertLinks.used)));
  return rowCount === 1;
}

/* ── For the watch and the upkeep, of every account ── */

/** People of whom something is due. */
export async function dueRecipients({ db, now }: OperatorScope): Promise<{ accountId: string; userId: string }[]> {
  return db
    .selectDistinct({ accountId: alerts.accountId, userId: alerts.userId })
    .from(alerts)
    .where(and(lte(alerts.due, now), stands(alerts.accountId)))
    .limit(MOST_AT_ONCE);
}

/** Feedback of which the next person is due to hear. */
export async function dueEscalations({ db, now }: OperatorScope): Promise<{ accountId: string; feedbackId: string }[]> {
  return db
    .select({ accountId: escalations.accountId, feedbackId: escalations.feedbackId })
    .from(escalations)
    .where(and(lte(escalations.due, now), stands(escalations.accountId)))
    .limit(MOST_AT_ONCE);
}

/** Forgets links that were over before. */
export const forgetLinksOver = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, alertLinks, lt(alertLinks.until, before));

/** Forgets what nothing is left to do about. */
export const forgetBefore = ({ db }: OperatorScope, moment: Date): Promise<number> =>
  deleteSome(db, alerts, and(isNull(alerts.due), lt(alerts.created, moment)));
