import type { Platform } from '../platform/context.ts';
import type { Figures } from '../platform/figures.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** How webhooks fare in the whole installation, whichever process is asked. */
export const webhookFigures = (platform: Pick<Platform, 'database' | 'now'>) =>
  ({
    help: {
      afterword_webhooks_waiting: 'Messages that wait to be sent to a webhook, or to be tried again.',
      afterword_webhooks_failed: 'Messages to webhooks that were given up within a day.',
      afterword_webhooks_oldest_seconds: 'How long the message waits that waits longest; 0 where none does.',
      afterword_webhooks_failing: 'Webhooks that are on and that nothing arrives at.',
      afterword_webhooks_gone: 'Webhooks that were turned off because their receiver said that it is gone.',
    },
    async read() {
      const { waiting, failed, oldest, failing, gone } = await inEveryAccount(platform, store.health);
      return {
        afterword_webhooks_waiting: waiting,
        afterword_webhooks_failed: failed,
        afterword_webhooks_oldest_seconds: oldest ? Math.max(0, platform.now() - oldest.getTime()) / 1000 : 0,
        afterword_webhooks_failing: failing,
        afterword_webhooks_gone: gone,
      };
    },
  }) satisfies Figures;
