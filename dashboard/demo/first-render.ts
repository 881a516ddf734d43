import type { QueryClient } from '@tanstack/react-query';
import { demoAccount } from '#fixtures/demo.ts';
import * as queriesOf from '../data/queries.ts';
import { feedQueryOf } from '../pages/feed/scope.ts';
import { localZone } from '../ui/format/time.ts';
import { openedAt } from './clock.ts';
import { createDemoSource, DEMO_USER } from './source.ts';

export const source = createDemoSource(openedAt());

/**
 * Loads the data of the demo feed's first render, so that the build and the browser render the same
 * (docs/decisions/0005-the-dashboard.md). The counts and the bell load later.
 */
export async function loadFirstRender(queries: QueryClient): Promise<void> {
  const account = demoAccount;
  const query = feedQueryOf({ of: 'account' }, {}, { account, now: Date.now(), zone: localZone() });
  const [{ pages }] = await Promise.all([
    queries.ensureInfiniteQueryData(queriesOf.feedQuery(source, query)),
    queries.ensureQueryData(queriesOf.userQuery(source, DEMO_USER)),
    queries.ensureQueryData(queriesOf.accountQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.usersQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.propertiesQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.toolsQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.tagsQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.inboxQuery(source, account.id)),
    queries.ensureQueryData(queriesOf.savedViewsQuery(source, account.id)),
  ]);
  const rows = pages.flatMap(({ feedback }) => feedback);
  const [first] = rows;
  await Promise.all([
    queries.ensureQueryData(
      queriesOf.commentCountsQuery(
        source,
        rows.map(({ id }) => id),
      ),
    ),
    // The details beside the list in a wide window.
    first && queries.ensureQueryData(queriesOf.formVersionQuery(source, first.data.formId, first.data.formVersion)),
    first && queries.ensureQueryData(queriesOf.conversationQuery(source, first.id)),
    first && queries.ensureInfiniteQueryData(queriesOf.commentsQuery(source, first.id)),
  ]);
}
