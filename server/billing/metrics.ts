import type { Platform } from '../platform/context.ts';
import type { MetricGroup } from '../platform/metrics.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Metrics of the payment provider's events, the same in every process. */
export const billingMetrics = (platform: Pick<Platform, 'database' | 'now'>) =>
  ({
    help: {
      afterword_billing_events_open: 'Events of the payment provider that could not be processed or need attention.',
      afterword_billing_read_seconds: 'Time since all of its events were last read; 0 if never.',
      afterword_billing_failing: '1 if the last reading of that list failed.',
    },
    async read() {
      const { open, readAt, failure } = await inEveryAccount(platform, store.health);
      return {
        afterword_billing_events_open: open,
        afterword_billing_read_seconds: readAt ? Math.max(0, platform.now() - readAt.getTime()) / 1000 : 0,
        afterword_billing_failing: failure === null ? 0 : 1,
      };
    },
  }) satisfies MetricGroup;
