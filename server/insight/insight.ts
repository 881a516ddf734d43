import type { Range } from '#contract/core/time.ts';
import { NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import type { Funnel } from '#contract/insight/insight.ts';
import { MOST_READ, standoutWords, type WordFindings } from '#contract/insight/words.ts';
import { countsOf, latestTexts, WHOLE_ACCOUNT } from '../feedback/counts-store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as views from '../view/store.ts';

/* Numbers of a time range, for the overview and reports. */

/** A property or the whole account, and which of its parts to count separately. */
interface CountQuery extends Range {
  readonly propertyId: string | undefined;
  readonly parts: readonly string[];
}

/** The numbers of a time range. */
interface InsightCounts {
  readonly ratings: Tally;
  readonly funnel: Funnel;
  /** The parts that have ratings, in the query's order. */
  readonly places: { id: string; ratings: Tally }[];
}

export async function countedIn(scope: AccountScope, { propertyId, parts, ...span }: CountQuery): Promise<InsightCounts> {
  const place = propertyId ?? WHOLE_ACCOUNT;
  const counts = new Map((await countsOf(scope, [place, ...parts], span)).map((entry) => [entry.place, entry]));
  const { ratings = NO_RATINGS, reviews = 0 } = counts.get(place) ?? {};
  return {
    ratings,
    funnel: { views: await views.countIn(scope, { propertyId, ...span }), ratings: total(ratings), reviews },
    places: parts.flatMap((id) => counts.get(id) ?? []).map((each) => ({ id: each.place, ratings: each.ratings })),
  };
}

/** Frequent words, and how many texts were read. */
interface InsightWords extends WordFindings {
  readonly read: number;
  readonly hasMore: boolean;
}

export async function wordsOf(
  scope: AccountScope,
  { propertyId, from, to }: Range & { readonly propertyId: string | undefined },
): Promise<InsightWords> {
  const latest = await latestTexts(scope, { propertyId, from, to });
  const texts = latest.slice(0, MOST_READ);
  return { read: texts.length, hasMore: latest.length > MOST_READ, ...standoutWords(texts) };
}
