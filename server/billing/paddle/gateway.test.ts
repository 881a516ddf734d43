import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGateway } from './gateway.ts';

/** What was asked of Paddle, which has nothing. */
const asked: URL[] = [];
const api = createServer((request, response) => {
  asked.push(new URL(request.url ?? '/', 'http://paddle.test'));
  const pagination = { per_page: 100, next: 'http://paddle.test/events', has_more: false, estimated_total: 0 };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [], meta: { request_id: '1', pagination } }));
});
beforeAll(async () => {
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
});
afterAll(() => api.close());

it('reads events from the oldest on, in an order that it asks for: where the last reading ended, the next one goes on', async () => {
  const { port } = api.address() as AddressInfo;
  const gateway = openGateway({
    kind: 'paddle',
    config: { apiKey: 'pdl_sdbx_apikey_test', environment: `http://127.0.0.1:${port}`, webhookSecrets: [] },
    prices: [],
    checkout: { token: 'test_1', environment: 'sandbox' },
    payUrl: 'https://feedback.example/pay',
    log: { warn: () => undefined },
    now: Date.now,
  });
  for await (const page of gateway.eventsAfter('evt_1')) expect(page).toEqual([]);
  expect(asked.map(({ pathname, searchParams }) => [pathname, searchParams.get('order_by'), searchParams.get('after')])).toEqual([
    ['/events', 'id[ASC]', 'evt_1'],
  ]);
});
