import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { warnSeldom } from '../platform/log/log.ts';
import type { PaymentProvider } from './port.ts';
import { type EventTakingOptions, openTaking } from './taking.ts';

/** Where the provider posts its events. */
export const WEBHOOK_PATH = '/api/billing/events';
/** What an event may weigh: a subscription is a few KiB. */
const EVENT_BODY = 1024 * 1024;

interface BillingWebhookOptions extends EventTakingOptions {
  readonly provider: Pick<PaymentProvider, 'readWebhook' | 'readEvent'>;
}

/**
 * Takes the provider's events. One that nobody vouches for is refused as `not-signed-in`; everything else that is not
 * applied and stored answers with a 5xx, so that the provider sends it again.
 */
export async function addBillingWebhook(http: FastifyInstance, { platform, provider, applying }: BillingWebhookOptions): Promise<void> {
  const take = openTaking({ platform, provider, applying });
  const forged = warnSeldom(platform.log, 'an event came that the payment provider did not sign');
  await http.register(async (part) => {
    part.removeAllContentTypeParsers();
    // The signature is of the bytes as they came.
    part.addContentTypeParser('*', { parseAs: 'string', bodyLimit: EVENT_BODY }, (_request, raw, done) => done(null, raw));
    part.post(WEBHOOK_PATH, { bodyLimit: EVENT_BODY }, async (request, reply) => {
      const raw = typeof request.body === 'string' ? request.body : '';
      const body = await provider.readWebhook(raw, String(request.headers['paddle-signature'] ?? ''));
      if (body === 'forged') {
        forged(new Error('bad signature'));
        throw refusal('not-signed-in', 'The signature doesn’t match.');
      }
      await take(body);
      return reply.code(200).header('cache-control', 'no-store').send({ status: 'ok' });
    });
  });
}
