import { NOT_FOUND } from '#contract/core/schema.ts';
import type { feedbackOperations } from '#contract/feedback/feedback.ts';
import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import { inKnownZone } from '../platform/database/database.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import type { FairQueue } from '../platform/tenancy/fair-queue.ts';
import * as tools from '../tool/store.ts';
import * as counts from './counts-store.ts';
import * as store from './store.ts';
import * as work from './work-store.ts';

export type CountActions = 'count' | 'inbox' | 'summary' | 'overview' | 'totals' | 'placements';

/** Operations that count feedback. */
export const openCounts = (turns: FairQueue) =>
  ({
    async count({ scope }, query) {
      if (!(await tools.arePlaces(scope, query))) return NOT_FOUND;
      const read = () => store.count(scope, query, MOST_RESULTS + 1);
      return { status: 'ok', count: await turns.run(`results ${scope.accountId}`, read) };
    },
    async inbox({ scope }) {
      return { status: 'ok', ...(await turns.run(`counts ${scope.accountId}`, () => work.inbox(scope))) };
    },
    async summary({ scope }, query) {
      if (!(await tools.arePlaces(scope, query))) return NOT_FOUND;
      const read = () => inKnownZone('zone', () => counts.summary(scope, query));
      return { status: 'ok', ...(await turns.run(`counts ${scope.accountId}`, read)) };
    },
    async overview({ scope }, query) {
      const read = () => inKnownZone('zone', () => counts.overview(scope, query));
      return { status: 'ok', properties: await turns.run(`counts ${scope.accountId}`, read) };
    },
    async totals({ scope }) {
      return { status: 'ok', properties: await turns.run(`counts ${scope.accountId}`, () => counts.totals(scope)) };
    },
    async placements({ scope }, { propertyId, ...span }) {
      if (!(await tools.arePlaces(scope, { propertyId }))) return NOT_FOUND;
      const ids = (await tools.all(scope, propertyId)).map(({ id }) => id);
      const ratings = await turns.run(`counts ${scope.accountId}`, () => counts.ratingsByTool(scope, ids, span));
      return { status: 'ok', placements: ids.flatMap((id) => ratings.get(id) ?? []) };
    },
  }) satisfies Pick<Handlers<typeof feedbackOperations>, CountActions>;
