import { type SheetFormat, WRITE_SHEET } from '#contract/export/sheet.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { hasOtherAnswers, sheetColumns } from '#contract/feedback/feedback-sheet.ts';
import type { Step } from '#contract/form/form.ts';
import * as comments from '../comment/store.ts';
import * as feedback from '../feedback/store.ts';
import * as forms from '../form/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as tags from '../tag/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import { PACKING } from './packing.ts';
import type * as store from './store.ts';

interface SheetExport extends store.ExportRow {
  readonly list: NonNullable<store.ExportQuery['list']>;
}

interface SheetPieceOptions {
  readonly cache: SheetCache;
  /** The installation's address. */
  readonly site: string;
  /** Rows of a part. */
  readonly most: number;
}

/** Returns the next part of a table. */
export async function sheetPiece(
  scope: AccountScope,
  { list, query, contacts, format, progress }: SheetExport,
  { cache, site, most }: SheetPieceOptions,
): Promise<store.ExportPiece> {
  const { feedback: items, cursor } = await feedback.list(scope, { ...list, cursor: progress.cursor, limit: most });
  const columns = sheetColumns({ contacts });
  const commented = await comments.counts(
    scope,
    items.map(({ id }) => id),
  );
  const counts = new Map(commented.map(({ feedbackId, count }) => [feedbackId, count]));
  const names = await cache.names(scope);
  const context = { zone: query.zone, site, nameOf: (id: string) => names.get(id) };
  const rows = [];
  for (const item of items) {
    const steps = hasOtherAnswers(item) ? await cache.steps(scope, item) : undefined;
    rows.push(columns.map(({ cell }) => cell({ item, steps, comments: counts.get(item.id) ?? 0 }, context)));
  }
  const headings = columns.map(({ heading }) => heading);
  const isLast = cursor === null;
  // `export.create` accepts only these formats for a list.
  const write = WRITE_SHEET[format as SheetFormat];
  const { bytes, state } = await write({ packing: PACKING, headings, before: progress.sheet, rows, isLast });
  return { bytes, rows: items.length, progress: { sheet: state, ...(cursor !== null && { cursor }) }, isLast };
}

/** Records that rows refer to, read once per run. */
export interface SheetCache {
  names(scope: AccountScope): Promise<ReadonlyMap<string, string>>;
  steps(scope: AccountScope, item: Feedback): Promise<readonly Step[] | undefined>;
}

export function openSheetCache(): SheetCache {
  let names: ReadonlyMap<string, string> | undefined;
  const versions = new Map<string, readonly Step[] | undefined>();
  return {
    async names(scope) {
      names ??= new Map(
        [await properties.all(scope), await tools.all(scope), await tags.all(scope), await users.all(scope)]
          .flat()
          .map(({ id, data }) => [id, data.displayName]),
      );
      return names;
    },
    async steps(scope, { data: { formId, formVersion } }) {
      const key = `${formId} ${formVersion}`;
      if (!versions.has(key)) {
        const stored = await forms.read(scope, formId, formVersion);
        if (versions.size >= MOST_VERSIONS_CACHED) versions.clear();
        versions.set(key, stored?.form.data.steps);
      }
      return versions.get(key);
    },
  };
}

/** A form version takes a few kilobytes. */
const MOST_VERSIONS_CACHED = 200;
