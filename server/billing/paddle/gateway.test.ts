import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGateway } from './gateway.ts';

/** Requests to a Paddle without any data. */
const requestedUrls: URL[] = [];
const api = createServer((request, response) => {
  requestedUrls.push(new URL(request.url ?? '/', 'http://paddle.test'));
  const pagination = { per_page: 100, next: 'http://paddle.test/events', has_more: false, estimated_total: 0 };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [], meta: { request_id: '1', pagination } }));
});
beforeAll(async () => {
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
});
afterAll(() => api.close());

it('reads events in the order of their ids, after the last one that was read', async () => {
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
  expect(requestedUrls.map(({ pathname, searchParams }) => [pathname, searchParams.get('order_by'), searchParams.get('after')])).toEqual([
    ['/events', 'id[ASC]', 'evt_1'],
  ]);
});
