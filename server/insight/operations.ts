import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY } from '#contract/core/time.ts';
import { DAYS_BY_HOUR, type insightOperations } from '#contract/insight/insight.ts';
import { reviewSpans } from '#contract/insight/review-funnel.ts';
import type { Property } from '#contract/property/property.ts';
import { type ClockedPlace, countsOfVersions, hoursOf, WHOLE_ACCOUNT } from '../feedback/counts-store.ts';
import * as requests from '../feedback-request/store.ts';
import * as forms from '../form/store.ts';
import { inKnownZone } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openTurns } from '../platform/tenancy/fair-queue.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import { countedIn, wordsOf } from './insight.ts';

export function openInsight() {
  const turns = openTurns();
  return {
    async overview({ scope }, { propertyId, zone, ...span }) {
      const subject = await subjectOf(scope, propertyId);
      if (!subject) return NOT_FOUND;
      return turns.run(scope.accountId, async () => {
        const { parts, clocked } = subject;
        const { funnel, places } = await countedIn(scope, { propertyId, parts, ...span });
        const from = Math.max(span.from, span.to - DAYS_BY_HOUR * DAY);
        const cells = await inKnownZone('zone', () => hoursOf(scope, clocked(zone), { from, to: span.to }));
        return { status: 'ok', funnel, places, hours: { from, cells } };
      });
    },
    async words({ scope }, { propertyId, from, to }) {
      if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return NOT_FOUND;
      return turns.run(scope.accountId, async () => ({ status: 'ok', ...(await wordsOf(scope, { propertyId, from, to })) }));
    },
    async reviewFunnel({ scope }, { propertyId }) {
      if (!(await properties.byId(scope, propertyId))) return NOT_FOUND;
      return turns.run(scope.accountId, async () => {
        const rules = await forms.reviewRules(scope, propertyId);
        const spans = reviewSpans(rules, await countsOfVersions(scope, propertyId));
        const { sent, answered } = await requests.countByStatus(scope, propertyId);
        return { status: 'ok', spans, requests: { sent, answered } };
      });
    },
  } satisfies Handlers<typeof insightOperations>;
}

interface OverviewSubject {
  /** The ids of its parts, ordered by name. */
  readonly parts: readonly string[];
  /** The places that make up all of it, each with its zone. */
  readonly clocked: (zone: string) => ClockedPlace[];
}

/** Returns a property with its placements, or the account with its properties. Returns undefined for an unknown property. */
async function subjectOf(scope: AccountScope, propertyId: string | undefined): Promise<OverviewSubject | undefined> {
  if (propertyId === undefined) {
    const list = await properties.all(scope);
    return { parts: list.map(({ id }) => id), clocked: (zone) => clocksOf(list, zone) };
  }
  const property = await properties.byId(scope, propertyId);
  if (!property) return undefined;
  const placements = await tools.all(scope, propertyId);
  return { parts: placements.map(({ id }) => id), clocked: (zone) => [clockOf(property, zone)] };
}

const clockOf = ({ id, data }: Property, zone: string): ClockedPlace => ({ place: id, zone: data.timeZone ?? zone });

/** Returns the whole account as one place if all properties share a zone, which is faster. */
function clocksOf(list: readonly Property[], zone: string): ClockedPlace[] {
  const clocks = list.map((property) => clockOf(property, zone));
  const [first] = clocks;
  return first && clocks.every((clock) => clock.zone === first.zone) ? [{ place: WHOLE_ACCOUNT, zone: first.zone }] : clocks;
}
