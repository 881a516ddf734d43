import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { billedAmount, TRIAL_DAYS } from '#contract/billing/billing.ts';
import type { Billing } from './billing/billing.ts';
import { SANDBOX_PREFIX, SANDBOX_PRICES, sandboxConfig } from './billing/payments.ts';
import { addBillingWebhook, WEBHOOK_PATH } from './billing/webhook.ts';
import { openSandbox, type PaddleSandbox } from './paddle-sandbox/sandbox.ts';
import type { Platform } from './platform/context.ts';
import { isLocal } from './platform/http/local-networks.ts';

interface PaymentsOptions {
  readonly platform: Platform;
  readonly billing: Billing;
  /** How long the sandbox waits with its events (ms). */
  readonly sandboxDelay?: number | undefined;
}

/** Serves what a payment provider needs of us: where it posts its events, and the stand-in for it. Gives the stand-in, where there is one. */
export async function addPayments(
  http: FastifyInstance,
  { platform, billing, sandboxDelay }: PaymentsOptions,
): Promise<PaddleSandbox | undefined> {
  const { provider, applying } = billing;
  if (!provider || !applying) return undefined;
  await addBillingWebhook(http, { platform, provider, applying });
  if (provider.kind !== 'sandbox') return undefined;
  const { config, secret, log, now, random } = platform;
  const { apiKey, environment, webhookSecrets } = sandboxConfig(config, secret);
  const sandbox = await openSandbox({
    now,
    random,
    file: path.join(config.dataDir, 'payment-sandbox.json'),
    prices: SANDBOX_PRICES.map(({ id, plan, paymentFrequency, hasTrial }) => ({
      id,
      product: `Afterword ${plan}`,
      description: `${plan}, paid ${paymentFrequency === 'Annual' ? 'once a year' : 'each month'}`,
      amount: billedAmount(plan, paymentFrequency) * CENTS,
      every: paymentFrequency === 'Annual' ? 'year' : 'month',
      ...(hasTrial && { trialDays: TRIAL_DAYS }),
    })),
    apiKey,
    notify: { url: `${new URL(environment).origin}${WEBHOOK_PATH}`, secret: webhookSecrets[0] ?? '' },
    ...(sandboxDelay !== undefined && { delay: sandboxDelay }),
    paymentLink: `${config.publicUrl}/pay`,
    address: `${config.publicUrl}${SANDBOX_PREFIX}`,
    mayControl: isLocal,
    log,
  });
  await http.register(sandbox.routes, { prefix: SANDBOX_PREFIX });
  return sandbox;
}

const CENTS = 100;
