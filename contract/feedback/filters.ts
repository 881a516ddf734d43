import * as v from 'valibot';
import { propertyIdSchema, tagIdSchema, toolIdSchema, userIdSchema } from '../core/ids.ts';
import { text } from '../core/schema.ts';
import { DATE_FILTERS, parseDay } from '../core/time.ts';
import { LANGUAGE_TAGS } from '../language/languages.ts';
import { RATINGS } from './rating.ts';
import { STATUSES, UNASSIGNED } from './work.ts';

/* The filters of a feed, as its page's URL and a saved view contain them. */

export const KINDS = ['regular', 'complaint', 'contact me'] as const;
export type Kind = (typeof KINDS)[number];
export const SOURCES = ['open text', 'Google', 'Yelp', 'Trustpilot', 'other service', 'none'] as const;
export type FeedbackSource = (typeof SOURCES)[number];
export const SOURCE_LABELS: Record<FeedbackSource, string> = {
  'open text': 'Open text',
  Google: 'Google',
  Yelp: 'Yelp',
  Trustpilot: 'Trustpilot',
  'other service': 'Other service',
  none: 'Rating only',
};

/** The highest exact `count`; it returns one more if there are more. */
export const MOST_RESULTS = 10_000;

/** The periods that have a name: those of docs/rules.md#date-filters, and all time. */
export const NAMED_PERIODS = [...DATE_FILTERS, 'all'] as const;
export type NamedPeriod = (typeof NAMED_PERIODS)[number];

/** The longest search text, in characters. */
export const LONGEST_SEARCH = 100;

/** Returns whether two days make a period: both exist and are in order. */
export const isPeriod = (from: string, to: string): boolean => parseDay(from) !== undefined && parseDay(to) !== undefined && from <= to;

/** The filters by their names in the URL. */
export const filters = {
  range: v.picklist(NAMED_PERIODS),
  /** The first and the last day of a custom period: `yyyy-mm-dd`. */
  from: v.string(),
  to: v.string(),
  rating: v.picklist(RATINGS),
  property: propertyIdSchema,
  tool: toolIdSchema,
  kind: v.picklist([...KINDS, 'suspected']),
  source: v.picklist(SOURCES),
  status: v.picklist(STATUSES),
  assignee: v.union([userIdSchema, v.literal(UNASSIGNED)], 'Choose a person, or nobody'),
  tag: tagIdSchema,
  language: v.picklist(LANGUAGE_TAGS),
  unread: v.literal('yes'),
  q: v.pipe(text(LONGEST_SEARCH, 1), v.trim(), v.nonEmpty()),
};

/** The filters that are set. */
export const feedFilters = v.pipe(
  v.strictObject({
    range: v.optional(filters.range),
    from: v.optional(filters.from),
    to: v.optional(filters.to),
    rating: v.optional(filters.rating),
    property: v.optional(filters.property),
    tool: v.optional(filters.tool),
    kind: v.optional(filters.kind),
    source: v.optional(filters.source),
    status: v.optional(filters.status),
    assignee: v.optional(filters.assignee),
    tag: v.optional(filters.tag),
    language: v.optional(filters.language),
    unread: v.optional(filters.unread),
    q: v.optional(filters.q),
  }),
  v.check(
    ({ range, from, to }) => (from === undefined && to === undefined) || (range === undefined && isPeriod(from ?? '', to ?? '')),
    'Enter both days of a period in order, or its name',
  ),
);
export type FeedFilters = v.InferOutput<typeof feedFilters>;
