import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { senderOf } from '#server/platform/mailer/sender.ts';
import { openActions, type StandInActions } from './actions.ts';
import { addApi } from './api.ts';
import { addFixedPrices, type FixedPrice } from './catalog.ts';
import { openDelivery } from './delivery.ts';
import { addCheckout } from './pages/checkout-page.ts';
import { addCustomerPages } from './pages/customer-pages.ts';
import { html, sendPage } from './pages/page.ts';
import { addPanel } from './pages/panel-page.ts';
import { PaddleRefusal } from './refusal.ts';
import { openSeller } from './seller.ts';
import { openStateFile } from './state.ts';

/* Stands in for Paddle Billing during development and tests. It answers Paddle's own library, and works for any seller. */

interface PaddleStandInOptions {
  /** UTC ms. */
  readonly now: () => number;
  /** The file in which everything survives a restart. */
  readonly file: string;
  /** The prices for sale, besides those that the API adds. */
  readonly prices: readonly FixedPrice[];
  readonly apiKey: string;
  /** The URL that events are posted to, and the secret that signs them. */
  readonly notify: { readonly url: string; readonly secret: string };
  /** The routes' URL for browsers, with their prefix. */
  readonly address: string;
  /** Returns whether a request may open the panel. */
  readonly mayControl: (request: FastifyRequest) => boolean;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

export interface PaddleStandIn {
  /** The API below `/api`, Paddle.js, the pages, and the panel at the prefix itself. */
  readonly routes: FastifyPluginAsync;
  readonly actions: StandInActions;
  /** Resolves once every event was accepted, given up or held. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function openPaddleStandIn(options: PaddleStandInOptions): Promise<PaddleStandIn> {
  const { now, file, prices, apiKey, notify, address, mayControl, log } = options;
  const stateFile = await openStateFile(file);
  const delivery = openDelivery(stateFile, { notify, log });
  const seller = openSeller({ ...stateFile, now, onEvent: delivery.enqueue });
  addFixedPrices(seller, prices);
  const actions = openActions(seller, delivery);
  const shutdown = new AbortController();

  return {
    actions,
    settled: delivery.settled,
    async routes(http) {
      http.addHook('preClose', async () => shutdown.abort());
      http.removeAllContentTypeParsers();
      http.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => body);
      await http.register(async (api) => addApi(api, seller, { apiKey, address, shutdown: shutdown.signal }), { prefix: '/api' });
      await http.register(async (pages) => {
        pages.addHook('onRequest', refuseOtherSites);
        pages.setErrorHandler(sendRefusal);
        await addFiles(pages);
        addCheckout(pages, seller);
        addCustomerPages(pages, seller);
        addPanel(pages, seller, { actions, mayControl });
      });
    },
    async stop() {
      shutdown.abort();
      await delivery.stop();
      await stateFile.save();
    },
  };
}

async function refuseOtherSites(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.method !== 'POST' || senderOf(request) === 'ours') return undefined;
  reply.callNotFound();
  return reply;
}

function sendRefusal(error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof PaddleRefusal)) throw error;
  return sendPage(reply.code(error.status), 'Not possible', html`<h1>This isn’t possible</h1><p>${error.message}</p>`);
}

const FILES = { 'paddle.js': 'text/javascript', 'checkout.js': 'text/javascript', 'style.css': 'text/css' } as const;

async function addFiles(pages: FastifyInstance): Promise<void> {
  for (const [name, type] of Object.entries(FILES)) {
    const text = await readFile(path.join(import.meta.dirname, 'browser', name), 'utf8');
    pages.get(`/${name}`, async (_request, reply) => reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text));
  }
}
