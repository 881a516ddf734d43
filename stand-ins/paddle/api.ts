import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ICustomerResponse, ISubscriptionResponse, ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { createPrice, createProduct } from './catalog.ts';
import { byId, PaddleRefusal } from './refusal.ts';
import type { Seller } from './seller.ts';
import type { PaddleState } from './state.ts';
import { cancel, cardChange, preview, resume, update } from './subscription.ts';
import { close, createCheckout, isPayable } from './transactions.ts';

interface ApiOptions {
  readonly apiKey: string;
  /** The stand-in's URL for browsers. */
  readonly address: string;
  /** Ends calls that hang. */
  readonly shutdown: AbortSignal;
}

type Query = Readonly<Record<string, string | undefined>>;

/** The parts of a request that a route reads. */
interface ApiCall {
  readonly id: string;
  readonly query: Query;
  /** Trusted: only Paddle's own library has the key, and it sends what its types state. */
  readonly body: <Body>() => Body;
  readonly address: string;
}

/** The calls of Paddle's API that the stand-in answers, each with the data of its response. */
const ROUTES: Readonly<Record<string, (seller: Seller, call: ApiCall) => object>> = {
  'GET /products': ({ state }) => Object.values(state.products),
  'POST /products': (seller, { body }) => createProduct(seller, body()),
  'GET /prices': ({ state }) => Object.values(state.prices),
  'POST /prices': (seller, { body }) => createPrice(seller, body()),
  'GET /customers': ({ state }, { query }) => customersWith(state, query['email']),
  'POST /customers': (seller, { body }) => createCustomer(seller, body()),
  'POST /customers/:id/portal-sessions': portalSession,
  'GET /events': ({ state }) => state.events,
  'GET /transactions': ({ state }, { query }) => transactionsWith(state, query),
  'POST /transactions': (seller, { body }) => createCheckout(seller, body()),
  'GET /transactions/:id': ({ state }, { id }) => byId(state.transactions, id),
  'PATCH /transactions/:id': (seller, { id }) => cancelCheckout(seller, byId(seller.state.transactions, id)),
  'GET /transactions/:id/invoice': ({ state }, { id, address }) => ({ url: `${address}/invoice/${byId(state.transactions, id).id}` }),
  'GET /subscriptions/:id': ({ state }, { id }) => byId(state.subscriptions, id),
  'PATCH /subscriptions/:id': change((seller, subscription, { body }) => update(seller, subscription, body())),
  'PATCH /subscriptions/:id/preview': (seller, { id, body }) => preview(seller, byId(seller.state.subscriptions, id), body()),
  'POST /subscriptions/:id/cancel': change((seller, subscription, { body }) => cancel(seller, subscription, body())),
  'POST /subscriptions/:id/resume': change((seller, subscription) => resume(seller, subscription)),
  'GET /subscriptions/:id/update-payment-method-transaction': (seller, { id }) => cardChange(seller, byId(seller.state.subscriptions, id)),
};

export function addApi(http: FastifyInstance, seller: Seller, { apiKey, address, shutdown }: ApiOptions): void {
  http.setErrorHandler((error: Error, request, reply) => sendError(request, reply, error));
  http.addHook('onRequest', async ({ headers }, reply) => {
    if (await isDown(seller.state, shutdown)) return reply.code(503).type('text/html').send('Service unavailable');
    if (!isSame(headers.authorization ?? '', `bearer ${apiKey}`)) throw new PaddleRefusal('invalid_token', 'The API key is wrong.', 403);
    return undefined;
  });
  http.addHook('onSend', seller.save);
  for (const [route, work] of Object.entries(ROUTES)) {
    // As the keys above are written.
    const [method, url] = route.split(' ') as [HTTPMethods, string];
    http.route({
      method,
      url,
      async handler(request) {
        const { id = '' } = request.params as { readonly id?: string };
        const query = request.query as Query;
        return envelopeOf(request, work(seller, { id, query, body: () => JSON.parse(String(request.body || '{}')), address }));
      },
    });
  }
}

