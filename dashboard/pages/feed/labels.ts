import { type FeedbackSource, type Kind, SOURCE_LABELS } from '#contract/feedback/filters.ts';
import { UNASSIGNED, type WorkStatus } from '#contract/feedback/work.ts';
import { languageName } from '#contract/language/languages.ts';
import { translatable } from '#contract/language/translate.ts';
import { languageShown, t } from '../../language.ts';
import { ratingWord } from '../../ui/format/rating.ts';
import type { FeedSearch, Filter } from './search.ts';

export const KIND_LABELS = translatable({
  regular: 'Regular feedback',
  complaint: 'Complaint',
  'contact me': 'Contact me',
  suspected: 'Set aside',
} satisfies Record<Kind | 'suspected', string>);

/** Returns a status's label, as in `STATUS_LABELS`. */
export function statusLabel(status: WorkStatus): string {
  switch (status) {
    case 'new':
      return t.in('status', 'New');
    case 'open':
      return t.in('status', 'Open');
    case 'waiting':
      return t.in('status', 'Waiting');
    case 'done':
      return t.in('status', 'Done');
  }
}

/** Returns a status within a sentence: "Marked as done". */
export function statusInSentence(status: WorkStatus): string {
  switch (status) {
    case 'new':
      return t.in('marked as', 'new');
    case 'open':
      return t.in('marked as', 'open');
    case 'waiting':
      return t.in('marked as', 'waiting');
    case 'done':
      return t.in('marked as', 'done');
  }
}

/** Returns a source's label. Names of services aren't translated. */
export function sourceLabel(source: FeedbackSource): string {
  switch (source) {
    case 'open text':
      return t('Open text');
    case 'other service':
      return t('Other service');
    case 'none':
      return t('Rating only');
    default:
      return SOURCE_LABELS[source];
  }
}

/** A filter shown as a pill. The search box shows the search text. */
export type Pill = Exclude<Filter, 'q'>;

/** Returns names for the ids in filters. */
interface FilterNames {
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
      return t('Rating: {rating}', { rating: rating ? ratingWord(rating) : '' });
    case 'property':
      return t('Property: {name}', { name: names.property(property ?? '') });
    case 'tool':
      return t('Placement: {name}', { name: names.tool(tool ?? '') });
    case 'kind':
      return t('Kind: {kind}', { kind: kind ? t(KIND_LABELS[kind]) : '' });
    case 'source':
      return t('Source: {source}', { source: source ? sourceLabel(source) : '' });
    case 'status':
      return t('Status: {status}', { status: status ? statusLabel(status) : '' });
    case 'assignee':
      return assignee === UNASSIGNED ? t('Unassigned') : t('Assigned to {name}', { name: names.person(assignee ?? '') });
    case 'tag':
      return t('Tag: {name}', { name: names.tag(tag ?? '') });
    case 'language':
      return t('Language: {language}', { language: language ? languageName(language, languageShown()) : '' });
    case 'unread':
      return t('Unread');
  }
}
