import { refusal } from '#contract/core/errors.ts';
import type { Customer, PaymentProvider } from '../port.ts';
import { type PaddleClient, priceFor } from './client.ts';
import { ACCOUNT_FIELD } from './conversion.ts';
import { reportOf } from './subscriptions.ts';

type CheckoutActions = 'startCheckout' | 'cancelCheckout' | 'isOpen' | 'subscriptionOf';

/** Checkouts, which are transactions of Paddle. `payUrl` is the page where they are paid. */
export function openCheckouts(client: PaddleClient, payUrl: string): Pick<PaymentProvider, CheckoutActions> {
  const { paddle, read, write } = client;
  return {
    async startCheckout({ accountId, customer, hasTrial, ...choice }) {
      const customerId = await customerOf(client, customer);
      const { id } = await write('transactions.create', () =>
        paddle.transactions.create({
          items: [{ priceId: priceFor(client, choice, hasTrial).id, quantity: 1 }],
          customerId,
          collectionMode: 'automatic',
          customData: { [ACCOUNT_FIELD]: accountId },
          checkout: { url: payUrl },
        }),
      );
      return { transactionId: id, customerId };
    },
    async cancelCheckout(transactionId) {
      if (!(await isOpen(transactionId))) return false;
      await write('transactions.cancel', () => paddle.transactions.update(transactionId, { status: 'canceled' }));
      return true;
    },
    isOpen,
    async subscriptionOf(transactionId) {
      const subscriptionId = (await transaction(transactionId))?.subscriptionId ?? undefined;
      return subscriptionId === undefined ? undefined : reportOf(client, subscriptionId);
    },
  };

  async function isOpen(transactionId: string): Promise<boolean> {
    const status = (await transaction(transactionId))?.status;
    return status === 'draft' || status === 'ready';
  }

  function transaction(id: string) {
    return read('transactions.get', () => paddle.transactions.get(id), { isMissing: undefined });
  }
}

/** Returns the Paddle customer with this address, which may have bought for another account before. */
async function customerOf({ paddle, read, write }: PaddleClient, { id, email, name }: Customer): Promise<string> {
  if (id !== undefined) return id;
  const find = () => read('customers.list', async () => (await paddle.customers.list({ email: [email] }).next())[0]?.id);
  const existing = await find();
  if (existing !== undefined) return existing;
  const created = await write('customers.create', async () => {
    try {
      return (await paddle.customers.create({ email, name })).id;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'customer_already_exists') return undefined;
      throw error;
    }
  });
  const customer = created ?? (await find());
  if (customer === undefined) throw refusal('payments-away');
  return customer;
}
