import { type Kind, SOURCE_LABELS } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { STATUS_LABELS, UNASSIGNED } from '#contract/feedback/work.ts';
import { languageName } from '#contract/language/languages.ts';
import type { FeedSearch, Filter } from './search.ts';

export { SOURCE_LABELS, STATUS_LABELS };
export const KIND_LABELS: Record<Kind | 'suspected', string> = {
  regular: 'Regular feedback',
  complaint: 'Complaint',
  'contact me': 'Contact me',
  suspected: 'Set aside',
};

/** A filter shown as a pill. The search box shows the search text. */
export type Pill = Exclude<Filter, 'q'>;

/** Returns names for the ids in filters. */
export interface FilterNames {
  readonly property: (id: string) => string;
  readonly tool: (id: string) => string;
  readonly person: (id: string) => string;
  readonly tag: (id: string) => string;
}

/** Returns the text of a filter's pill: "Rating: Bad". */
export function filterLabel(name: Pill, search: FeedSearch, names: FilterNames): string {
  const { rating, property, tool, kind, source, status, assignee, tag, language } = search;
  switch (name) {
    case 'rating':
      return `Rating: ${rating ? RATING_WORDS[rating] : ''}`;
    case 'property':
      return `Property: ${names.property(property ?? '')}`;
    case 'tool':
      return `Placement: ${names.tool(tool ?? '')}`;
    case 'kind':
      return `Kind: ${kind ? KIND_LABELS[kind] : ''}`;
    case 'source':
      return `Source: ${source ? SOURCE_LABELS[source] : ''}`;
    case 'status':
      return `Status: ${status ? STATUS_LABELS[status] : ''}`;
    case 'assignee':
      return assignee === UNASSIGNED ? 'Unassigned' : `Assigned to ${names.person(assignee ?? '')}`;
    case 'tag':
      return `Tag: ${names.tag(tag ?? '')}`;
    case 'language':
      return `Language: ${language ? languageName(language) : ''}`;
    case 'unread':
      return 'Unread';
  }
}
