import type { FastifyBaseLogger } from 'fastify';
import { FREQUENCIES, OFFERED_PLANS, priceName } from '#contract/billing/billing.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { PaddleConfig, PaddleKey } from '../platform/config/billing.ts';
import type { Config } from '../platform/config/config.ts';
import type { Secret } from '../platform/secret.ts';

import { type Catalog, findOrCreateCatalog } from './paddle/catalog.ts';
import { openPaddle } from './paddle/client.ts';
import { openGateway } from './paddle/gateway.ts';
import type { PaymentProvider, Price } from './port.ts';

interface ProviderOptions {
  readonly config: Pick<Config, 'billing' | 'host' | 'port' | 'publicUrl'>;
  readonly secret: Secret;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** UTC ms. */
  readonly now: () => number;
}

/** Path of the stand-in for Paddle. */
export const SANDBOX_PREFIX = '/sandbox';

/** Returns the payment provider in the settings, or undefined without billing. */
export function openPaymentProvider({ config, secret, log, now }: ProviderOptions): PaymentProvider | undefined {
  const { billing, publicUrl } = config;
  if (!billing || billing.kind === 'none') return undefined;
  const paddle = billing.kind === 'sandbox' ? sandboxConfig(config, secret) : billing;
  const checkout = billing.kind === 'sandbox' ? SANDBOX_CHECKOUT : checkoutOf(billing);
  return openGateway({ kind: billing.kind, config: paddle, prices: paddle.prices, checkout, payUrl: `${publicUrl}/pay`, log, now });
}

const checkoutOf = ({ client, world }: PaddleConfig): NonNullable<PublicConfig['billing']['checkout']> => ({
  ...client,
  environment: world,
});

const SANDBOX_CHECKOUT = { token: 'test_sandbox', environment: 'sandbox', script: `${SANDBOX_PREFIX}/paddle.js` } as const;

/** Prices of the sandbox. Their ids are readable and have the shape of Paddle's. */
export const SANDBOX_PRICES: readonly Price[] = OFFERED_PLANS.flatMap((plan) =>
  FREQUENCIES.flatMap((paymentFrequency) =>
    [true, false].map((hasTrial) => {
      const name = `${plan}${paymentFrequency}${hasTrial ? 'trial' : ''}`.toLowerCase();
      return { plan, paymentFrequency, hasTrial, id: `pri_${name.padEnd(26, '0')}` };
    }),
  ),
);

/** Returns the sandbox's settings. Its keys derive from the installation's secret, so that the product and the sandbox share them. */
export function sandboxConfig({ host, port }: Pick<Config, 'host' | 'port'>, secret: Secret): PaddleConfig {
  const keyFor = (purpose: string): string => secret.mac(`afterword payment sandbox: ${purpose}`)('').toString('hex');
  return {
    world: 'sandbox',
    apiKey: `pdl_sdbx_apikey_${keyFor('api').slice(0, 32)}`,
    environment: `http://${ownHost(host)}:${port}${SANDBOX_PREFIX}/api`,
    client: { token: SANDBOX_CHECKOUT.token },
    webhookSecrets: [`pdl_ntfset_${keyFor('webhooks').slice(0, 32)}`],
    prices: SANDBOX_PRICES,
  };
}

/** Returns the address at which this machine reaches its own server. */
function ownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === 'localhost') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Finds or creates the prices at Paddle. Returns them and the setting that lists them. */
export async function catalogAt(key: PaddleKey): Promise<{ readonly prices: Catalog['prices']; readonly setting: string }> {
  const { prices } = await findOrCreateCatalog(openPaddle(key));
  return { prices, setting: prices.map((price) => `${priceName(price)}=${price.id}`).join(',') };
}
