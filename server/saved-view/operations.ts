import { savedViewId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import {
  changedView,
  checkMayChangeView,
  checkMayUnshare,
  checkRoomForView,
  type SavedView,
  type SavedViewChange,
  type savedViewOperations,
  VIEW_RESTORE_WINDOW,
  viewNameReused,
  viewNameTaken,
} from '#contract/saved-view/saved-view.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { deleteOld } from '../platform/database/batches.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { AccountScope, DatabaseAndClock, Person } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './store.ts';

export function openSavedView({ random }: Pick<Platform, 'random'>) {
  return {
    async list({ scope }) {
      return { status: 'ok', views: await store.all(scope) };
    },
    async save({ scope, person }, { payload }) {
      if (payload.id !== undefined) return responseOf(await edit(scope, person, payload));
      const { data } = payload;
      await accounts.lock(scope);
      checkRoomForView(await store.countsOf(scope, person.userId), data.isShared);
      const view = await refuseTaken(() => store.insert(scope, { id: savedViewId(random), ...data }), viewNameTaken);
      await recordView(scope, 'saved-view.created', view);
      return responseOf(view);
    },
    async delete({ scope, person }, { savedViewId: id }) {
      const before = await store.byId(scope, id);
      if (!before) return NOT_FOUND;
      checkMayChangeView(person, before);
      const deleted = await store.remove(scope, id);
      if (!deleted) return NOT_FOUND;
      await recordView(scope, 'saved-view.deleted', deleted);
      return { status: 'ok' };
    },
    async restore({ scope }, { savedViewId: id }) {
      const deleted = await store.deletedById(scope, id, restorableSince(scope));
      if (!deleted) return responseOf(await store.byId(scope, id));
      await accounts.lock(scope);
      checkRoomForView(await store.countsOf(scope, deleted.data.createdBy), deleted.data.isShared);
      const view = await refuseTaken(() => store.restore(scope, id), viewNameReused);
      if (view) await recordView(scope, 'saved-view.restored', view);
      return responseOf(view);
    },
  } satisfies Handlers<typeof savedViewOperations>;
}

/** Changes a view. Returns undefined for an unknown one. The same values change nothing. */
async function edit(scope: AccountScope, person: Person, { id, data }: SavedViewChange): Promise<SavedView | undefined> {
  await accounts.lock(scope);
  const before = await store.byId(scope, id);
  if (!before) return undefined;
  checkMayChangeView(person, before);
  if (data.isShared === false) checkMayUnshare(person, before);
  const after = changedView(before, data);
  if (!after) return before;
  if (after.data.isShared && !before.data.isShared) checkRoomForView({ ...(await store.countsOf(scope, person.userId)), owned: 0 }, true);
  const changed = await refuseTaken(() => store.change(scope, id, after.data), viewNameTaken);
  if (changed) await recordView(scope, 'saved-view.changed', changed);
  return changed;
}

/** Permanently deletes views that were deleted more than a day ago. */
export const maintainViews = (platform: DatabaseAndClock): Work => ({
  'saved-view.upkeep': () => deleteOld(platform, [[store.purgeDeleted, VIEW_RESTORE_WINDOW]]),
});

const restorableSince = ({ now }: AccountScope): Date => new Date(now.getTime() - VIEW_RESTORE_WINDOW);

const recordView = (scope: AccountScope, name: `saved-view.${'created' | 'changed' | 'deleted' | 'restored'}`, { id, data }: SavedView) =>
  record(scope, name, { subject: id, data: { isShared: data.isShared } });

const responseOf = (view: SavedView | undefined) => (view ? ({ status: 'ok', view } as const) : NOT_FOUND);
