import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { warnSeldom } from '../platform/log/log.ts';
import { createEventProcessor, type EventProcessorOptions } from './event-processor.ts';
import type { PaymentProvider } from './port.ts';

/** Where the provider posts its events. */
export const WEBHOOK_PATH = '/api/billing/events';
/** The largest event (bytes). A subscription is a few KiB. @limit payment-events */
const EVENT_BODY = 1024 * 1024;

interface BillingWebhookOptions extends EventProcessorOptions {
  readonly provider: Pick<PaymentProvider, 'readWebhook' | 'readEvent'>;
}

/**
 * Receives the provider's events. An event without a valid signature is refused as `not-signed-in`. Any other event that isn't
 * applied or stored gets a 5xx response, so that the provider sends it again.
 */
export async function addBillingWebhook(http: FastifyInstance, { platform, provider, updates }: BillingWebhookOptions): Promise<void> {
  const processEvent = createEventProcessor({ platform, provider, updates });
  const warn = warnSeldom(platform.log, 'received an event without a valid signature of the payment provider');
  await http.register(async (part) => {
    part.removeAllContentTypeParsers();
    // The signature covers the raw body.
    part.addContentTypeParser('*', { parseAs: 'string', bodyLimit: EVENT_BODY }, (_request, raw, done) => done(null, raw));
    part.post(WEBHOOK_PATH, { bodyLimit: EVENT_BODY }, async (request, reply) => {
      const raw = typeof request.body === 'string' ? request.body : '';
      const body = await provider.readWebhook(raw, String(request.headers['paddle-signature'] ?? ''));
      if (body === 'forged') {
        warn(new Error('bad signature'));
        throw refusal('not-signed-in', 'The signature doesn’t match.');
      }
      await processEvent(body);
      return reply.code(200).header('cache-control', 'no-store').send({ status: 'ok' });
    });
  });
}
