import type { Paddle, Price as PaddlePrice, Product } from '@paddle/paddle-node-sdk';
import { billedAmount, FREQUENCIES, OFFERED_PLANS, priceName, TRIAL_DAYS } from '#contract/billing/billing.ts';
import type { Choice, Price } from '../port.ts';

/** What the products and prices that we make at Paddle are found by again. */
const OURS = 'afterword';
const CENTS = 100;
const PER_PAGE = 200;

/** What a run found, and what it made. */
export interface Catalog {
  readonly prices: readonly (Price & { readonly isNew: boolean })[];
}

/**
 * Finds the products and prices of what is sold, by their custom data, and makes those that are missing: for each plan and
 * frequency one with a trial and one without. Running it again makes nothing. Throws what Paddle's library does.
 */
export async function findOrMakeCatalog(paddle: Paddle): Promise<Catalog> {
  const [products, known] = [await all(paddle.products.list({ perPage: PER_PAGE })), await all(paddle.prices.list({ perPage: PER_PAGE }))];
  const prices: (Price & { isNew: boolean })[] = [];
  for (const plan of OFFERED_PLANS) {
    const product = products.find(named(plan)) ?? (await makeProduct(plan));
    for (const paymentFrequency of FREQUENCIES)
      for (const hasTrial of [false, true]) {
        const choice = { plan, paymentFrequency, hasTrial };
        const found = known.find((price) => price.productId === product.id && named(priceName(choice))(price) && isAsSold(price, choice));
        const { id } = found ?? (await makePrice(product.id, choice));
        prices.push({ ...choice, id, isNew: !found });
      }
  }
  return { prices };

  function makeProduct(plan: string): Promise<Product> {
    return paddle.products.create({ name: `Afterword ${plan}`, taxCategory: 'saas', customData: { [OURS]: plan } });
  }

  function makePrice(productId: string, choice: Choice & { readonly hasTrial: boolean }): Promise<PaddlePrice> {
    const { paymentFrequency, hasTrial } = choice;
    return paddle.prices.create({
      productId,
      name: paymentFrequency,
      description: priceName(choice),
      unitPrice: { amount: String(amountOf(choice)), currencyCode: 'USD' },
      billingCycle: { interval: intervalOf(choice), frequency: 1 },
      trialPeriod: hasTrial ? { interval: 'day', frequency: TRIAL_DAYS, requiresPaymentMethod: true } : null,
      quantity: { minimum: 1, maximum: 1 },
      customData: { [OURS]: priceName(choice) },
    });
  }
}

const amountOf = ({ plan, paymentFrequency }: Choice): number => billedAmount(plan, paymentFrequency) * CENTS;
const intervalOf = ({ paymentFrequency }: Choice) => (paymentFrequency === 'Annual' ? 'year' : 'month');

const named =
  (name: string) =>
  ({ customData, status }: Pick<Product | PaddlePrice, 'customData' | 'status'>): boolean =>
    status === 'active' && (customData as Readonly<Record<string, unknown>> | null)?.[OURS] === name;

/** A price whose amount was changed at Paddle is another one than what people are told. */
const isAsSold = ({ unitPrice, billingCycle }: PaddlePrice, choice: Choice): boolean =>
  unitPrice.amount === String(amountOf(choice)) && unitPrice.currencyCode === 'USD' && billingCycle?.interval === intervalOf(choice);

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of pages) found.push(each);
  return found;
}
