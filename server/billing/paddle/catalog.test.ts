import { afterAll, expect, it } from 'vitest';
import { priceName } from '#contract/billing/billing.ts';
import { openTestSeller } from '../../../test/support/paddle.ts';
import { readConfig } from '../../platform/config/config.ts';
import { findOrCreateCatalog } from './catalog.ts';

const { paddle, stop } = await openTestSeller();
afterAll(stop);

it('creates the catalog once, finds it again, and returns valid settings', async () => {
  const created = await findOrCreateCatalog(paddle);
  expect(created.prices.map((price) => [priceName(price), price.isNew])).toEqual([
    ...[['Pro/Monthly', true] as const, ['Pro/Monthly/trial', true] as const],
    ...[['Pro/Annual', true] as const, ['Pro/Annual/trial', true] as const],
  ]);
  const { prices } = await findOrCreateCatalog(paddle);
  expect(prices).toEqual(created.prices.map((price) => ({ ...price, isNew: false })));
  const annual = (await paddle.prices.list().next()).find(({ description }) => description === 'Pro/Annual/trial');
  expect(annual).toMatchObject({
    unitPrice: { amount: '24000' },
    trialPeriod: { interval: 'day', frequency: 20 },
    quantity: { maximum: 1 },
  });
  const { billing } = readConfig({
    BILLING: 'paddle',
    PADDLE_API_KEY: 'pdl_live_apikey_0123',
    PADDLE_CLIENT_TOKEN: 'live_0123',
    PADDLE_WEBHOOK_SECRETS: 'pdl_ntfset_0123456789',
    PADDLE_PRICES: prices.map((price) => `${priceName(price)}=${price.id}`).join(','),
  });
  expect(billing).toMatchObject({ prices: prices.map(({ isNew: _isNew, ...price }) => price) });
});

it('lists everything that is missing or inconsistent in one message', () => {
  const incomplete = {
    BILLING: 'paddle',
    PADDLE_API_KEY: 'pdl_sdbx_apikey_0123',
    PADDLE_PRICES: 'Pro/Monthly=pri_01k9zy7m4x3w2v1t0s9r8q7p6n',
  };
  expect(() => readConfig(incomplete)).toThrow(
    'BILLING is "paddle": PADDLE_CLIENT_TOKEN is not set; PADDLE_WEBHOOK_SECRETS is not set; use off if Paddle can’t reach this server; PADDLE_API_KEY is not of production; PADDLE_PRICES has no Pro/Monthly/trial; PADDLE_PRICES has no Pro/Annual; PADDLE_PRICES has no Pro/Annual/trial.',
  );
  expect(() => readConfig({ ...incomplete, PADDLE_WEBHOOK_SECRETS: ',' })).toThrow('PADDLE_WEBHOOK_SECRETS');
  expect(() => readConfig({ BILLING: 'sandbox', NODE_ENV: 'production' })).toThrow('ALLOW_SANDBOX_BILLING');
});
