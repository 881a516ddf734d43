import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, type Environment, type EventEntity, LogLevel, Paddle, type Subscription } from '@paddle/paddle-node-sdk';
import fastify from 'fastify';
import { openPaddleStandIn, type PaddleStandIn } from '#stand-ins/paddle/paddle.ts';
import { freePort } from '../../scripts/free-port.ts';

const SECRET = 'pdl_ntfset_test';
const KEY = 'pdl_sdbx_apikey_test';

const idOf = (name: string): string => `pri_${name.padEnd(26, '0')}`;
export const PRICES = { monthly: idOf('monthly'), larger: idOf('larger'), yearly: idOf('yearly'), trial: idOf('trial') } as const;
/** US cents. */
const AMOUNTS = { monthly: '2500', larger: '2900', yearly: '24000', trial: '2500' } as const;

/** Paddle's library calling the stand-in, which posts its events to a receiver. */
interface TestSeller {
  readonly paddle: Paddle;
  readonly standIn: PaddleStandIn;
  /** Settings that a test can change: the time (UTC ms), access to the panel, and the number of events the receiver refuses. */
  readonly world: { now: number; mayControl: boolean; refusals: number };
  /** Requests a path below the stand-in's prefix. Redirects aren't followed. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the events that the receiver accepted since the last call. */
  events(): Promise<EventEntity[]>;
  /** Pays a checkout as a new customer, and returns the subscription. */
  buy(priceId?: string): Promise<Subscription>;
  stop(): Promise<void>;
}

/** Opens a seller, with the state in `file` from an earlier one if given. */
export async function openTestSeller(file?: string): Promise<TestSeller> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paddle-stand-in-'));
  const world = { now: Date.parse('2026-01-31T09:30:00.123Z'), mayControl: true, refusals: 0 };
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/paddle`;
  const paddle = new Paddle(KEY, { environment: `${address}/api` as Environment, logLevel: LogLevel.none });
  const receiver = await openReceiver(paddle, world);
  const standIn = await openPaddleStandIn({
    now: () => world.now,
    file: file ?? path.join(folder, 'state.json'),
    prices: Object.entries(AMOUNTS).map(([name, amount]) => ({
      id: idOf(name),
      productName: 'Pro',
      description: `Pro, ${name}`,
      unit_price: { amount, currency_code: 'USD' },
      billing_cycle: { interval: name === 'yearly' ? 'year' : 'month', frequency: 1 },
      trial_period: name === 'trial' ? { interval: 'day', frequency: 12, requires_payment_method: true } : null,
    })),
    apiKey: KEY,
    notify: { url: receiver.url, secret: SECRET },
    address,
    mayControl: () => world.mayControl,
    log: { warn: () => undefined },
  });
  const http = fastify();
  await http.register(standIn.routes, { prefix: '/paddle' });
  await http.listen({ port, host: '127.0.0.1' });

  return {
    paddle,
    standIn,
    world,
    ask: (path, init = {}) => fetch(`${address}${path}`, { redirect: 'manual', ...init }),
    async events() {
      await standIn.settled();
      return receiver.events.splice(0);
    },
    async buy(priceId = PRICES.monthly) {
      const customer = await paddle.customers.create({ email: `${randomBytes(6).toString('hex')}@example.com` });
      const items = [{ priceId, quantity: 1 }];
      const { id } = await paddle.transactions.create({ items, customerId: customer.id, customData: { buyer: customer.email } });
      await standIn.actions.pay(id);
      const { subscriptionId } = await paddle.transactions.get(id);
      return paddle.subscriptions.get(subscriptionId ?? '');
    },
    async stop() {
      await standIn.stop();
      await http.close();
      receiver.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface Receiver {
  readonly url: string;
  /** The events, verified and parsed by Paddle's library. */
  readonly events: EventEntity[];
  close(): void;
}

async function openReceiver(paddle: Paddle, world: TestSeller['world']): Promise<Receiver> {
  const events: EventEntity[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    world.refusals -= 1;
    if (world.refusals >= 0) return response.writeHead(500).end();
    const signature = String(request.headers['paddle-signature']);
    events.push(await paddle.webhooks.unmarshal(Buffer.concat(chunks).toString(), SECRET, signature));
    return response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, events, close: () => server.close() };
}

/** Returns the code of a call that the API refuses. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  throw new Error('The API refused nothing');
}
