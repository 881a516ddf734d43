import { exportId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { checkMayStart, type ExportedFile, exportName, exportNotReady, type exportOperations } from '#contract/export/export.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as tools from '../tool/store.ts';
import { addressOf, openLinks } from './download.ts';
import * as store from './store.ts';

/** Operations by which people request, fetch and delete their own exports. */
export function openExport({ jobs, random, secret }: Pick<Platform, 'jobs' | 'random' | 'secret'>) {
  const links = openLinks(secret);
  return {
    async create({ scope, person }, { format, zone, ...filters }) {
      if (!(await tools.arePlaces(scope, filters))) return NOT_FOUND;
      const end = scope.now.getTime() + 1;
      const { accountId: _accountId, to = end, ...list } = filters;
      // Feedback that arrives during the export is left out, or it might never end.
      const query = { zone, list: { ...list, to: Math.min(to, end) } };
      return { status: 'ok', file: await begin(scope, { content: 'feedback', format, contacts: person.level === 'admin', query }) };
    },
    async archive({ scope }, { zone }) {
      const content = { content: 'account', format: 'zip', contacts: true } as const;
      return { status: 'ok', file: await begin(scope, { ...content, query: { zone } }) };
    },
    async list({ scope }) {
      return { status: 'ok', files: await store.list(scope) };
    },
    async get({ scope }, { exportId: id }) {
      const file = await store.byId(scope, id);
      return file ? { status: 'ok', file } : NOT_FOUND;
    },
    async link({ scope, person }, { exportId: id }) {
      const file = await store.byId(scope, id);
      if (!file) return NOT_FOUND;
      if (file.data.status !== 'done') throw exportNotReady();
      await countWithin(scope, LINKS, person.userId);
      const key = Buffer.from(random(16)).toString('base64url');
      const until = new Date(scope.now.getTime() + LINK_LIFE);
      // It failed or was deleted in the meantime.
      if (!(await store.setLink(scope, id, { hash: sha256(key), until }))) throw exportNotReady();
      return { status: 'ok', address: addressOf(links.seal({ accountId: scope.accountId, exportId: id, key })), name: file.data.name };
    },
    async delete({ scope, person }, { exportId: id }) {
      if (!(await store.remove(scope, id))) return NOT_FOUND;
      await jobs.queue(scope.db, 'export.forget', { accountId: scope.accountId, userId: person.userId, exportId: id });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof exportOperations>;

  async function begin(
    scope: AccountScope,
    {
      query,
      ...request
    }: Pick<ExportedFile['data'], 'content' | 'format'> & { readonly contacts: boolean; readonly query: store.ExportQuery },
  ): Promise<ExportedFile> {
    const { accountId, actor: userId, now } = scope;
    // Counted first, so that concurrent requests wait for each other here.
    await countWithin(scope, EXPORT_REQUESTS, accountId);
    checkMayStart(await store.countRunning(scope));
    const name = exportName(request, { at: now.getTime(), zone: query.zone });
    const file = await store.insert(scope, { id: exportId(random), name, query, ...request });
    await jobs.queue(scope.db, 'export.write', { accountId, userId, exportId: file.id });
    await record(scope, 'export.requested', { subject: file.id, data: request });
    return file;
  }
}

/** Exports per account. @limit exports */
const EXPORT_REQUESTS = { name: 'exports', most: 60, within: DAY };
/** Links per person. @limit downloads */
const LINKS = { name: 'export links', most: 100, within: HOUR };
/** How long a link works, once (ms): long enough for a browser to start the download. @limit downloads */
const LINK_LIFE = 60_000;
