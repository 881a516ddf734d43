import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, type Environment, type EventEntity, LogLevel, Paddle, type Subscription } from '@paddle/paddle-node-sdk';
import fastify from 'fastify';
import { openSandbox, type PaddleSandbox, type SandboxOptions } from '#server/paddle-sandbox/sandbox.ts';

const SECRET = 'pdl_ntfset_test';
const KEY = 'pdl_sdbx_apikey_test';

/** A payment sandbox with prices, and a product at its other end: the real library calls it, and takes its events. */
export interface TestSeller {
  readonly sandbox: PaddleSandbox;
  readonly paddle: Paddle;
  readonly prices: { readonly monthly: string; readonly yearly: string; readonly larger: string; readonly product: string };
  /** What can be changed as a test goes on: the time (UTC ms), who may control, and how many events the receiver fails to take. */
  readonly world: { now: number; mayControl: boolean; refusals: number };
  /** The events that were taken, verified and read by the library. */
  readonly received: EventEntity[];
  /** Another sandbox that tells the same receiver, and a library that calls it. */
  open(more?: Partial<SandboxOptions>): Promise<{ sandbox: PaddleSandbox; paddle: Paddle; close(): Promise<void> }>;
  /** Asks for a path under the sandbox's prefix; redirects are not followed. */
  ask(address: string, init?: RequestInit): Promise<Response>;
  /** The names of what was told since it was asked last. */
  told(): Promise<string[]>;
  /** Somebody new buys by a checkout. */
  buy(priceId?: string): Promise<Subscription>;
  stop(): Promise<void>;
}

export async function openTestSeller(): Promise<TestSeller> {
  const received: EventEntity[] = [];
  const world = { now: Date.parse('2026-01-31T09:30:00.123Z'), mayControl: true, refusals: 0 };
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    world.refusals -= 1;
    if (world.refusals >= 0) return response.writeHead(500).end();
    try {
      received.push(await paddle.webhooks.unmarshal(Buffer.concat(chunks).toString(), SECRET, String(request.headers['paddle-signature'])));
      return response.end();
    } catch {
      return response.writeHead(401).end();
    }
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const first = await open();
  const { sandbox, paddle } = first;
  const prices = await addPrices(paddle);

  return {
    sandbox,
    paddle,
    prices,
    world,
    received,
    open,
    ask: (address, init = {}) => fetch(`${first.address}${address}`, { redirect: 'manual', ...init }),
    async told() {
      await sandbox.settled();
      return namesOf(received.splice(0));
    },
    async buy(priceId = prices.monthly) {
      const customer = await paddle.customers.create({ email: `${randomBytes(6).toString('hex')}@example.com` });
      const transaction = await paddle.transactions.create({
        items: [{ priceId, quantity: 1 }],
        customerId: customer.id,
        customData: { accountid: customer.email },
        checkout: { url: 'http://localhost/pay' },
      });
      await sandbox.acts.pay(transaction.id);
      const { subscriptionId } = await paddle.transactions.get(transaction.id);
      await sandbox.settled();
      return paddle.subscriptions.get(subscriptionId ?? '');
    },
    async stop() {
      await first.close();
      receiver.close();
    },
  };

  async function open(more: Partial<SandboxOptions> = {}) {
    const opened = await openSandbox({
      now: () => world.now,
      random: (size) => randomBytes(size),
      apiKey: KEY,
      notify: { url: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, secret: SECRET },
      delay: 0,
      mayControl: () => world.mayControl,
      log: { info: () => undefined, warn: () => undefined },
      ...more,
    });
    const http = fastify();
    await http.register(opened.routes, { prefix: '/sandbox' });
    const address = `${await http.listen({ port: 0, host: '127.0.0.1' })}/sandbox`;
    return {
      sandbox: opened,
      address,
      // The library takes what is none of its names for the address of the API.
      paddle: new Paddle(KEY, { environment: `${address}/api` as Environment, logLevel: LogLevel.none }),
      async close() {
        await opened.stop();
        await http.close();
      },
    };
  }
}

async function addPrices(paddle: Paddle): Promise<TestSeller['prices']> {
  const product = await paddle.products.create({ name: 'Pro', taxCategory: 'saas', customData: { plan: 'pro' } });
  const price = async (amount: string, interval: 'month' | 'year'): Promise<string> => {
    const { id } = await paddle.prices.create({
      productId: product.id,
      description: `Pro by the ${interval}`,
      unitPrice: { amount, currencyCode: 'USD' },
      billingCycle: { interval, frequency: 1 },
      quantity: { minimum: 1, maximum: 1 },
    });
    return id;
  };
  return {
    monthly: await price('2500', 'month'),
    yearly: await price('24000', 'year'),
    larger: await price('2900', 'month'),
    product: product.id,
  };
}

export const namesOf = (events: readonly EventEntity[]): string[] => events.map(({ eventType }) => eventType);

/** The code of what the API refuses. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  throw new Error('The API refused nothing.');
}
