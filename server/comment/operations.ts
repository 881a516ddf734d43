import { COMMENT_RESTORE_WINDOW, type Comment, checkMayDelete, checkMayEdit, type commentOperations } from '#contract/comment/comment.ts';
import { mentionsIn } from '#contract/comment/mention.ts';
import { commentId, type RandomBytes } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import type { EventName } from '#contract/events.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import { deleteOld } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { AccountScope, DatabaseAndClock } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';

/** Handles comments. Feedback that is no longer listed has none. */
export function openComment({ random }: { readonly random: RandomBytes }) {
  return {
    async save({ scope, person }, { idempotencyKey: key = '', payload: { id, data } }) {
      if (id !== undefined) return responseOf(await edit(scope, id, data.text));
      const { feedbackId, text } = data as Extract<typeof data, { feedbackId: string }>;
      const item = await feedback.byId(scope, feedbackId);
      if (!item) return NOT_FOUND;
      const before = await store.byKey(scope, key);
      if (before) return responseOf(before);
      await countWithin(scope, COMMENTS, person.userId);
      const mentioned = await newlyMentioned(scope, text, [person.userId]);
      const propertyId = item.data.projectId;
      const comment = await store.insert(scope, { id: commentId(random), feedbackId, propertyId, text, mentioned, key });
      // A concurrent request with the same key stored it, and recorded the event.
      if (!comment) return responseOf(await store.byKey(scope, key));
      await recordMentioning(scope, 'comment.created', { comment, mentioned });
      return responseOf(comment);
    },
    async list({ scope }, query) {
      if (!(await feedback.byId(scope, query.feedbackId))) return NOT_FOUND;
      const [total] = await store.counts(scope, [query.feedbackId]);
      return { status: 'ok', ...(await store.list(scope, query)), count: total?.count ?? 0 };
    },
    async count({ scope }, { feedbackIds }) {
      return { status: 'ok', counts: await store.counts(scope, feedbackIds) };
    },
    async delete({ scope, person }, { commentId: id }) {
      const before = await byId(scope, id);
      if (!before) return NOT_FOUND;
      checkMayDelete(person, before);
      const deleted = await store.remove(scope, id);
      if (!deleted) return NOT_FOUND;
      await record(scope, 'comment.deleted', { subject: id, data: eventDataOf(deleted) });
      return { status: 'ok' };
    },
    async restore({ scope }, { commentId: id }) {
      const restored = await store.restore(scope, id, new Date(scope.now.getTime() - COMMENT_RESTORE_WINDOW));
      if (!restored) return responseOf(await byId(scope, id));
      await record(scope, 'comment.restored', { subject: id, data: eventDataOf(restored) });
      return responseOf(restored);
    },
  } satisfies Handlers<typeof commentOperations>;

  /** Changes a comment. Returns undefined for an unknown one. The same text changes nothing. */
  async function edit(scope: AccountScope, id: string, text: string): Promise<Comment | undefined> {
    if (!(await byId(scope, id))) return undefined;
    const existing = await store.lockById(scope, id);
    if (!existing) return undefined;
    checkMayEdit({ userId: scope.actor }, existing.before);
    if (existing.before.data.text === text) return existing.before;
    const mentioned = await newlyMentioned(scope, text, [...existing.mentioned, scope.actor]);
    const changed = await store.change(scope, id, { text, mentioned: [...existing.mentioned, ...mentioned] });
    await recordMentioning(scope, 'comment.edited', { comment: changed, mentioned });
    return changed;
  }
}

/** Returns the mentioned teammates that weren't mentioned before. Leaves out people who haven't joined yet. */
async function newlyMentioned(scope: AccountScope, text: string, previous: readonly string[]): Promise<string[]> {
  const ids = mentionsIn(text).filter((id) => !previous.includes(id));
  if (ids.length === 0) return [];
  const team = (await users.all(scope)).filter(({ data }) => !data.invited);
  return ids.filter((id) => team.some((user) => user.id === id));
}

/** Returns a comment, unless its feedback is no longer listed. */
async function byId(scope: AccountScope, id: string): Promise<Comment | undefined> {
  const comment = await store.byId(scope, id);
  return comment && (await feedback.byId(scope, comment.data.feedbackId)) ? comment : undefined;
}

interface CommentMentions {
  readonly comment: Comment;
  /** Teammates to notify by email. Counted here, where the comment can still be refused. */
  readonly mentioned: string[];
}

async function recordMentioning(
  scope: AccountScope,
  name: EventName & `comment.${'created' | 'edited'}`,
  { comment, mentioned }: CommentMentions,
): Promise<void> {
  for (const _id of mentioned) await countWithin(scope, MENTIONS, scope.actor);
  await record(scope, name, { subject: comment.id, data: { ...eventDataOf(comment), mentioned } });
}

const eventDataOf = ({ data: { feedbackId, propertyId } }: Comment) => ({ feedbackId, propertyId });

const responseOf = (comment: Comment | undefined) => (comment ? ({ status: 'ok', comment } as const) : NOT_FOUND);

/** Comments per person. @limit comments */
const COMMENTS = { name: 'comments', most: 300, within: HOUR };
/** Mentions per person, because each sends a mail. @limit comments */
const MENTIONS = { name: 'mentions', most: 100, within: HOUR };

/** Permanently deletes comments that were deleted more than a day ago. */
export const maintainComments = (platform: DatabaseAndClock): Work => ({
  'comment.upkeep': () => deleteOld(platform, [[store.purgeDeleted, COMMENT_RESTORE_WINDOW]]),
});
