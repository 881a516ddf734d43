import { inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Figures } from '../kernel/figures.ts';
import * as store from './store.ts';

/** How webhooks fare in the whole installation, whichever process is asked. */
export const webhookFigures = (kernel: Pick<Kernel, 'database' | 'now'>) =>
  ({
    help: {
      afterword_webhooks_waiting: 'Messages that wait to be sent to a webhook, or to be tried again.',
      afterword_webhooks_failed: 'Messages to webhooks that were given up within a day.',
      afterword_webhooks_oldest_seconds: 'How long the message waits that waits longest; 0 where none does.',
      afterword_webhooks_failing: 'Webhooks that are on and that nothing arrives at.',
      afterword_webhooks_gone: 'Webhooks that were turned off because their receiver said that it is gone.',
    },
    async read() {
      const { waiting, failed, oldest, failing, gone } = await inEveryAccount(kernel, store.health);
      return {
        afterword_webhooks_waiting: waiting,
        afterword_webhooks_failed: failed,
        afterword_webhooks_oldest_seconds: oldest ? Math.max(0, kernel.now() - oldest.getTime()) / 1000 : 0,
        afterword_webhooks_failing: failing,
        afterword_webhooks_gone: gone,
      };
    },
  }) satisfies Figures;
