import type { IAddressResponse, ICustomerResponse } from '@paddle/paddle-node-sdk';
import { ApiRefusal, badField, notFound } from '../api-error.ts';
import type { Fields } from '../request-fields.ts';
import type { SandboxWorld } from '../world.ts';

export function customerById({ state }: SandboxWorld, id: string): ICustomerResponse {
  const customer = state.customers[id];
  if (!customer) throw notFound(`Customer ${id}`);
  return customer;
}

/** Refuses 409 `customer_already_exists` where the address has a customer; only the sentence says which. */
export function createCustomer(world: SandboxWorld, fields: Fields): ICustomerResponse {
  const email = emailOf(world, fields);
  const at = world.moment();
  const customer: ICustomerResponse = {
    id: world.newId('ctm'),
    name: fields.optionalText('name') ?? null,
    email,
    marketing_consent: false,
    status: 'active',
    custom_data: fields.customData(),
    locale: fields.optionalText('locale') ?? 'en',
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
  world.state.customers[customer.id] = customer;
  world.report('customer.created', customer);
  return customer;
}

export function updateCustomer(world: SandboxWorld, id: string, fields: Fields): ICustomerResponse {
  const customer = customerById(world, id);
  const email = fields.has('email') ? emailOf(world, fields, id) : customer.email;
  Object.assign(customer, {
    email,
    name: fields.isNull('name') ? null : (fields.optionalText('name') ?? customer.name),
    locale: fields.optionalText('locale') ?? customer.locale,
    status: fields.optionalText('status') ?? customer.status,
    custom_data: fields.has('custom_data') ? fields.customData() : customer.custom_data,
    updated_at: world.moment(),
  });
  world.report('customer.updated', customer);
  return customer;
}

/** The customer of an address, made where there is none: as a checkout does it. */
export function customerByEmail(world: SandboxWorld, fields: Fields): ICustomerResponse {
  const email = fields.text('email').toLowerCase();
  return Object.values(world.state.customers).find((each) => each.email.toLowerCase() === email) ?? createCustomer(world, fields);
}

/** The address that the customer pays from, made where there is none. */
export function addressOf(world: SandboxWorld, customerId: string): IAddressResponse {
  const known = Object.values(world.state.addresses).find(({ customer_id }) => customer_id === customerId);
  if (known) return known;
  const at = world.moment();
  const address: IAddressResponse = {
    id: world.newId('add'),
    customer_id: customerId,
    description: null,
    first_line: null,
    second_line: null,
    city: null,
    postal_code: '10001',
    region: null,
    country_code: 'US',
    custom_data: null,
    status: 'active',
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
  world.state.addresses[address.id] = address;
  world.report('address.created', address);
  return address;
}

function emailOf({ state }: SandboxWorld, fields: Fields, own?: string): string {
  const email = fields.text('email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw badField('email', 'must be a valid email address');
  const other = Object.values(state.customers).find((each) => each.id !== own && each.email.toLowerCase() === email.toLowerCase());
  if (other) throw new ApiRefusal(409, 'customer_already_exists', `customer email conflicts with customer of id ${other.id}`);
  return email;
}
