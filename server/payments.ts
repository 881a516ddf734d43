import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { billedAmount, TRIAL_DAYS } from '#contract/billing/billing.ts';
import { openPaddleStandIn, type PaddleStandIn } from '#stand-ins/paddle/paddle.ts';
import type { Billing } from './billing/billing.ts';
import { SANDBOX_PREFIX, SANDBOX_PRICES, sandboxConfig } from './billing/payments.ts';
import { addBillingWebhook, WEBHOOK_PATH } from './billing/webhook.ts';
import type { Platform } from './platform/context.ts';
import { isLocal } from './platform/http/local-networks.ts';

interface PaymentsOptions {
  readonly platform: Platform;
  readonly billing: Billing;
}

/** Adds the webhook for the payment provider's events. Returns the provider's stand-in if `BILLING` is `sandbox`. */
export async function addPayments(http: FastifyInstance, { platform, billing }: PaymentsOptions): Promise<PaddleStandIn | undefined> {
  const { provider, updates } = billing;
  if (!provider || !updates) return undefined;
  await addBillingWebhook(http, { platform, provider, updates });
  if (provider.kind !== 'sandbox') return undefined;
  const { config, secret, log, now } = platform;
  const { apiKey, environment, webhookSecrets } = sandboxConfig(config, secret);
  const sandbox = await openPaddleStandIn({
    now,
    file: path.join(config.dataDir, 'paddle-stand-in.json'),
    prices: SANDBOX_PRICES.map(({ id, plan, paymentFrequency, hasTrial }) => ({
      id,
      productName: `Afterword ${plan}`,
      description: `${plan}, paid ${paymentFrequency === 'Annual' ? 'once a year' : 'each month'}`,
      unit_price: { amount: String(billedAmount(plan, paymentFrequency) * CENTS), currency_code: 'USD' },
      billing_cycle: { interval: paymentFrequency === 'Annual' ? 'year' : 'month', frequency: 1 },
      trial_period: hasTrial ? { interval: 'day', frequency: TRIAL_DAYS, requires_payment_method: true } : null,
    })),
    apiKey,
    notify: { url: `${new URL(environment).origin}${WEBHOOK_PATH}`, secret: webhookSecrets[0] ?? '' },
    address: `${config.publicUrl}${SANDBOX_PREFIX}`,
    mayControl: isLocal,
    log,
  });
  await http.register(sandbox.routes, { prefix: SANDBOX_PREFIX });
  return sandbox;
}

const CENTS = 100;
