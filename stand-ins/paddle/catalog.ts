import type { IPriceResponse, IProductResponse } from '@paddle/paddle-node-sdk';
import type { Seller } from './seller.ts';

export function createProduct(seller: Seller, fields: Pick<IProductResponse, 'name' | 'custom_data'>): IProductResponse {
  const at = seller.timestamp();
  const product: IProductResponse = {
    ...{ id: seller.newId('pro'), type: 'standard', tax_category: 'saas', status: 'active', created_at: at, updated_at: at },
    ...fields,
  };
  seller.state.products[product.id] = product;
  return product;
}

type NewPrice = Pick<IPriceResponse, 'product_id' | 'description' | 'unit_price'> & Partial<IPriceResponse>;

export function createPrice(seller: Seller, fields: NewPrice): IPriceResponse {
  const at = seller.timestamp();
  const price: IPriceResponse = {
    ...{ id: seller.newId('pri'), type: 'standard', tax_mode: 'account_setting', status: 'active', created_at: at, updated_at: at },
    ...{ unit_price_overrides: [], quantity: { minimum: 1, maximum: 1 } },
    ...fields,
  };
  seller.state.prices[price.id] = price;
  return price;
}

/** A price with a fixed id that exists from the start. Prices with the same product name share a product. */
export type FixedPrice = Omit<NewPrice, 'product_id' | 'product'> & { readonly id: string; readonly productName: string };

export function addFixedPrices(seller: Seller, prices: readonly FixedPrice[]): void {
  for (const { productName: name, ...price } of prices) {
    const product = Object.values(seller.state.products).find((item) => item.name === name) ?? createProduct(seller, { name });
    createPrice(seller, { ...price, product_id: product.id });
  }
}
