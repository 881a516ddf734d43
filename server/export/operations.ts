import { createHash } from 'node:crypto';
import { exportId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { checkMayStart, type ExportedFile, exportName, exportNotReady, type exportOperations } from '#contract/export/export.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as tools from '../tool/store.ts';
import { addressOf, openLinks } from './download.ts';
import * as store from './store.ts';

/** Files of one's own: asked for, watched, fetched and deleted. */
export function openExport({ jobs, random, secret }: Pick<Platform, 'jobs' | 'random' | 'secret'>) {
  const links = openLinks(secret);
  return {
    async create({ scope, person }, { format, zone, ...filters }) {
      if (!(await tools.arePlaces(scope, filters))) return NOT_FOUND;
      const end = scope.now.getTime() + 1;
      const { accountId: _own, to = end, ...wanted } = filters;
      // What comes while it is written is not in it: else there might be no end.
      const query = { zone, list: { ...wanted, to: Math.min(to, end) } };
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
      await store.setLink(scope, id, { hash: hashOf(key), until: new Date(scope.now.getTime() + LINK_LIFE) });
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
      ...about
    }: Pick<ExportedFile['data'], 'content' | 'format'> & { readonly contacts: boolean; readonly query: store.ExportQuery },
  ): Promise<ExportedFile> {
    const { accountId, actor: userId, now } = scope;
    // Counted first: whoever asks at the same time waits here.
    await countWithin(scope, ASKED, accountId);
    checkMayStart(await store.underWay(scope));
    const name = exportName(about, { at: now.getTime(), zone: query.zone });
    const file = await store.insert(scope, { id: exportId(random), name, query, ...about });
    await jobs.queue(scope.db, 'export.write', { accountId, userId, exportId: file.id });
    await record(scope, 'export.requested', { subject: file.id, data: about });
    return file;
  }
}

/** Files that the people of one account ask for. */
const ASKED = { name: 'exports', most: 60, within: DAY };
const LINKS = { name: 'export links', most: 100, within: HOUR };
/** Long enough for a browser to begin (ms). */
const LINK_LIFE = 60_000;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
