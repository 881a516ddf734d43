import * as v from 'valibot';
import { FREQUENCIES, OFFERED_PLANS, type PaymentFrequency, type Plan, priceName } from '#contract/billing/billing.ts';
import { ConfigError, flag, matching, passing, type SettingSchemas, type SettingsOf } from './setting.ts';

/** No payments, simulated payments through the Paddle stand-in, or Paddle. */
export type BillingConfig = { readonly kind: 'none' } | { readonly kind: 'sandbox' } | ({ readonly kind: 'paddle' } & PaddleConfig);

export interface PaddleConfig {
  readonly apiKey: string;
  readonly world: 'sandbox' | 'production';
  /** The same, or the address of the stand-in. */
  readonly environment: string;
  /** Browsers start Paddle.js with either of these. */
  readonly client: { readonly token: string } | { readonly seller: number };
  /** More than one during a change of secrets. Empty: events are only polled. */
  readonly webhookSecrets: readonly string[];
  readonly prices: readonly PriceConfig[];
}

/** A price that is sold, with its id at Paddle. */
interface PriceConfig {
  readonly plan: Plan;
  readonly paymentFrequency: PaymentFrequency;
  readonly hasTrial: boolean;
  readonly id: string;
}

/** Credentials of a Paddle account. */
export type PaddleKey = Pick<PaddleConfig, 'apiKey' | 'environment'>;

