import type { FastifyBaseLogger } from 'fastify';
import { ITSELF } from '#contract/event/event.ts';
import { warnSeldom } from '../platform/log/log.ts';
import { type Clocked, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';
import type { Telling } from './telling.ts';

/** Looks for what is due by the product's clock, in worker processes. Many may look at once. */
export interface AlertWatch {
  start(): void;
  stop(): Promise<void>;
}

/** How often (ms). */
const LOOK = 1_000;

interface WatchOptions {
  readonly platform: Clocked & { readonly log: Pick<FastifyBaseLogger, 'warn'> };
  readonly telling: Telling;
}

export function openWatch({ platform, telling }: WatchOptions): AlertWatch {
  const warn = warnSeldom(platform.log, 'due alerts could not be sent; retrying');
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(() => {
        running ??= look().finally(() => {
          running = undefined;
        });
      }, LOOK);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  async function look(): Promise<void> {
    await apart(async () => {
      for (const { accountId, userId } of await inEveryAccount(platform, store.dueRecipients))
        await apart(() => inAccount(platform, { accountId, actor: ITSELF }, (scope) => telling.tell(scope, userId)));
      for (const { accountId, feedbackId } of await inEveryAccount(platform, store.dueEscalations))
        await apart(() => inAccount(platform, { accountId, actor: ITSELF }, (scope) => telling.escalate(scope, feedbackId)));
    });
  }

  /** What fails of one account holds up no other. */
  async function apart(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      warn(error);
    }
  }
}
