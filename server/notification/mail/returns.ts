import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { record } from '../../event/store.ts';
import type { Platform } from '../../platform/context.ts';
import { hostOf } from '../../platform/http/network.ts';
import { sha256 } from '../../platform/sha256.ts';
import { inAccount, inDelivery, withDelivery } from '../../platform/tenancy/access.ts';
import { openGate } from '../../platform/tenancy/rate-limit.ts';
import * as store from './delivery-store.ts';
import { type ReturnedMail, readReturnedMail } from './returned-mail.ts';

/** The largest returned mail (bytes). Most mail servers return only part of a large mail. @limit mail-returns */
const LARGEST = 1024 * 1024;
/** Requests with a wrong key per network. @limit mail-returns */
const WRONG_KEYS = { name: 'wrong keys for returned mails', most: 100, within: HOUR };

type ReturnsPlatform = Pick<Platform, 'config' | 'database' | 'now'>;

/**
 * Adds `POST /mail/returns`, unless the setting for its key is missing. A mail server posts each bounce and complaint it receives, as a
 * raw mail. Any mail gets the same response, because a mail server would send an error back to the mail's sender.
 */
export function addMailReturns(http: FastifyInstance, platform: ReturnsPlatform): void {
  const { returnsKey } = platform.config.mail;
  if (returnsKey === undefined) return;
  const expected = sha256(`Bearer ${returnsKey}`);
  const admitWrongKey = openGate(platform, WRONG_KEYS);

  void http.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, raw: Buffer) => raw);
    const options = { bodyLimit: LARGEST, config: { sheds: 'team' }, onRequest: checkKey } as const;
    part.post('/mail/returns', options, async (request, reply) => {
      const returned = Buffer.isBuffer(request.body) ? await readReturnedMail(request.body) : undefined;
      const accountId = returned && (await save(platform, returned));
      request.trace = { operation: 'returned mail', ...(accountId !== undefined && { accountId }) };
      return reply.code(204).header('cache-control', 'no-store').send();
    });
  });

  /** Checks the key before the body is read. */
  async function checkKey({ headers, ip }: FastifyRequest): Promise<void> {
    if (timingSafeEqual(sha256(headers.authorization ?? ''), expected)) return;
    await admitWrongKey(hostOf(ip));
    throw refusal('not-signed-in', 'The key is wrong.');
  }
}

/** Marks the delivery as failed, records the event unless this was reported before, and returns the account; undefined without one. */
async function save(platform: ReturnsPlatform, { deliveryId, error, event }: ReturnedMail): Promise<string | undefined> {
  const accountId = await inDelivery(platform, deliveryId, store.accountOf);
  if (accountId === undefined) return undefined;
  await inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
    const isNew = await withDelivery(scope.db, deliveryId, (delivery) => store.markReturned(delivery, error));
    if (isNew && event) await record(scope, event, { subject: deliveryId, data: {} });
  });
  return accountId;
}
