import * as v from 'valibot';
import { badField, type Refusal, refusal } from '../core/errors.ts';
import { accountIdSchema, savedViewIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { lineOfText, okOrNotFound } from '../core/schema.ts';
import { DAY } from '../core/time.ts';
import { event } from '../event/event.ts';
import { type FeedFilters, feedFilters } from '../feedback/filters.ts';

/** The most views of one person, and the most shared views of an account. @limit saved-views */
export const MOST_OWN_VIEWS = 30;
export const MOST_SHARED_VIEWS = 50;
export const LONGEST_VIEW_NAME = 40;

/** The feeds of the dashboard: the account's, waiting visitors, and one property's. */
const FEEDS = ['account', 'urgent', 'property'] as const;

/** A feed and its filters. Those of a property's feed include the property. */
const shows = v.pipe(
  v.strictObject({ feed: v.picklist(FEEDS), filters: feedFilters }),
  v.check(({ feed, filters }) => feed !== 'property' || filters.property !== undefined, 'Choose the property'),
);
export type Shows = v.InferOutput<typeof shows>;

/** Feed filters under a name. `gs1sk` is the account's id (docs/rules.md#saved-views). */
const savedView = v.strictObject({
  id: savedViewIdSchema,
  sk: v.literal('SAVEDVIEW'),
  gs1sk: accountIdSchema,
  data: v.strictObject({
    accountId: accountIdSchema,
    displayName: v.string(),
    /** True: the whole team sees it. False: only its owner does. */
    isShared: v.boolean(),
    shows,
    created: v.number(),
    createdBy: userIdSchema,
  }),
});
export type SavedView = v.InferOutput<typeof savedView>;

export const viewName = lineOfText(LONGEST_VIEW_NAME);

/** A change of a view; fields that are left out stay unchanged. */
const savedViewChange = v.strictObject({
  id: savedViewIdSchema,
  data: v.strictObject({ displayName: v.optional(viewName), isShared: v.optional(v.boolean()), shows: v.optional(shows) }),
});
export type SavedViewChange = v.InferOutput<typeof savedViewChange>;

const NOT_YOURS = { 'not-allowed': 'Only its owner and admins can change a shared view.' };
const FULL = {
  conflict: `At most ${MOST_OWN_VIEWS} views per person and ${MOST_SHARED_VIEWS} shared with a team; or another view has the name.`,
};

export const savedViewOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the caller’s saved views and those shared with the team, by name.',
    input: v.strictObject({ accountId: accountIdSchema }),
    answer: okOrNotFound({ views: v.array(savedView) }),
  }),
  save: operation({
    access: 'member',
    summary: 'Save feed filters under a name, or change a view by its id. Refuses a name its owner already uses, ignoring case.',
    refusals: { ...NOT_YOURS, ...FULL },
    input: v.strictObject({
      payload: v.variant('id', [
        v.strictObject({
          id: v.optional(v.undefined()),
          data: v.strictObject({ displayName: viewName, isShared: v.optional(v.boolean(), false), shows }),
        }),
        savedViewChange,
      ]),
    }),
    answer: okOrNotFound({ view: savedView }),
  }),
  delete: operation({
    access: 'member',
    summary: 'Delete a saved view. The person who deleted it can restore it for a day.',
    refusals: NOT_YOURS,
    input: v.strictObject({ savedViewId: savedViewIdSchema }),
    answer: okOrNotFound({}),
  }),
  restore: operation({
    access: 'member',
    summary: 'Restore a saved view the caller deleted, within a day. Does nothing if it isn’t deleted.',
    refusals: FULL,
    input: v.strictObject({ savedViewId: savedViewIdSchema }),
    answer: okOrNotFound({ view: savedView }),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly savedViewId: string;
  }
}

