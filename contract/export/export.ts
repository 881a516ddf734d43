import * as v from 'valibot';
import { refusal } from '../core/errors.ts';
import { accountIdSchema, exportIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, zone } from '../core/schema.ts';
import { calendarDay, DAY, isoDay } from '../core/time.ts';
import { event } from '../event/event.ts';
import { ACCOUNT_OR_PROPERTY, feedbackFilters, hasAccountOrProperty } from '../feedback/feedback.ts';
import { SHEET_FORMATS } from './sheet.ts';

/* Exports of feedback and of an account's data (docs/rules.md#exports). */

/** How long a file can be downloaded (ms). @limit exports */
export const EXPORT_RETENTION = DAY;
/** Rows of a table: spreadsheets open no more. @limit exports */
export const MOST_EXPORTED = 1_000_000;
/** The most exports that run at once for one person, and for one account. @limit exports */
const MOST_RUNNING = 2;
const MOST_RUNNING_OF_ACCOUNT = 5;

export const EXPORT_CONTENTS = ['feedback', 'account'] as const;
/** Feedback is exported as a table, an account's data as an archive. */
export const EXPORT_FORMATS = [...SHEET_FORMATS, 'zip'] as const;
export const EXPORT_STATUSES = ['waiting', 'running', 'done', 'failed'] as const;

/** Why an export failed, in words for people. */
export const EXPORT_FAILURES = {
  'too-many-rows': 'There are more than a million rows. Choose a shorter period or a filter.',
  'too-large': 'The file would be larger than a gigabyte. Choose a shorter period or a filter.',
  'not-allowed': 'You’re no longer allowed to export this.',
  erased: 'A visitor deleted their words since. Export again.',
  broken: 'Something went wrong on our side. It has been logged. Please try again.',
} as const;
export type ExportFailure = keyof typeof EXPORT_FAILURES;
export const EXPORT_FAILURE_NAMES = Object.keys(EXPORT_FAILURES) as [ExportFailure, ...ExportFailure[]];

/** A requested file. `gs1sk` is the id of the person who requested it (docs/rules.md#envelope). */
const exportedFile = v.strictObject({
  id: exportIdSchema,
  sk: v.literal('EXPORT'),
  gs1sk: userIdSchema,
  data: v.strictObject({
    created: v.number(),
    content: v.picklist(EXPORT_CONTENTS),
    format: v.picklist(EXPORT_FORMATS),
    name: v.string(),
    status: v.picklist(EXPORT_STATUSES),
    /** Rows or records written so far. Their total, `expected`, is missing for an archive and before they are counted. */
    rows: v.number(),
    expected: v.optional(v.number()),
    /** Bytes of the whole file. */
    size: v.optional(v.number()),
    /** Until when it can be downloaded (UTC ms). */
    until: v.optional(v.number()),
    failure: v.optional(v.picklist(EXPORT_FAILURE_NAMES)),
  }),
});
export type ExportedFile = v.InferOutput<typeof exportedFile>;

/** Returns whether a file is still being written. */
export const isInProgress = ({ data: { status } }: ExportedFile): boolean => status === 'waiting' || status === 'running';

/** Returns a name such as `afterword-feedback-2026-11-22.csv`, with the day in the person's zone (docs/rules.md#dates). */
export const exportName = (
  { content, format }: Pick<ExportedFile['data'], 'content' | 'format'>,
  { at, zone: inZone }: { readonly at: number; readonly zone: string },
): string => `afterword-${content}-${isoDay(calendarDay(at, inZone))}.${format}`;

/** Throws `too-many` if too many exports are running already. */
export function checkMayStart({ mine, total }: { readonly mine: number; readonly total: number }): void {
  const detail = 'Your team is already exporting. Wait until a file is ready, or cancel one.';
  if (mine >= MOST_RUNNING || total >= MOST_RUNNING_OF_ACCOUNT) throw refusal('too-many', { detail, retryAfter: 10 });
}

const TOO_MANY = {
  'too-many': 'The caller already has two exports running, the account has five, or 60 were requested today.',
};

export const exportOperations = {
  create: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'export',
    summary:
      'Start an export of all feedback that matches these filters; `get` returns its progress. Only an admin’s file has visitors’ contacts.',
    refusals: TOO_MANY,
    input: v.pipe(
      v.strictObject({ ...feedbackFilters, format: v.picklist(SHEET_FORMATS), zone }),
      v.forward(v.partialCheck([['accountId'], ['propertyId']], hasAccountOrProperty, ACCOUNT_OR_PROPERTY), ['accountId']),
    ),
    answer: okOrNotFound({ file: exportedFile }),
  }),
  archive: operation({
    access: 'admin',
    whileEnded: true,
    keyScope: 'export',
    summary: 'Start an export of all the account’s data as one archive of JSON lines; `get` returns its progress.',
    refusals: TOO_MANY,
    input: v.strictObject({ accountId: accountIdSchema, zone }),
    answer: okOrNotFound({ file: exportedFile }),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'export',
    summary: 'List the caller’s exports of the last 24 hours, newest first.',
    input: v.strictObject({}),
    answer: okOrNotFound({ files: v.array(exportedFile) }),
  }),
  get: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'export',
    summary: 'Get the progress of one of the caller’s exports.',
    input: v.strictObject({ exportId: exportIdSchema }),
    answer: okOrNotFound({ file: exportedFile }),
  }),
  link: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'export',
    summary: 'Get the download link of one of the caller’s finished exports. It works once, within a minute.',
    refusals: { conflict: 'The file isn’t finished.', 'too-many': 'At most 100 an hour.' },
    input: v.strictObject({ exportId: exportIdSchema }),
    answer: okOrNotFound({ address: v.string(), name: v.string() }),
  }),
  delete: operation({
    access: 'member',
    whileEnded: true,
    keyScope: 'export',
    summary: 'Delete one of the caller’s exports, or cancel it.',
    input: v.strictObject({ exportId: exportIdSchema }),
    answer: okOrNotFound({}),
  }),
};

/** Returns the refusal of a link to an unfinished file. */
export const exportNotReady = () => refusal('conflict', 'The file is not ready.');

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly exportId: string;
  }
}

export const exportExamples: Examples<typeof exportOperations> = {
  create: ({ accountId }) => ({ accountId, kind: 'urgent', format: 'csv', zone: 'Europe/Lisbon' }),
  archive: ({ accountId }) => ({ accountId, zone: 'Europe/Lisbon' }),
  list: () => ({}),
  get: ({ exportId }) => ({ exportId }),
  link: ({ exportId }) => ({ exportId }),
  delete: ({ exportId }) => ({ exportId }),
};

const exportData = v.strictObject({ content: v.picklist(EXPORT_CONTENTS), format: v.picklist(EXPORT_FORMATS), contacts: v.boolean() });

export const exportEvents = {
  'export.requested': event({ seenBy: 'admin', summary: 'A teammate requested an export.', data: exportData }),
  'export.fetched': event({ seenBy: 'admin', summary: 'An export was downloaded by the person who requested it.', data: exportData }),
};
