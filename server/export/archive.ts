import {
  ARCHIVE_ORDER,
  type ArchiveFile,
  archiveFileName,
  archiveLine,
  archiveReadme,
  README_NAME,
} from '#contract/account/account-archive.ts';
import { openZip } from '#contract/export/zip.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as brands from '../brand/store.ts';
import * as comments from '../comment/store.ts';
import * as conversations from '../conversation/store.ts';
import * as events from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as requests from '../feedback-request/store.ts';
import * as forms from '../form/store.ts';
import * as kiosks from '../kiosk/store.ts';
import * as messages from '../message/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as savedReplies from '../saved-reply/store.ts';
import * as savedViews from '../saved-view/store.ts';
import * as tags from '../tag/store.ts';
import * as tools from '../tool/store.ts';
import * as topics from '../topic/store.ts';
import * as users from '../user/store.ts';
import * as views from '../view/store.ts';
import * as webhooks from '../webhook/store.ts';
import { PACKING } from './packing.ts';
import type { ExportPiece, ExportProgress } from './store.ts';

/** A page of records, and the cursor of the next one, if any. */
interface RecordPage {
  readonly records: readonly object[];
  readonly after?: string | undefined;
}

interface ReadOptions {
  /** The cursor returned with the previous page; undefined for the first. */
  readonly after: string | undefined;
  readonly most: number;
  readonly billing: Billing;
}

type ReadRecords = (scope: AccountScope, options: ReadOptions) => Promise<RecordPage>;

/** Reads each kind of record. */
const READ: Readonly<Record<ArchiveFile, ReadRecords>> = {
  async account(scope, { billing }) {
    const account = await accounts.byScope(scope);
    return { records: account ? [accounts.wireAccount(account, { billing, now: scope.now })] : [] };
  },
  users: paged(users.page, idOf),
  properties: async (scope) => ({ records: await properties.allWithDeleted(scope) }),
  forms: paged(
    (scope, after, most) => forms.page(scope, { formId: partOf(after, 0), version: Number(partOf(after, 1)) }, most),
    ({ id, data }) => `${id} ${data.version}`,
  ),
  placements: async (scope) => ({ records: await tools.allWithDeleted(scope) }),
  tags: async (scope) => ({ records: await tags.all(scope) }),
  feedback: paged(feedback.page, idOf),
  comments: paged(comments.page, idOf),
  messages: paged(messages.page, idOf),
  openings: paged(
    (scope, after, most) => views.page(scope, { formId: partOf(after, 0), day: partOf(after, 1) || FIRST_DAY }, most),
    ({ formId, day }) => `${formId} ${day}`,
  ),
  events: paged(
    (scope, after, most) => events.page(scope, Number(after), most),
    ({ id }) => String(id),
  ),
  views: async (scope) => ({ records: await savedViews.ofEveryone(scope) }),
  webhooks: async (scope) => ({ records: await webhooks.all(scope) }),
  kiosks: async (scope) => ({ records: await kiosks.all(scope) }),
  replies: async (scope) => ({ records: await savedReplies.all(scope) }),
  conversations: paged(conversations.page, idOf),
  requests: paged(requests.page, idOf),
  topics: async (scope) => ({ records: await topics.all(scope) }),
  suppressions: paged(requests.pageOfSuppressions, idOf),
  brand: async (scope) => ({ records: [{ id: scope.accountId, ...(await brands.read(scope)) }] }),
};

const FIRST_DAY = '0001-01-01';
const partOf = (after: string, index: number): string => after.split(' ')[index] ?? '';

/** Returns a reader of pages, whose cursor is the key of a page's last record. */
function paged<R extends object>(
  read: (scope: AccountScope, after: string, most: number) => Promise<readonly R[]>,
  keyOf: (record: R) => string,
): ReadRecords {
  return async (scope, { after = '', most }) => {
    const records = await read(scope, after, most);
    const last = records.at(-1);
    return { records, after: last && records.length === most ? keyOf(last) : undefined };
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

interface ArchivePieceOptions extends Pick<ReadOptions, 'most' | 'billing'> {
  readonly site: string;
  /** Size at which a file continues in another one (bytes). */
  readonly split: number;
}

/** Returns the next part of an account's archive, which has records of one kind. */
export async function archivePiece(
  scope: AccountScope,
  { archive, cursor }: ExportProgress,
  { site, split, ...options }: ArchivePieceOptions,
): Promise<ExportPiece> {
  const zip = openZip(PACKING, archive?.zip);
  if (!archive) {
    const account = await accounts.byScope(scope);
    zip.begin(README_NAME);
    await zip.write(archiveReadme({ name: account?.displayName ?? scope.accountId, at: scope.now.getTime(), site }));
    zip.end();
  }
  const { kind = 0, part = 1, isOpen = false } = archive ?? {};
  const file = ARCHIVE_ORDER[kind];
  if (file === undefined) throw new Error('An archive continued after its end');
  const { records, after } = await READ[file](scope, { ...options, after: cursor });
  if (!isOpen) zip.begin(archiveFileName(file, part));
  await zip.write(records.map(archiveLine).join(''));
  const isFull = (zip.take().state.entries.at(-1)?.size ?? 0) >= split;
  if (after === undefined || isFull) zip.end();
  const isLast = after === undefined && kind === ARCHIVE_ORDER.length - 1;
  if (isLast) zip.finish();
  const { bytes, state } = zip.take();
  const next = after === undefined ? { kind: kind + 1, part: 1, isOpen: false } : { kind, part: isFull ? part + 1 : part, isOpen: !isFull };
  const progress = { archive: { ...next, zip: state }, ...(after !== undefined && { cursor: after }) };
  return { bytes, rows: records.length, progress, isLast };
}
