import type { FastifyBaseLogger, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { openActs, type SandboxActs } from './acts.ts';
import { addApi } from './api/api.ts';
import { openDelivery } from './delivery.ts';
import { idLetters } from './moments.ts';
import { addGivenPrices, type GivenPrice } from './objects/catalog.ts';
import { addPages } from './pages/pages.ts';
import { openSignedLinks } from './signed-links.ts';
import { openStateFile } from './state-file.ts';
import { openWorld } from './world.ts';

/* A stand-in for Paddle Billing: its API, its checkout, its webhooks. It serves any product that is written for Paddle, and knows none. */

export interface SandboxOptions {
  /** UTC ms. */
  readonly now: () => number;
  /** Of ids. */
  readonly random: (size: number) => Uint8Array;
  /** Keeps everything over a restart. Undefined: in memory only. */
  readonly file?: string | undefined;
  /** What is sold, beside what the API's callers add. */
  readonly prices?: readonly GivenPrice[];
  /** What the API's callers bear. */
  readonly apiKey: string;
  /** Where signed events are posted, and the secret they are signed by. Undefined: nowhere; they can be read by `GET /events`. */
  readonly notify?: { readonly url: string | (() => string); readonly secret: string } | undefined;
  /** Between what happens and its delivery (ms), 800 where it is not said. Deliveries that fail are tried again with growing waits, a few times. */
  readonly delay?: number;
  /** The default payment link: where checkouts open when a transaction does not say it. Without one, each transaction has to. */
  readonly paymentLink?: string | undefined;
  /** Where browsers reach the routes, with their prefix; where callers of the API do when it is not said. */
  readonly address?: string | undefined;
  /** Whether a request may open the panel of buttons: it comes from this machine. */
  readonly mayControl: (request: FastifyRequest) => boolean;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

export interface PaddleSandbox {
  /** Routes: register them with a prefix, such as `/sandbox`. Of the SDK, `environment` is then the address of `/sandbox/api`. */
  readonly routes: FastifyPluginAsync;
  /** For tests and the panel: what Paddle, the bank or the customer would do. */
  readonly acts: SandboxActs;
  /** Waits until no delivery is under way (for tests). */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function openSandbox(options: SandboxOptions): Promise<PaddleSandbox> {
  const { now, random, file, prices = [], apiKey, notify, delay = 800, paymentLink, address, log } = options;
  const kept = await openStateFile(file);
  const saveInBackground = (): void =>
    void kept.save().catch((error: Error) => log.warn({ err: error }, 'the payment sandbox is not kept'));
  const delivery = openDelivery({
    state: kept.state,
    notify,
    delay,
    newNotificationId: () => `ntf_${idLetters(Date.now() * 1000, random(14))}`,
    onChange: saveInBackground,
    log,
  });
  const world = openWorld({ state: kept.state, now, random, onEvent: ({ event_id }) => delivery.enqueue(event_id) });
  addGivenPrices(world, prices);
  const acts = openActs({ world, delivery, save: kept.save });
  const links = openSignedLinks({ secret: apiKey, now });
  const stopping = new AbortController();

  return {
    acts,
    routes: async (http) => {
      const { prefix } = http;
      // What hangs by request would hold up the server's end.
      http.addHook('preClose', async () => stopping.abort());
      const addressFor = ({ protocol, host }: FastifyRequest): string => address ?? `${protocol}://${host}${prefix}`;
      await http.register(
        async (api) =>
          addApi(api, {
            world,
            apiKey,
            paymentLink,
            signedAddress: (request, path) => `${addressFor(request)}${links.sign(path)}`,
            save: kept.save,
            stopping: stopping.signal,
          }),
        { prefix: '/api' },
      );
      await http.register(async (pages) =>
        addPages(pages, { world, acts, links, prefix, paymentLink, mayControl: options.mayControl, save: kept.save }),
      );
    },
    settled: delivery.settled,
    async stop() {
      stopping.abort();
      await delivery.stop();
      await kept.save();
    },
  };
}