export const BILLING_SETTINGS = {
  BILLING: [v.picklist(['none', 'sandbox', 'paddle']), 'none, sandbox or paddle'],
  ALLOW_SANDBOX_BILLING: [flag, 'true or false'],
  PADDLE_ENV: [v.picklist(['sandbox', 'production']), 'sandbox or production'],
  PADDLE_API_URL: [matching(/^https?:\/\//, URL.canParse), 'the address of a stand-in for Paddle'],
  PADDLE_API_KEY: [matching(/^[\w-]{8,200}$/), 'a key from Paddle > Developer tools > Authentication'],
  PADDLE_CLIENT_TOKEN: [matching(/^(?:test|live)_\w{4,100}$/), 'a client-side token, such as live_…'],
  PADDLE_SELLER_ID: [matching(/^\d{1,12}$/), 'the seller’s number'],
  PADDLE_WEBHOOK_SECRETS: [
    v.union([v.literal('off'), matching(/^[^\s,]{16,200}(?:,[^\s,]{16,200})*$/)]),
    'the secret of the notification destination, such as pdl_ntfset_…, or two, separated by a comma; or off',
  ],
  PADDLE_PRICES: [passing(isListOfPrices), 'the output of npm run paddle-catalog, such as Pro/Monthly=pri_…,Pro/Monthly/trial=pri_…'],
} as const satisfies SettingSchemas;

type BillingSettings = SettingsOf<typeof BILLING_SETTINGS>;

/** What simulated payments depend on. */
interface SandboxConditions {
  readonly production: boolean;
  readonly roles: readonly string[];
}

/** Returns the payment provider, or undefined if `BILLING` is unset. Throws a `ConfigError` that names what is missing or contradictory. */
export function billingOf(settings: BillingSettings, conditions: SandboxConditions): BillingConfig | undefined {
  const kind = settings.BILLING;
  if (kind === 'sandbox') return sandboxOf(settings, conditions);
  if (kind === 'paddle') return { kind, ...paddleOf(settings) };
  return kind === 'none' ? { kind } : undefined;
}

function sandboxOf({ ALLOW_SANDBOX_BILLING: isAllowed }: BillingSettings, { production, roles }: SandboxConditions): BillingConfig {
  if (production && !isAllowed)
    throw new ConfigError('BILLING is "sandbox", which simulates payments; in production it needs ALLOW_SANDBOX_BILLING=true.');
  if (roles.length < 2)
    throw new ConfigError('BILLING is "sandbox", which needs web and worker in one process; ROLES should be web,worker.');
  return { kind: 'sandbox' };
}

/** Returns the Paddle key. Throws a `ConfigError` if it's missing or of the other environment. */
export function paddleKeyOf({
  PADDLE_API_KEY: apiKey,
  PADDLE_API_URL: address,
  PADDLE_ENV: world = 'production',
}: BillingSettings): PaddleKey {
  if (apiKey === undefined) throw new ConfigError('PADDLE_API_KEY is not set; it gives access to your Paddle account.');
  if (apiKey.includes('_sdbx') !== (world === 'sandbox'))
    throw new ConfigError(`PADDLE_API_KEY is not of ${world}, which PADDLE_ENV sets.`);
  return { apiKey, environment: address ?? world };
}

/** Returns the Paddle settings. Throws a `ConfigError` that names everything missing or contradictory. */
function paddleOf(settings: BillingSettings): PaddleConfig {
  const { PADDLE_API_KEY: apiKey, PADDLE_CLIENT_TOKEN: token, PADDLE_SELLER_ID: seller, PADDLE_WEBHOOK_SECRETS: secrets } = settings;
  const world = settings.PADDLE_ENV ?? 'production';
  const prices = pricesOf(settings.PADDLE_PRICES ?? '');
  const client = token === undefined ? { seller: Number(seller) } : { token };
  const problems = [
    ...(apiKey === undefined ? ['PADDLE_API_KEY is not set'] : []),
    ...(token === undefined && seller === undefined ? ['PADDLE_CLIENT_TOKEN is not set'] : []),
    ...(token !== undefined && seller !== undefined
      ? ['PADDLE_CLIENT_TOKEN and PADDLE_SELLER_ID are both set; one of them is enough']
      : []),
    ...(secrets === undefined ? ['PADDLE_WEBHOOK_SECRETS is not set; use off if Paddle can’t reach this server'] : []),
    ...(apiKey !== undefined && apiKey.includes('_sdbx') !== (world === 'sandbox') ? [`PADDLE_API_KEY is not of ${world}`] : []),
    ...(token !== undefined && token.startsWith('test_') !== (world === 'sandbox') ? [`PADDLE_CLIENT_TOKEN is not of ${world}`] : []),
    ...missingPrices(prices).map((name) => `PADDLE_PRICES has no ${name}`),
  ];
  if (apiKey === undefined || problems.length > 0) throw new ConfigError(`BILLING is "paddle": ${problems.join('; ')}.`);
  const webhookSecrets = secrets === 'off' || secrets === undefined ? [] : secrets.split(',');
  return { apiKey, world, environment: settings.PADDLE_API_URL ?? world, client, webhookSecrets, prices };
}

const PRICE = /^(Essentials|Pro)\/(Monthly|Annual)(\/trial)?=(pri_[a-z\d]{26})$/;

function pricesOf(list: string): PriceConfig[] {
  const matches = list === '' ? [] : list.split(',').map((price) => PRICE.exec(price.trim()));
  return matches.flatMap((match) => {
    const [, plan, paymentFrequency, trial, id = ''] = match ?? [];
    // The pattern allows only the words of these types.
    return match ? [{ plan: plan as Plan, paymentFrequency: paymentFrequency as PaymentFrequency, hasTrial: trial !== undefined, id }] : [];
  });
}

function isListOfPrices(list: string): boolean {
  const prices = pricesOf(list);
  const ids = new Set(prices.map(({ id }) => id));
  return prices.length === list.split(',').length && ids.size === prices.length;
}

/** Returns the missing prices: every offered plan needs one with and one without a trial. */
const missingPrices = (prices: readonly PriceConfig[]): string[] => {
  const names = prices.map(priceName);
  const required = OFFERED_PLANS.flatMap((plan) =>
    FREQUENCIES.flatMap((paymentFrequency) => [false, true].map((hasTrial) => priceName({ plan, paymentFrequency, hasTrial }))),
  );
  return required.filter((name) => !names.includes(name));
};
