import type { FeedbackSource, Kind } from '#contract/feedback.ts';
import { RATING_WORDS } from '#contract/rating.ts';
import type { DateFilter } from '#contract/time.ts';
import type { FeedSearch, Filter } from './search.ts';

export const RANGE_LABELS: Record<DateFilter, string> = { today: 'Today', week: 'Week', month: 'Month' };
export const KIND_LABELS: Record<Kind | 'suspected', string> = {
  regular: 'Regular feedback',
  complaint: 'Complaint',
  'contact me': 'Contact me',
  suspected: 'Set aside',
};
export const SOURCE_LABELS: Record<FeedbackSource, string> = {
  'open text': 'Open text',
  Google: 'Google',
  Yelp: 'Yelp',
  Trustpilot: 'Trustpilot',
  'other service': 'Other service',
  none: 'Rating only',
};

const FILTER_LABELS: Record<Filter, string> = { rating: 'Rating', property: 'Property', kind: 'Kind', source: 'Source', q: 'Text' };

/** A filter as its pill says it: "Rating: Bad". */
export function filterLabel(name: Filter, search: FeedSearch, nameOfProperty: (id: string) => string): string {
  return `${FILTER_LABELS[name]}: ${valueLabel(name, search, nameOfProperty)}`;
}

function valueLabel(name: Filter, { rating, property, kind, source, q }: FeedSearch, nameOfProperty: (id: string) => string): string {
  if (name === 'rating') return rating ? RATING_WORDS[rating] : '';
  if (name === 'property') return property ? nameOfProperty(property) : '';
  if (name === 'kind') return kind ? KIND_LABELS[kind] : '';
  if (name === 'source') return source ? SOURCE_LABELS[source] : '';
  return q ?? '';
}
