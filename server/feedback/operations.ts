import { badField, refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { type Feedback, type feedbackOperations, HISTORY } from '#contract/feedback/feedback.ts';
import { historyOf } from '#contract/feedback/history.ts';
import { isUnopened, type WorkChange } from '#contract/feedback/work.ts';
import { handOvers } from '#contract/feedback/work-events.ts';
import type { User } from '#contract/user/user.ts';
import { publishNotified } from '../event/feed.ts';
import { ofSubject, record } from '../event/store.ts';
import type { FormReader } from '../form/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import type { FairQueue } from '../platform/tenancy/fair-queue.ts';
import * as tags from '../tag/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import type { CountActions } from './counts-operations.ts';
import type { Intake } from './intake.ts';
import { orderNumberIn } from './order-number.ts';
import * as readMarks from './read-marks-store.ts';
import * as store from './store.ts';
import * as work from './work-store.ts';

interface FeedbackRoom {
  readonly forms: FormReader;
  readonly intake: Intake;
  readonly turns: FairQueue;
}

/** Operations on feedback and the team's work on it. */
export function openFeedback({ forms, intake, turns }: FeedbackRoom) {
  return {
    async save({ network }, { idempotencyKey, payload: { data } }) {
      const target = await forms.byId(data.formId);
      if (!target) return NOT_FOUND;
      if (target.closed) throw refusal('form-closed');
      const { formId: _formId, ref, ...sent } = data;
      const orderNumber = orderNumberIn(target, ref);
      return { status: 'ok', feedback: await intake.submit(target, { key: idempotencyKey, network, orderNumber, ...sent }) };
    },
    async list({ scope }, query) {
      if (!(await tools.arePlaces(scope, query))) return NOT_FOUND;
      const read = () => store.list(scope, query);
      return { status: 'ok', ...(await (query.text === undefined ? read() : turns.run(`search ${scope.accountId}`, read))) };
    },
    async get({ scope }, { feedbackId }) {
      const feedback = await store.byId(scope, feedbackId);
      return feedback ? { status: 'ok', feedback } : NOT_FOUND;
    },
    async some({ scope }, { feedbackIds }) {
      const feedback = await store.some(scope, feedbackIds);
      return feedback.length > 0 ? { status: 'ok', feedback } : NOT_FOUND;
    },
    async trust({ scope }, { feedbackIds, counts }) {
      for (const { id, propertyId } of await store.trust(scope, feedbackIds, counts))
        await record(scope, 'feedback.trusted', { subject: id, data: { propertyId, counts } });
      const items = await store.some(scope, feedbackIds);
      return items.length > 0 ? { status: 'ok', feedback: items } : NOT_FOUND;
    },
    async modify({ scope }, { changes }) {
      const readIds = changes.filter(({ unread }) => unread === false).map(({ feedbackId }) => feedbackId);
      const isFirstLook = [...(await store.openStates(scope, readIds)).values()].some(isUnopened);
      const items = await changeWork(scope, changes);
      if (isFirstLook) await publishNotified(scope);
      return items.length > 0 ? { status: 'ok', feedback: items } : NOT_FOUND;
    },
    async markAllRead({ scope }) {
      await readMarks.markAllRead(scope);
      await publishNotified(scope);
      return { status: 'ok' };
    },
    async history({ scope }, { feedbackId }) {
      if (!(await store.byId(scope, feedbackId))) return NOT_FOUND;
      const events = await ofSubject(scope, { subject: feedbackId, names: HISTORY, most: LONGEST_HISTORY });
      return { status: 'ok', history: historyOf(events) };
    },
    async discard({ scope }, { feedbackIds }) {
      const discarded = await store.discardTests(scope, feedbackIds);
      for (const { id, data } of discarded)
        await record(scope, 'feedback.discarded', { subject: id, data: { propertyId: data.projectId } });
      return discarded.length > 0 ? { status: 'ok', feedbackIds: discarded.map(({ id }) => id) } : NOT_FOUND;
    },
  } satisfies Omit<Handlers<typeof feedbackOperations>, CountActions>;
}

/** Applies the team's changes, all or none, and records them. Refuses an assignee who isn't on the team and an unknown tag. */
export async function changeWork(scope: AccountScope, changes: readonly WorkChange[]): Promise<Feedback[]> {
  await checkAssignees(scope, changes);
  await checkTags(scope, changes);
  const { items, events } = await work.modify(scope, changes);
  for (const { name, ...event } of events) await record(scope, name, event);
  for (const handOver of handOvers(events, scope.actor)) await record(scope, 'feedback.handed-over', handOver);
  return items;
}

const LONGEST_HISTORY = 200;

/** Refuses an assignee who isn't on the team or hasn't joined yet. */
async function checkAssignees(scope: AccountScope, changes: readonly WorkChange[]): Promise<void> {
  const checked = new Map<string, boolean>();
  for (const [at, { assignee }] of changes.entries()) {
    if (assignee == null) continue;
    const isTeammate = checked.get(assignee) ?? isMember(await users.byId(scope, assignee));
    if (!isTeammate) throw badField(`changes.${at}.assignee`, 'This person isn’t on your team');
    checked.set(assignee, isTeammate);
  }
}

const isMember = (user: User | undefined): boolean => user !== undefined && !user.data.invited;

/** Refuses to add an unknown tag. */
async function checkTags(scope: AccountScope, changes: readonly WorkChange[]): Promise<void> {
  if (!changes.some(({ addTags = [] }) => addTags.length > 0)) return;
  const existing = new Set((await tags.all(scope)).map(({ id }) => id));
  const index = changes.findIndex(({ addTags = [] }) => addTags.some((tag) => !existing.has(tag)));
  if (index !== -1) throw badField(`changes.${index}.addTags`, 'This tag no longer exists');
}
