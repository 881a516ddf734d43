import { MINUTE } from '#contract/core/time.ts';
import { EXPORT_RETENTION, type ExportFailure, MOST_EXPORTED } from '#contract/export/export.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as feedback from '../feedback/store.ts';
import type { Platform } from '../platform/context.ts';
import { eachSettled } from '../platform/each-settled.ts';
import type { Job, JobData, Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import { createLimiter } from '../platform/tenancy/limiter.ts';
import * as users from '../user/store.ts';
import { archivePiece } from './archive.ts';
import { openSheetCache, type SheetCache, sheetPiece } from './sheet.ts';
import * as store from './store.ts';

const LIMITS = {
  /** Rows of a file. */
  rows: MOST_EXPORTED,
  /** Rows in a part of the file. @limit exports */
  page: 500,
  /** Parts that one run of the job writes, and how long it starts others (ms); then it queues itself again. @limit exports */
  pages: 40,
  lasts: 20_000,
  /** Bytes of a table, and of an archive, which can't be filtered. @limit exports */
  size: 1024 ** 3,
  archive: 3 * 1024 ** 3,
  /** Uncompressed bytes at which a file in an archive continues in another one. @limit exports */
  split: 1024 ** 3,
  /** Parts that are deleted at a time. */
  deletedParts: 100,
  /** Time without a write after which a file has no job anymore (ms). @limit exports */
  stalled: 30 * MINUTE,
} as const;

type ExportJob = JobData['export.write'];

/**
 * Returns the jobs that write and delete exports. Each part is written in one transaction with the file's progress, so that another
 * process can continue after a crash, and only complete files can be fetched.
 */
export function openExportJobs(
  { billing, ...platform }: Pick<Platform, 'database' | 'now' | 'jobs' | 'config'> & { readonly billing: Billing },
  changes: Partial<Record<keyof typeof LIMITS, number>> = {},
): Work {
  const limits = { ...LIMITS, ...changes };
  // A process writes one part at a time, so that all exports together use a single connection.
  const turns = createLimiter({ atOnce: 1, waiting: Infinity, full: () => new Error('Never full') });
  return {
    async 'export.write'(job) {
      try {
        await write(job);
      } catch (error) {
        if (job.isLast) await asOwner(job.data, (scope) => store.fail(scope, job.data.exportId, 'broken'));
        throw error;
      }
    },
    'export.forget': ({ data }) => deleteFile(data),
    async 'export.upkeep'() {
      const { stalled, expiredOrDeleted } = await inEveryAccount(platform, async (scope) => ({
        stalled: await store.stalled(scope, new Date(scope.now.getTime() - limits.stalled)),
        expiredOrDeleted: await store.expiredOrDeleted(scope, new Date(scope.now.getTime() - EXPORT_RETENTION)),
      }));
      const giveUp = ({ id, ...owner }: store.NamedExport) => asOwner(owner, (scope) => store.fail(scope, id, 'broken'));
      const drop = ({ id: exportId, ...owner }: store.NamedExport) => deleteFile({ ...owner, exportId });
      await eachSettled([() => eachSettled(stalled, giveUp), () => eachSettled(expiredOrDeleted, drop)], (work) => work());
    },
  };

  async function write({ data, signal }: Job<ExportJob>): Promise<void> {
    const options = { billing, site: platform.config.publicUrl, limits, cache: openSheetCache() };
    const end = performance.now() + limits.lasts;
    for (let page = 0; page < limits.pages && performance.now() < end; page += 1) {
      signal.throwIfAborted();
      const hasMore = await turns.run(() => asOwner(data, (scope) => writePage(scope, data.exportId, options)));
      if (!hasMore) return;
    }
    await asOwner(data, (scope) => platform.jobs.queue(scope.db, 'export.write', data));
  }

  /** Runs `work` as the person who requested the file. */
  function asOwner<T>(
    { accountId, userId }: Pick<ExportJob, 'accountId' | 'userId'>,
    work: (scope: AccountScope) => Promise<T>,
  ): Promise<T> {
    return inAccount(platform, { accountId, actor: userId }, work);
  }

  async function deleteFile({ exportId, ...owner }: ExportJob): Promise<void> {
    while (await asOwner(owner, (scope) => store.deleteParts(scope, exportId, limits.deletedParts)));
  }
}

interface PageOptions {
  readonly billing: Billing;
  /** The installation's address. */
  readonly site: string;
  readonly limits: Readonly<Record<keyof typeof LIMITS, number>>;
  readonly cache: SheetCache;
}

/** Adds a part to the file, and returns whether another one follows. */
async function writePage(scope: AccountScope, id: string, { billing, site, limits, cache }: PageOptions): Promise<boolean> {
  const file = await store.unfinished(scope, id);
  if (!file) return false;
  const failure = await accessFailure(scope, file);
  if (failure) return failWith(scope, file, failure);
  const { list } = file.query;
  if (file.status === 'waiting') {
    const expected = list ? await feedback.count(scope, list, limits.rows + 1) : null;
    if (expected !== null && expected > limits.rows) return failWith(scope, file, 'too-many-rows');
    await store.begin(scope, id, expected);
  }
  const part = { site, most: limits.page };
  const piece = list
    ? await sheetPiece(scope, { ...file, list }, { ...part, cache })
    : await archivePiece(scope, file.progress, { ...part, billing, split: limits.split });
  if (file.size + piece.bytes.length > (list ? limits.size : limits.archive)) return failWith(scope, file, 'too-large');
  return (await store.addPart(scope, file, piece)) && !piece.isLast;
}

type ArchivePlatform = Pick<Platform, 'database' | 'now' | 'config'> & { readonly billing: Billing };

/** Yields an account's archive in parts, each read in its own transaction. */
export async function* archivePieces(
  { billing, ...platform }: ArchivePlatform,
  account: { readonly accountId: string; readonly actor: string },
): AsyncGenerator<Uint8Array> {
  const options = { site: platform.config.publicUrl, billing, most: LIMITS.page, split: LIMITS.split };
  let progress: store.ExportProgress = {};
  for (let isLast = false; !isLast; ) {
    const piece = await inAccount(platform, account, (scope) => archivePiece(scope, progress, options));
    yield piece.bytes;
    ({ isLast, progress } = piece);
  }
}

async function failWith(scope: AccountScope, { id }: store.ExportRow, failure: ExportFailure): Promise<false> {
  await store.fail(scope, id, failure);
  return false;
}

/** Returns `not-allowed` if the owner has left the team or is no longer an admin, or the account is deleted. */
async function accessFailure(scope: AccountScope, { contacts }: store.ExportRow): Promise<ExportFailure | undefined> {
  const person = await users.byId(scope, scope.actor);
  const hasAccess = person && (!contacts || person.data.level === 'admin') && (await accounts.byScope(scope));
  return hasAccess ? undefined : 'not-allowed';
}