/** Returns whether the API is down. If it hangs, resolves only after the caller has given up. */
async function isDown({ faults: { outage } }: PaddleState, shutdown: AbortSignal): Promise<boolean> {
  if (outage === 'hangs') await sleep(MINUTE, undefined, { signal: shutdown }).catch(() => undefined);
  return outage !== null;
}

const MINUTE = 60_000;

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Changes a subscription, unless the next change is to be refused. */
function change(work: (seller: Seller, subscription: ISubscriptionResponse, call: ApiCall) => void) {
  return (seller: Seller, call: ApiCall): ISubscriptionResponse => {
    const { subscriptions, faults } = seller.state;
    const isLocked = faults.locksNextUpdate;
    faults.locksNextUpdate = false;
    if (isLocked) throw new PaddleRefusal('subscription_locked_renewal', 'The subscription is being renewed.', 409);
    work(seller, byId(subscriptions, call.id), call);
    return byId(subscriptions, call.id);
  };
}

const customersWith = ({ customers }: PaddleState, email: string | undefined): ICustomerResponse[] =>
  Object.values(customers).filter((customer) => customer.email === email);

function createCustomer(seller: Seller, { email, name }: Pick<ICustomerResponse, 'email' | 'name'>): ICustomerResponse {
  if (customersWith(seller.state, email).length > 0) throw new PaddleRefusal('customer_already_exists', 'The email is taken.', 409);
  const at = seller.timestamp();
  const customer: ICustomerResponse = {
    ...{ id: seller.newId('ctm'), email, name: name ?? null, marketing_consent: false, status: 'active', locale: 'en' },
    ...{ created_at: at, updated_at: at },
  };
  seller.state.customers[customer.id] = customer;
  return customer;
}

function portalSession(seller: Seller, { id, address }: ApiCall): object {
  const overview = `${address}/portal/${byId(seller.state.customers, id).id}`;
  return { id: seller.newId('cpls'), customer_id: id, urls: { general: { overview } }, created_at: seller.timestamp() };
}

/** Returns the transactions with these subscriptions and statuses, the last billed first. */
function transactionsWith({ transactions }: PaddleState, { subscription_id: ids = '', status = '' }: Query): ITransactionResponse[] {
  const billedAt = ({ billed_at, created_at }: ITransactionResponse): string => billed_at ?? created_at;
  return Object.values(transactions)
    .filter((row) => ids.split(',').includes(row.subscription_id ?? '') && status.split(',').includes(row.status))
    .sort((a, b) => (billedAt(a) < billedAt(b) ? 1 : -1));
}

function cancelCheckout(seller: Seller, transaction: ITransactionResponse): ITransactionResponse {
  if (!isPayable(transaction)) throw new PaddleRefusal('transaction_immutable', `The transaction is ${transaction.status}.`);
  close(seller, transaction, 'canceled');
  return transaction;
}

/** Puts the data of a response into Paddle's envelope: of a list, the page that the query asks for. */
function envelopeOf(request: FastifyRequest, data: object): object {
  const meta = { request_id: request.id };
  if (!Array.isArray(data)) return { data, meta };
  const { after = '', per_page: size = '50' } = request.query as Query;
  const ids = data.map(({ event_id, id }: { readonly event_id?: string; readonly id?: string }) => event_id ?? id ?? '');
  const start = ids.indexOf(after) + 1;
  const end = start + Number(size);
  const next = new URL(request.originalUrl, `${request.protocol}://${request.host}`);
  next.searchParams.set('after', ids.slice(start, end).at(-1) ?? after);
  const pagination = { per_page: Number(size), next: next.href, has_more: data.length > end };
  return { data: data.slice(start, end), meta: { ...meta, pagination } };
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const isRefusal = error instanceof PaddleRefusal;
  if (!isRefusal) request.log.error({ err: error }, 'the Paddle stand-in failed');
  const { code, status, message } = isRefusal ? error : { code: 'internal_error', status: 500, message: 'Something went wrong.' };
  return reply.code(status).send({
    error: { type: isRefusal ? 'request_error' : 'api_error', code, detail: message },
    meta: { request_id: request.id },
  });
}
