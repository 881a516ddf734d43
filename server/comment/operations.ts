import {
  COMMENT_RESTORE_WINDOW,
  type Comment,
  checkMayDelete,
  checkMayEdit,
  type commentOperations,
  mentionsIn,
} from '#contract/comment/comment.ts';
import { commentId, type RandomBytes } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import type { EventName } from '#contract/events.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import { forgetOld } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { AccountScope, Clocked } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';

/** Comments follow their feedback: what has left the lists has none. */
export function openComment({ random }: { readonly random: RandomBytes }) {
  return {
    async save({ scope, person }, { idempotencyKey: key = '', payload: { id, data } }) {
      if (id !== undefined) return found(await edit(scope, id, data.text));
      const { feedbackId, text } = data as Extract<typeof data, { feedbackId: string }>;
      const item = await feedback.byId(scope, feedbackId);
      if (!item) return NOT_FOUND;
      const before = await store.byKey(scope, key);
      if (before) return found(before);
      await countWithin(scope, COMMENTS, person.userId);
      const mentioned = await newlyMentioned(scope, text, [person.userId]);
      const propertyId = item.data.projectId;
      const added = await store.insert(scope, { id: commentId(random), feedbackId, propertyId, text, mentioned, key });
      // The same was sent twice at once: the other call has told of it.
      if (!added) return found(await store.byKey(scope, key));
      await tell(scope, 'comment.created', { of: added, mentioned });
      return found(added);
    },
    async list({ scope }, query) {
      if (!(await feedback.byId(scope, query.feedbackId))) return NOT_FOUND;
      const [counted] = await store.counts(scope, [query.feedbackId]);
      return { status: 'ok', ...(await store.list(scope, query)), count: counted?.count ?? 0 };
    },
    async count({ scope }, { feedbackIds }) {
      return { status: 'ok', counts: await store.counts(scope, feedbackIds) };
    },
    async delete({ scope, person }, { commentId: id }) {
      const before = await byId(scope, id);
      if (!before) return NOT_FOUND;
      checkMayDelete(person, before);
      const removed = await store.remove(scope, id);
      if (!removed) return NOT_FOUND;
      await record(scope, 'comment.deleted', { subject: id, data: about(removed) });
      return { status: 'ok' };
    },
    async restore({ scope }, { commentId: id }) {
      const restored = await store.restore(scope, id, new Date(scope.now.getTime() - COMMENT_RESTORE_WINDOW));
      if (!restored) return found(await byId(scope, id));
      await record(scope, 'comment.restored', { subject: id, data: about(restored) });
      return found(restored);
    },
  } satisfies Handlers<typeof commentOperations>;

  /** Undefined where there is no such comment. The same words again change nothing. */
  async function edit(scope: AccountScope, id: string, text: string): Promise<Comment | undefined> {
    if (!(await byId(scope, id))) return undefined;
    const held = await store.lockById(scope, id);
    if (!held) return undefined;
    checkMayEdit({ userId: scope.actor }, held.before);
    if (held.before.data.text === text) return held.before;
    const mentioned = await newlyMentioned(scope, text, [...held.mentioned, scope.actor]);
    const changed = await store.change(scope, id, { text, mentioned: [...held.mentioned, ...mentioned] });
    await tell(scope, 'comment.edited', { of: changed, mentioned });
    return changed;
  }
}

/** Who of the team is mentioned and was not before. Somebody who was invited and has not come hears of nothing yet. */
async function newlyMentioned(scope: AccountScope, text: string, known: readonly string[]): Promise<string[]> {
  const ids = mentionsIn(text).filter((each) => !known.includes(each));
  if (ids.length === 0) return [];
  const team = (await users.all(scope)).filter(({ data }) => !data.invited);
  return ids.filter((each) => team.some(({ id }) => id === each));
}

/** A comment, unless the feedback that it is on has left the lists. */
async function byId(scope: AccountScope, id: string): Promise<Comment | undefined> {
  const comment = await store.byId(scope, id);
  return comment && (await feedback.byId(scope, comment.data.feedbackId)) ? comment : undefined;
}

interface Told {
  readonly of: Comment;
  /** Who hears of it by mail: counted here, where it can still be refused. */
  readonly mentioned: string[];
}

async function tell(scope: AccountScope, name: EventName & `comment.${'created' | 'edited'}`, { of, mentioned }: Told): Promise<void> {
  for (const _each of mentioned) await countWithin(scope, MENTIONS, scope.actor);
  await record(scope, name, { subject: of.id, data: { ...about(of), mentioned } });
}

const about = ({ data: { feedbackId, propertyId } }: Comment) => ({ feedbackId, propertyId });

const found = (comment: Comment | undefined) => (comment ? ({ status: 'ok', comment } as const) : NOT_FOUND);

/** Of one person. */
const COMMENTS = { name: 'comments', most: 300, within: HOUR };
/** Each is a mail to somebody. */
const MENTIONS = { name: 'mentions', most: 100, within: HOUR };

/** Deletes for good what was deleted a day ago. */
export const forgetComments = (platform: Clocked): Work => ({
  'comment.upkeep': () => forgetOld(platform, [[store.forgetDeleted, COMMENT_RESTORE_WINDOW]]),
});
