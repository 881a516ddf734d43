import type { IPriceResponse, IProductResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal, badField, notFound } from '../api-error.ts';
import type { SoldItem } from '../money.ts';
import { type Fields, fieldsOf } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';

/* Products and their prices. */

/** A price that is there from the start, under an id that is known beforehand. */
export interface GivenPrice {
  readonly id: string;
  /** The name of its product: prices of one name are of one product. */
  readonly product: string;
  readonly description: string;
  /** Minor units. */
  readonly amount: number;
  readonly every: 'month' | 'year';
  readonly trialDays?: number;
}

/** Adds the prices that are not there yet, with their products. */
export function addGivenPrices(world: SandboxWorld, given: readonly GivenPrice[]): void {
  for (const { id, product: name, description, amount, every, trialDays } of given) {
    if (world.state.prices[id]) continue;
    const product =
      Object.values(world.state.products).find((each) => each.name === name) ??
      productOf(world, fieldsOf({ name, tax_category: 'saas' }), 'standard');
    const asked = {
      description,
      unit_price: { amount: String(amount), currency_code: 'USD' },
      billing_cycle: { interval: every, frequency: 1 },
      trial_period: trialDays === undefined ? null : { interval: 'day', frequency: trialDays },
      quantity: { minimum: 1, maximum: 1 },
    };
    const { id: made, ...price } = priceOf(world, fieldsOf(asked), { type: 'standard', productId: product.id });
    delete world.state.prices[made];
    world.state.prices[id] = { ...price, id };
  }
}

export function createProduct(world: SandboxWorld, fields: Fields): IProductResponse {
  const product = productOf(world, fields, 'standard');
  world.report('product.created', product);
  return product;
}

/** Takes `product_id` of a product that exists. Refuses a trial without a billing cycle. */
export function createPrice(world: SandboxWorld, fields: Fields): IPriceResponse {
  const price = priceOf(world, fields, { type: 'standard', productId: fields.text('product_id') });
  world.report('price.created', price);
  return price;
}

/** The items of a request: prices of the catalog by `price_id`, or prices that stand in the request. */
export function itemsOf(world: SandboxWorld, fields: Fields): SoldItem[] {
  const items = fields.list('items').map((item): SoldItem => {
    const quantity = item.optionalNumber('quantity') ?? 1;
    const price = item.has('price') ? pricedInRequest(world, item.object('price')) : productPrice(world, item.text('price_id'));
    const { minimum, maximum } = price.quantity;
    if (!Number.isInteger(quantity) || quantity < minimum || quantity > maximum)
      throw badField('items.quantity', `must be between ${minimum} and ${maximum}`);
    return { price, product: productById(world, price.product_id), quantity };
  });
  if (items.length === 0) throw badField('items', 'must not be empty');
  const cycles = new Set(items.flatMap(({ price }) => (price.billing_cycle ? [JSON.stringify(price.billing_cycle)] : [])));
  if (cycles.size > 1) {
    const message = 'cannot have different billing cycle intervals and/or frequencies';
    throw new ApiRefusal(400, 'transaction_price_different_billing_cycle', `Prices ${message}.`, [
      { field: 'items.price.billing_cycle', message },
    ]);
  }
  return items;
}

export function productById({ state }: SandboxWorld, id: string): IProductResponse {
  const product = state.products[id];
  if (!product) throw notFound(`Product ${id}`);
  return product;
}

export function productPrice({ state }: SandboxWorld, id: string): IPriceResponse {
  const price = state.prices[id];
  if (!price) throw notFound(`Price ${id}`);
  return price;
}

/** A price that is made for one transaction, on a product of the catalog or on one that comes along. */
function pricedInRequest(world: SandboxWorld, fields: Fields): IPriceResponse {
  const productId = fields.has('product') ? productOf(world, fields.object('product'), 'custom').id : fields.text('product_id');
  return priceOf(world, fields, { type: 'custom', productId });
}

function productOf(world: SandboxWorld, fields: Fields, type: 'standard' | 'custom'): IProductResponse {
  const at = world.moment();
  const product: IProductResponse = {
    id: world.newId('pro'),
    name: fields.text('name'),
    tax_category: fields.optionalText('tax_category') === undefined ? badCategory() : (fields.text('tax_category') as 'saas'),
    type,
    description: fields.optionalText('description') ?? null,
    image_url: fields.optionalText('image_url') ?? null,
    custom_data: fields.customData(),
    status: 'active',
    import_meta: null,
    created_at: at,
    updated_at: at,
  };
  world.state.products[product.id] = product;
  return product;
}

const badCategory = (): never => {
  throw badField('tax_category', 'must be provided as part of the request');
};

function priceOf(
  world: SandboxWorld,
  fields: Fields,
  { type, productId }: { readonly type: 'standard' | 'custom'; readonly productId: string },
): IPriceResponse {
  productById(world, productId);
  const billingCycle = fields.optionalPeriod('billing_cycle');
  const trialPeriod = fields.optionalPeriod('trial_period');
  if (trialPeriod && !billingCycle)
    throw new ApiRefusal(400, 'price_trial_period_requires_billing_cycle', 'setting a trial_period requires billing_cycle to be set');
  const money = fields.object('unit_price');
  const quantity = fields.has('quantity') ? fields.object('quantity') : undefined;
  if (!/^\d{1,12}$/.test(money.text('amount'))) throw badField('unit_price.amount', 'must be a whole number in the lowest denomination');
  if (money.text('currency_code') !== 'USD') throw badField('unit_price.currency_code', 'this sandbox sells in USD only');
  const at = world.moment();
  const price: IPriceResponse = {
    id: world.newId('pri'),
    product_id: productId,
    description: fields.text('description'),
    type,
    name: fields.optionalText('name') ?? null,
    billing_cycle: billingCycle ?? null,
    trial_period: trialPeriod ? { ...trialPeriod, requires_payment_method: true } : null,
    tax_mode: (fields.optionalText('tax_mode') ?? 'account_setting') as IPriceResponse['tax_mode'],
    unit_price: { amount: money.text('amount'), currency_code: 'USD' },
    unit_price_overrides: [],
    quantity: { minimum: quantity?.optionalNumber('minimum') ?? 1, maximum: quantity?.optionalNumber('maximum') ?? 100 },
    status: 'active',
    custom_data: fields.customData(),
    import_meta: null,
    created_at: at,
    updated_at: at,
  };
  world.state.prices[price.id] = price;
  return price;
}
