import type { Paddle, Price as PaddlePrice, Product } from '@paddle/paddle-node-sdk';
import { billedAmount, FREQUENCIES, OFFERED_PLANS, priceName, TRIAL_DAYS } from '#contract/billing/billing.ts';
import type { Choice, Price } from '../port.ts';

/** The custom data field that identifies our products and prices at Paddle. */
const KEY = 'afterword';
const CENTS = 100;
const PER_PAGE = 200;

/** The catalog after a run, and which prices it created. */
export interface Catalog {
  readonly prices: readonly (Price & { readonly isNew: boolean })[];
}

/**
 * Finds our products and prices at Paddle by their custom data, and creates missing ones: for each plan and frequency a price with a
 * trial and one without. Running it again creates nothing. Throws the errors of Paddle's library.
 */
export async function findOrCreateCatalog(paddle: Paddle): Promise<Catalog> {
  const [products, existing] = [
    await all(paddle.products.list({ perPage: PER_PAGE })),
    await all(paddle.prices.list({ perPage: PER_PAGE })),
  ];
  const prices: (Price & { isNew: boolean })[] = [];
  for (const plan of OFFERED_PLANS) {
    const product = products.find(hasKey(plan)) ?? (await createProduct(plan));
    for (const paymentFrequency of FREQUENCIES)
      for (const hasTrial of [false, true]) {
        const choice = { plan, paymentFrequency, hasTrial };
        const match = existing.find(
          (price) => price.productId === product.id && hasKey(priceName(choice))(price) && isAsSold(price, choice),
        );
        const { id } = match ?? (await createPrice(product.id, choice));
        prices.push({ ...choice, id, isNew: !match });
      }
  }
  return { prices };

  function createProduct(plan: string): Promise<Product> {
    return paddle.products.create({ name: `Afterword ${plan}`, taxCategory: 'saas', customData: { [KEY]: plan } });
  }

  function createPrice(productId: string, choice: Choice & { readonly hasTrial: boolean }): Promise<PaddlePrice> {
    const { paymentFrequency, hasTrial } = choice;
    return paddle.prices.create({
      productId,
      name: paymentFrequency,
      description: priceName(choice),
      unitPrice: { amount: String(amountOf(choice)), currencyCode: 'USD' },
      billingCycle: { interval: intervalOf(choice), frequency: 1 },
      trialPeriod: hasTrial ? { interval: 'day', frequency: TRIAL_DAYS, requiresPaymentMethod: true } : null,
      quantity: { minimum: 1, maximum: 1 },
      customData: { [KEY]: priceName(choice) },
    });
  }
}

const amountOf = ({ plan, paymentFrequency }: Choice): number => billedAmount(plan, paymentFrequency) * CENTS;
const intervalOf = ({ paymentFrequency }: Choice) => (paymentFrequency === 'Annual' ? 'year' : 'month');

const hasKey =
  (name: string) =>
  ({ customData, status }: Pick<Product | PaddlePrice, 'customData' | 'status'>): boolean =>
    status === 'active' && (customData as Readonly<Record<string, unknown>> | null)?.[KEY] === name;

/** Returns false for a price that was changed at Paddle and no longer costs what the product shows. */
const isAsSold = ({ unitPrice, billingCycle }: PaddlePrice, choice: Choice): boolean =>
  unitPrice.amount === String(amountOf(choice)) && unitPrice.currencyCode === 'USD' && billingCycle?.interval === intervalOf(choice);

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
