import * as v from 'valibot';
import { propertyIdSchema, tagIdSchema, toolIdSchema, userIdSchema } from '../core/ids.ts';
import { text } from '../core/schema.ts';
import { DATE_FILTERS, parseDay } from '../core/time.ts';
import { KINDS, SOURCES } from './feedback.ts';
import { RATINGS } from './rating.ts';
import { STATUSES, UNASSIGNED } from './work.ts';

/* What a feed can be narrowed by, as it stands in the address of its page and in a saved view. */

/** The stretches of time that have a name: those of docs/rules.md#date-filters, and everything that was ever said. */
export const NAMED_PERIODS = [...DATE_FILTERS, 'all'] as const;
export type NamedPeriod = (typeof NAMED_PERIODS)[number];

/** Characters of the words that are searched for. */
export const LONGEST_SEARCH = 100;

/** Whether two days name a period: both are of the calendar, and in order. */
export const isPeriod = (from: string, to: string): boolean => parseDay(from) !== undefined && parseDay(to) !== undefined && from <= to;

/** Each filter by its name in the address. */
export const filters = {
  range: v.picklist(NAMED_PERIODS),
  /** The days, both included, of a period of one's own: `yyyy-mm-dd`. */
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
  unread: v.literal('yes'),
  q: v.pipe(text(LONGEST_SEARCH, 1), v.trim(), v.nonEmpty()),
};

/** The filters of a feed that are set. */
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
    unread: v.optional(filters.unread),
    q: v.optional(filters.q),
  }),
  v.check(
    ({ range, from, to }) => (from === undefined && to === undefined) || (range === undefined && isPeriod(from ?? '', to ?? '')),
    'Enter both days of a period in order, or its name',
  ),
);
export type FeedFilters = v.InferOutput<typeof feedFilters>;