export const savedViewExamples: Examples<typeof savedViewOperations> = {
  list: ({ accountId }) => ({ accountId }),
  save: ({ unused }) => ({
    payload: {
      data: {
        displayName: `To call ${unused.slice(0, 8)}`,
        isShared: true,
        shows: { feed: 'account', filters: { range: 'week', kind: 'contact me', status: 'new' } },
      },
    },
  }),
  delete: ({ savedViewId }) => ({ savedViewId }),
  restore: ({ savedViewId }) => ({ savedViewId }),
};

/* ── Rules ── */

/** How long (ms) a deleted view can be restored. */
export const VIEW_RESTORE_WINDOW = DAY;

export const viewNameTaken = (): Refusal => badField('payload.data.displayName', 'You already have a view with this name');
/** Returns the refusal to restore a view whose name another view has taken since. */
export const viewNameReused = (): Refusal => refusal('conflict', 'Another view now has this name. Rename it first.');

interface ViewsReader {
  readonly userId: string;
  readonly level: 'admin' | 'user';
}

/** Returns whether a person sees a view: its owner does, and the whole team sees a shared one. */
export const maySeeView = ({ userId }: Pick<ViewsReader, 'userId'>, { data }: SavedView): boolean =>
  data.isShared || data.createdBy === userId;

/** Returns whether a person who sees a view may change or delete it: its owner and admins may. */
export const mayChangeView = ({ userId, level }: ViewsReader, { data }: SavedView): boolean =>
  level === 'admin' || data.createdBy === userId;

/** Throws `not-allowed` if a person may not change or delete a view. */
export function checkMayChangeView(by: ViewsReader, view: SavedView): void {
  if (!mayChangeView(by, view)) throw refusal('not-allowed', 'Only its owner and admins can change a shared view.');
}

/** Throws `not-allowed` if an admin makes another person's view private, which would hide it from the admin too. */
export function checkMayUnshare({ userId }: Pick<ViewsReader, 'userId'>, { data }: SavedView): void {
  if (data.createdBy !== userId) throw refusal('not-allowed', 'Only its owner can make a view private. Delete it instead.');
}

/** Returns the view after a change; undefined if nothing changes. */
export function changedView(before: SavedView, { displayName, isShared, shows: newShows }: SavedViewChange['data']): SavedView | undefined {
  const { data } = before;
  const isSame =
    (displayName ?? data.displayName) === data.displayName &&
    (isShared ?? data.isShared) === data.isShared &&
    (newShows === undefined || areSameShows(newShows, data.shows));
  if (isSame) return undefined;
  return {
    ...before,
    data: {
      ...data,
      ...(displayName !== undefined && { displayName }),
      ...(isShared !== undefined && { isShared }),
      ...(newShows && { shows: newShows }),
    },
  };
}

/** Returns whether two views show the same feed with the same filters, in any order. */
export function areSameShows(a: Shows, b: Shows): boolean {
  const names = Object.keys({ ...a.filters, ...b.filters }) as (keyof FeedFilters)[];
  return a.feed === b.feed && names.every((name) => a.filters[name] === b.filters[name]);
}

/** Throws `conflict` if the owner, or the team for a shared view, already has the most views. */
export function checkRoomForView({ owned, shared }: { readonly owned: number; readonly shared: number }, isShared: boolean): void {
  if (owned >= MOST_OWN_VIEWS) throw refusal('conflict', `You have ${MOST_OWN_VIEWS} views, the maximum. Delete one first.`);
  if (isShared && shared >= MOST_SHARED_VIEWS)
    throw refusal('conflict', `Your team shares ${MOST_SHARED_VIEWS} views, the maximum. Delete one first.`);
}

/* ── Events ── */

const eventData = v.strictObject({ isShared: v.boolean() });

export const savedViewEvents = {
  'saved-view.created': event({ seenBy: 'member', summary: 'A view was saved.', data: eventData }),
  'saved-view.changed': event({
    seenBy: 'member',
    summary: 'A saved view’s name, filters or sharing changed.',
    data: eventData,
  }),
  'saved-view.deleted': event({ seenBy: 'member', summary: 'A saved view was deleted.', data: eventData }),
  'saved-view.restored': event({ seenBy: 'member', summary: 'A saved view was restored.', data: eventData }),
};
