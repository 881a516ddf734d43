import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { keepOpen } from '../platform/http/sockets.ts';
import type { Secret } from '../platform/secret.ts';
import { sha256 } from '../platform/sha256.ts';
import { actingAs, inAccount } from '../platform/tenancy/access.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';

/** A download link: a file, and a secret that works once. */
interface ExportLink {
  readonly accountId: string;
  readonly exportId: string;
  readonly key: string;
}

/** Encrypts links, so that invalid ones are refused without a query. */
export function openLinks(secret: Secret) {
  const cipher = secret.cipher('export links');
  return {
    seal: ({ accountId, exportId, key }: ExportLink): string =>
      cipher.encrypt([accountId, exportId, key].join(' '), CONTEXT).toString('base64url'),
    unseal(sealed: string): ExportLink | undefined {
      const [accountId, exportId, key] = cipher.decrypt(Buffer.from(sealed, 'base64url'), CONTEXT)?.split(' ') ?? [];
      return accountId !== undefined && exportId !== undefined && key !== undefined ? { accountId, exportId, key } : undefined;
    },
  };
}

const CONTEXT = 'export';
const ROUTE = '/api/exports/';

export const addressOf = (sealed: string): string => ROUTE + sealed;

const LIMITS = {
  /** Concurrent downloads of a process. @limit downloads */
  downloads: 50,
  /** How long a client may read nothing (ms). @limit downloads */
  unread: 60_000,
} as const;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/**
 * Adds `GET /api/exports/:key`, which sends a file by a link that works once. Parts are read as the client reads them; the length is sent
 * first, so that a browser notices an incomplete file.
 */
export function addDownload(http: FastifyInstance, platform: Pick<Platform, 'database' | 'now' | 'secret'>): void {
  const links = openLinks(platform.secret);
  let downloads = 0;
  // A HEAD request would use up the link.
  http.get<{ Params: { key: string } }>(`${ROUTE}:key`, { exposeHeadRoute: false, config: { sheds: 'team' } }, async (request, reply) => {
    const link = links.unseal(request.params.key);
    if (!link) throw refusal('not-found');
    if (downloads >= LIMITS.downloads) throw refusal('overloaded', { retryAfter: 10 });
    const file = await take(link);
    if (!file) throw refusal('not-found', 'This link was already used or has expired. Request the download again.');
    request.trace = { operation: 'export', accountId: link.accountId };
    const body = Readable.from(partsOf(link, file.parts), { objectMode: false, highWaterMark: 1 });
    downloads += 1;
    body.once('close', () => {
      downloads -= 1;
    });
    keepOpen(reply.raw, LIMITS.unread);
    return reply
      .type(TYPES[file.format])
      .header('content-length', file.size)
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(body);
  });

  /** Returns the file if its owner is still on the team and may see its contents. */
  function take({ accountId, exportId, key }: ExportLink) {
    return inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
      const file = await store.takeLink(scope, { id: exportId, hash: sha256(key) });
      const person = file && (await users.byId(scope, file.userId));
      if (!person || (file.contacts && person.data.level !== 'admin')) return undefined;
      const { content, format, contacts } = file;
      await record(actingAs(scope, file.userId), 'export.fetched', { subject: exportId, data: { content, format, contacts } });
      return file;
    });
  }

  /** Yields the parts, each read once the previous one is being sent. */
  async function* partsOf({ accountId, exportId }: ExportLink, parts: number): AsyncGenerator<Buffer> {
    for (let number = 0; number < parts; number += 1) {
      const bytes = await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => store.part(scope, exportId, number));
      // If the file has been deleted since, the connection breaks and the browser reports an incomplete file.
      if (!bytes) throw refusal('not-found');
      yield bytes;
    }
  }
}
