import * as v from 'valibot';
import { feedbackIdSchema, tagIdSchema, userIdSchema } from '../core/ids.ts';

/* The team's work on feedback (docs/rules.md#working-on-feedback). */

/** The team's progress: not started, in progress, waiting for the visitor's reply, and nothing left to do. */
export const STATUSES = ['new', 'open', 'waiting', 'done'] as const;
export type WorkStatus = (typeof STATUSES)[number];
export const STATUS_LABELS: Record<WorkStatus, string> = { new: 'New', open: 'Open', waiting: 'Waiting', done: 'Done' };

/** The statuses in which a visitor who needs someone still waits for the team. */
export const WAITING_STATUSES: readonly WorkStatus[] = ['new', 'open'];

/** The assignee to filter by for feedback that no one is assigned to. */
export const UNASSIGNED = 'nobody';

/** The most feedback items that one call changes. */
export const MOST_CHANGED = 100;
/** The most tags of a feedback item. */
export const MOST_TAGS = 10;
/** Counts of waiting and unread feedback stop here, because no one needs a larger number. */
export const MOST_COUNTED = 1_000;

/** The fields of feedback that the team sets. */
export const work = {
  status: v.picklist(STATUSES),
  /** Who set the status, and when (UTC ms). Missing if no one has. */
  statusBy: v.optional(userIdSchema),
  statusAt: v.optional(v.number()),
  assignee: v.optional(userIdSchema),
  tags: v.array(tagIdSchema),
  /** True if the caller hasn't read it. */
  unread: v.optional(v.literal(true)),
};

const tagIds = v.pipe(v.array(tagIdSchema), v.maxLength(MOST_TAGS));

/** A change of one feedback item; fields that are left out stay unchanged. */
export const workChange = v.strictObject({
  feedbackId: feedbackIdSchema,
  status: v.optional(v.picklist(STATUSES)),
  /** Null removes the assignee. */
  assignee: v.optional(v.nullable(userIdSchema)),
  addTags: v.optional(tagIds),
  removeTags: v.optional(tagIds),
  /** Marks it for the caller only. */
  unread: v.optional(v.boolean()),
});
export type WorkChange = v.InferOutput<typeof workChange>;

/** The state of a feedback item before a change. */
interface PreviousWork {
  readonly status: WorkStatus;
  readonly assignee?: string | undefined;
  readonly tags: readonly string[];
  readonly unread?: true | undefined;
}

/** Returns the tags after a change: the previous ones in order, then the new ones. */
export const tagsAfter = (tags: readonly string[], { addTags = [], removeTags = [] }: WorkChange): string[] => [
  ...new Set([...tags.filter((tag) => !removeTags.includes(tag)), ...addTags]),
];

/** Returns the change that undoes another one, from the state before it. */
export function undoChange(before: PreviousWork, change: WorkChange): WorkChange {
  const { feedbackId, status, assignee, addTags, removeTags, unread } = change;
  const after = tagsAfter(before.tags, change);
  return {
    feedbackId,
    ...(status !== undefined && { status: before.status }),
    ...(assignee !== undefined && { assignee: before.assignee ?? null }),
    ...(addTags && { removeTags: after.filter((tag) => !before.tags.includes(tag)) }),
    ...(removeTags && { addTags: before.tags.filter((tag) => !after.includes(tag)) }),
    ...(unread !== undefined && { unread: before.unread === true }),
  };
}

/** The parts of feedback that decide whether someone on the team still has to act on it. */
export interface WorkState {
  readonly gs1sk: 'URGENT' | 'NORMAL';
  readonly data: {
    readonly contact?: object | undefined;
    readonly suspected?: boolean | undefined;
    readonly test?: true | undefined;
    readonly reply?: 'asked' | 'received' | 'sent' | undefined;
    readonly status: WorkStatus;
    readonly statusBy?: string | undefined;
    readonly statusAt?: number | undefined;
    readonly assignee?: string | undefined;
  };
}

/** The same, with a teammate who has read it; undefined while no one has. */
export interface OpenState extends WorkState {
  readonly readBy: string | undefined;
}

/** Returns whether a visitor asked for an answer, or wrote, and the team hasn't answered. */
export const awaitsReply = (reply: WorkState['data']['reply']): boolean => reply === 'asked' || reply === 'received';

/** Returns whether a visitor wants to be contacted, asked for an answer, or wrote, and the team hasn't set the status since that moment (UTC ms). */
export const isAskingSince = (
  { data: { contact, reply, suspected, test, status, statusAt = 0 } }: Pick<WorkState, 'data'>,
  since: number,
): boolean => (contact !== undefined || awaitsReply(reply)) && !suspected && !test && (status === 'new' || statusAt < since);

/** Returns whether a visitor who needs someone still waits for the team. */
export const isWaiting = ({ gs1sk, data }: WorkState): boolean =>
  gs1sk === 'URGENT' && !data.suspected && !data.test && WAITING_STATUSES.includes(data.status);

/** Returns whether a visitor waits and no one on the team has read the feedback, set its status or taken it. */
export const isUnopened = (item: OpenState): boolean =>
  isWaiting(item) && item.data.status === 'new' && item.data.assignee === undefined && item.readBy === undefined;
