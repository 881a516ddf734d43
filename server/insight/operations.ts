import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY } from '#contract/core/time.ts';
import { DAYS_BY_HOUR, type insightOperations } from '#contract/insight/insight.ts';
import type { Property } from '#contract/property/property.ts';
import { type ClockedPlace, hoursOf, WHOLE_ACCOUNT } from '../feedback/counts-store.ts';
import { inKnownZone } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openFairQueue } from '../platform/tenancy/fair-queue.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import { countedIn, wordsOf } from './insight.ts';

export function openInsight() {
  const turns = openFairQueue(TURNS);
  return {
    async overview({ scope }, { propertyId, zone, ...span }) {
      const about = await aboutOf(scope, propertyId);
      if (!about) return NOT_FOUND;
      return turns.run(scope.accountId, async () => {
        const { parts, clocked } = about;
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
  } satisfies Handlers<typeof insightOperations>;
}

/** Each keeps a processor busy for a moment: an account has one under way (times in ms). */
const TURNS = { most: 1, waiting: 20, patience: 2_000 };

interface About {
  /** Its parts, by name. */
  readonly parts: readonly string[];
  /** The places that together are all of it, each with its clock. */
  readonly clocked: (zone: string) => ClockedPlace[];
}

/** What an overview is about: a property with its placements, or the account with its properties. Undefined where there is no such property. */
async function aboutOf(scope: AccountScope, propertyId: string | undefined): Promise<About | undefined> {
  if (propertyId === undefined) {
    const all = await properties.all(scope);
    return { parts: all.map(({ id }) => id), clocked: (zone) => clocksOf(all, zone) };
  }
  const property = await properties.byId(scope, propertyId);
  if (!property) return undefined;
  const placements = await tools.all(scope, propertyId);
  return { parts: placements.map(({ id }) => id), clocked: (zone) => [clockOf(property, zone)] };
}

const clockOf = ({ id, data }: Property, zone: string): ClockedPlace => ({ place: id, zone: data.timeZone ?? zone });

/** Where all clocks show the same, the whole account's counts say it, however many properties it has. */
function clocksOf(all: readonly Property[], zone: string): ClockedPlace[] {
  const clocks = all.map((property) => clockOf(property, zone));
  const [first] = clocks;
  return first && clocks.every((clock) => clock.zone === first.zone) ? [{ place: WHOLE_ACCOUNT, zone: first.zone }] : clocks;
}
