import { CONTACT_ANSWERS } from '../core/contact.ts';
import { isoMoment } from '../core/time.ts';
import type { Cell } from '../export/table.ts';
import type { Block, Step } from '../form/form.ts';
import { languageName } from '../language/languages.ts';
import type { Feedback, Response } from './feedback.ts';
import { SOURCE_LABELS } from './filters.ts';
import { RATING_WORDS, viewOf } from './rating.ts';
import { STATUS_LABELS } from './work.ts';

/* Feedback as rows of a table, in the words of the screens, for the exports of the server and the demo. */

/** The context of a table's rows. */
interface SheetContext {
  /** The time zone in which times are written. */
  readonly zone: string;
  /** The address of the installation, without a slash at the end. */
  readonly site: string;
  /** Returns the name of an id; undefined if it no longer exists. */
  readonly nameOf: (id: string) => string | undefined;
}

/** A feedback item with data from other records. */
interface SheetItem {
  readonly item: Feedback;
  /** The steps of the form's version that it answers; undefined if that no longer exists. */
  readonly steps: readonly Step[] | undefined;
  readonly comments: number;
}

interface SheetColumn {
  readonly heading: string;
  readonly cell: (item: SheetItem, context: SheetContext) => Cell;
}

const COLUMNS: readonly SheetColumn[] = [
  { heading: 'When', cell: ({ item: { data } }, { zone }) => isoMoment(data.created, zone) },
  { heading: 'Property', cell: ({ item: { data } }, { nameOf }) => nameOf(data.projectId) },
  { heading: 'Placement', cell: ({ item: { data } }, { nameOf }) => data.toolId && nameOf(data.toolId) },
  { heading: 'Rating', cell: ({ item: { data } }) => data.rating },
  { heading: 'Rating in words', cell: ({ item: { data } }) => RATING_WORDS[data.rating] },
  { heading: 'What the visitor wrote', cell: ({ item: { data } }) => data.textFeedback },
  { heading: 'Other answers', cell: otherAnswers },
];

/** The visitor's contact details, which only admins export (docs/rules.md#exports). */
const CONTACT_COLUMNS: readonly SheetColumn[] = [
  { heading: 'Contact name', cell: ({ item: { data } }) => data.contact?.name },
  { heading: 'Contact phone', cell: ({ item: { data } }) => data.contact?.phone },
  { heading: 'Contact email', cell: ({ item: { data } }) => data.contact?.email },
];

const LAST_COLUMNS: readonly SheetColumn[] = [
  { heading: 'Status', cell: ({ item: { data } }) => STATUS_LABELS[data.status] },
  { heading: 'Assigned to', cell: ({ item: { data } }, { nameOf }) => data.assignee && nameOf(data.assignee) },
  { heading: 'Tags', cell: ({ item: { data } }, { nameOf }) => data.tags.flatMap((tag) => nameOf(tag) ?? []).join(', ') },
  { heading: 'Language', cell: ({ item: { data } }) => data.language && languageName(data.language) },
  { heading: 'Source', cell: ({ item: { data } }) => SOURCE_LABELS[data.source] },
  { heading: 'Order number', cell: ({ item: { data } }) => data.orderNumber },
  { heading: 'Page', cell: ({ item: { data } }) => data.url },
  {
    heading: 'Review opened',
    cell: ({ item: { data } }, { zone }) => (data.converted === undefined ? undefined : isoMoment(data.converted, zone)),
  },
  { heading: 'Comments', cell: ({ comments }) => comments },
  { heading: 'Test', cell: ({ item: { data } }) => data.test && 'Yes' },
  { heading: 'Link', cell: ({ item }, { site }) => `${site}/?id=${item.id}` },
];

/** Returns the columns of a table of feedback, with or without visitors' contacts. */
export const sheetColumns = ({ contacts }: { readonly contacts: boolean }): readonly SheetColumn[] => [
  ...COLUMNS,
  ...(contacts ? CONTACT_COLUMNS : []),
  ...LAST_COLUMNS,
];

/** Returns whether a feedback item's row needs the wording of its form. */
export const hasOtherAnswers = ({ data }: Feedback): boolean => data.responses.some((response) => isOther(response, data));

/** Returns the other questions and answers in the form's wording at the time, a line each: "Would you like us to get back to you? Yes". */
function otherAnswers({ item: { data }, steps = [] }: SheetItem): string {
  const blocks = new Map(steps.flatMap(({ blocks: list = [] }) => list).map((block) => [block.uuid, block]));
  return data.responses
    .filter((response) => isOther(response, data))
    .map((response) => {
      const block = blocks.get(response.uuid);
      const question = block && (block.prompts?.[viewOf(data.rating)] ?? block.title);
      return [question, answerOf(response, block)].filter(Boolean).join(' ');
    })
    .join('\n');
}

/** Returns whether a response has no column of its own, unlike the rating, the text and an opened review. */
function isOther(response: Response, { rating, textFeedback }: Feedback['data']): boolean {
  switch (response.block) {
    case 'EmojiGauge':
      return response.response !== rating;
    case 'OpenText':
      return response.response.trim() !== '' && response.response.trim() !== textFeedback?.trim();
    case 'ContactMe':
      return true;
    case 'ExternalReview':
      return false;
  }
}

/** Returns an answer in words; a choice has its form's wording. */
function answerOf(response: Response, block: Block | undefined): string {
  switch (response.block) {
    case 'EmojiGauge':
      return RATING_WORDS[response.response];
    case 'OpenText':
      return response.response.trim();
    case 'ContactMe':
      return block?.selections?.[CONTACT_ANSWERS.indexOf(response.response.answer)]?.text ?? response.response.answer;
    case 'ExternalReview':
      return response.response.service;
  }
}
