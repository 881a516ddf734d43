import type { Platform } from '../platform/context.ts';
import type { MetricGroup } from '../platform/metrics.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import { health } from './health-store.ts';

/** Metrics of the installation's webhooks, the same in every process. */
export const webhookMetrics = (platform: Pick<Platform, 'database' | 'now'>) =>
  ({
    help: {
      afterword_webhooks_waiting: 'Messages waiting to be sent to a webhook or retried.',
      afterword_webhooks_failed: 'Messages to webhooks given up in the last day.',
      afterword_webhooks_oldest_seconds: 'Age of the oldest waiting message; 0 if none.',
      afterword_webhooks_failing: 'Webhooks that are on and failing.',
      afterword_webhooks_gone: 'Webhooks turned off because their receiver responded that it is gone.',
    },
    async read() {
      const { waiting, failed, oldest, failing, gone } = await inEveryAccount(platform, health);
      return {
        afterword_webhooks_waiting: waiting,
        afterword_webhooks_failed: failed,
        afterword_webhooks_oldest_seconds: oldest ? Math.max(0, platform.now() - oldest.getTime()) / 1000 : 0,
        afterword_webhooks_failing: failing,
        afterword_webhooks_gone: gone,
      };
    },
  }) satisfies MetricGroup;
