import { rankPlaces } from '#contract/core/sentences.ts';
import type { Range } from '#contract/core/time.ts';
import { NO_RATINGS, total } from '#contract/feedback/tally.ts';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { formPath } from '#contract/form/form-page.ts';
import type { StandoutWord } from '#contract/insight/words.ts';
import { type ComparedPlaces, type LinkedWord, pageLink, type ReportMail } from '#contract/mail/mail.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { periodBefore, type ReportPeriod } from '#contract/report/report.ts';
import * as feedback from '../feedback/store.ts';
import * as requests from '../feedback-request/store.ts';
import * as forms from '../form/store.ts';
import { countedIn, wordsOf } from '../insight/insight.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as topics from '../topic/store.ts';

/** What a report lists, so that it can be read in a minute. @limit report */
const MOST_LISTED = { words: 5, waiting: 5, places: 5, topics: 5 } as const;

/** Returns a property's report for a period, with the same numbers as the overview (docs/rules.md#reports). */
export async function buildReport(
  scope: AccountScope,
  { property, period, site }: { readonly property: Property; readonly period: ReportPeriod; readonly site: string },
): Promise<Omit<ReportMail, 'leave'>> {
  const [propertyId, zone] = [property.id, zoneOf(property)];
  const span = { from: period.from, to: period.to };
  const { from, to } = periodBefore(period, zone);
  const { ratings, funnel } = await countedIn(scope, { propertyId, parts: [], ...span });
  const before = await countedIn(scope, { propertyId, parts: [], from, to });
  const { sent, answered } = await requests.countByStatus(scope, propertyId, span);
  const words = await wordsOf(scope, { propertyId, ...span });
  const days = { from: period.firstDay, to: period.lastDay };
  const at = (page: string, query: Readonly<Record<string, string>>) =>
    `${pageLink(site, `/properties/${propertyId}/${page}`)}?${new URLSearchParams(query)}`;
  const linked = (outstanding: readonly StandoutWord[]): LinkedWord[] =>
    outstanding.slice(0, MOST_LISTED.words).map((word) => ({ ...word, link: at('feedback', { ...days, q: `"${word.words}"` }) }));
  return {
    kind: period.kind,
    place: property.data.displayName,
    period: { firstDay: period.firstDay, lastDay: period.lastDay },
    ratings,
    before: before.ratings,
    funnel,
    ...(sent > 0 && { requests: { sent, answered } }),
    topics: await topicsIn(scope, { propertyId, span, before: { from, to } }),
    words: { bad: linked(words.bad), good: linked(words.good) },
    waiting: await waitingAt(scope, property, { site, to: period.to }),
    places: await placesBeside(scope, property, span),
    form: await formAt(scope, property, site),
    link: at('overview', days),
  };
}

interface TopicOptions {
  readonly propertyId: string;
  readonly span: Range;
  /** The previous period. */
  readonly before: Range;
}

/** Returns the topics of most answers, without hidden ones; undefined if there are none. */
async function topicsIn(scope: AccountScope, { propertyId, span, before }: TopicOptions): Promise<ReportMail['topics']> {
  const ratings = await topics.countsOf(scope, { propertyId, ...span });
  if (ratings.size === 0) return undefined;
  const earlier = await topics.countsOf(scope, { propertyId, ...before });
  const listed = (await topics.all(scope)).flatMap(({ id, data }) => {
    const tally = data.isHidden ? undefined : ratings.get(id);
    return tally ? [{ name: data.displayName, ratings: tally, before: earlier.get(id) ?? NO_RATINGS }] : [];
  });
  const most = listed.sort((a, b) => total(b.ratings) - total(a.ratings)).slice(0, MOST_LISTED.topics);
  return most.length > 0 ? most : undefined;
}

interface WaitingOptions {
  readonly site: string;
  /** The end of the period: later visitors are in the next report. */
  readonly to: number;
}

async function waitingAt(scope: AccountScope, property: Property, { site, to }: WaitingOptions): Promise<ReportMail['waiting']> {
  const query = { propertyId: property.id, kind: 'all', waiting: true, order: 'oldest', to } as const;
  const { feedback: longest } = await feedback.list(scope, { ...query, limit: MOST_LISTED.waiting });
  return {
    count: await feedback.count(scope, query, MOST_COUNTED),
    longest: longest.map(({ id, data: { rating, created } }) => ({
      rating,
      since: { at: created, zone: zoneOf(property) },
      link: pageLink(site, `/urgent?id=${id}`),
    })),
    link: pageLink(site, `/urgent?property=${property.id}`),
  };
}

/** Returns the ranking of the account's best properties in the same period, and of this one. */
async function placesBeside(
  scope: AccountScope,
  property: Property,
  span: { from: number; to: number },
): Promise<ComparedPlaces | undefined> {
  const list = await properties.all(scope);
  if (list.length < 2) return undefined;
  const { places } = await countedIn(scope, { propertyId: undefined, parts: list.map(({ id }) => id), ...span });
  const ratings = new Map(places.map((place) => [place.id, place.ratings]));
  const order = rankPlaces(list.map(({ id, data }) => ({ id, name: data.displayName, ratings: ratings.get(id) ?? NO_RATINGS })));
  const rows = [...order.ranked, ...order.unranked].map(({ id, name, ratings }, index) => ({
    place: name,
    ratings,
    ...(index < order.ranked.length && { rank: index + 1 }),
    isOwn: id === property.id,
  }));
  return {
    ends: order.ranked.filter((_place, index) => index === 0 || index === order.ranked.length - 1),
    rows: rows.filter(({ isOwn }, index) => index < MOST_LISTED.places || isOwn),
  };
}

/** Returns the form's address while it's open. */
async function formAt(scope: AccountScope, { data: { formId } }: Property, site: string): Promise<string | undefined> {
  const form = await forms.read(scope, formId);
  return form?.standing === 'open' ? site + formPath(formId) : undefined;
}
