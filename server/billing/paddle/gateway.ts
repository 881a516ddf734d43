import type { FastifyBaseLogger } from 'fastify';
import type { PaddleConfig } from '../../platform/config/billing.ts';
import type { PaymentProvider, Price } from '../port.ts';
import { openCalls } from './calls.ts';
import { openCheckouts } from './checkouts.ts';
import { openPaddle } from './client.ts';
import { unsettledEvents } from './events.ts';
import { openPaddlePayments } from './payments.ts';
import { openPaddleSubscriptions } from './subscriptions.ts';

interface PaddleGatewayOptions {
  readonly kind: PaymentProvider['kind'];
  readonly config: Pick<PaddleConfig, 'apiKey' | 'environment' | 'webhookSecrets'>;
  readonly prices: readonly Price[];
  readonly checkout: PaymentProvider['checkout'];
  /** The page where checkouts are paid. */
  readonly payUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** UTC ms. */
  readonly now: () => number;
}

/** Implements the port with Paddle. */
export function openGateway({ kind, config, prices, checkout, payUrl, log, now }: PaddleGatewayOptions): PaymentProvider {
  const client = { paddle: openPaddle(config), ...openCalls(log), prices };
  return {
    kind,
    checkout,
    priceOf: (id) => prices.find((price) => price.id === id),
    ...openCheckouts(client, payUrl),
    ...openPaddleSubscriptions(client),
    ...openPaddlePayments(client),
    ...unsettledEvents(client, { webhookSecrets: config.webhookSecrets, now }),
  };
}
