import type { Platform } from '../../platform/context.ts';
import type { MetricGroup } from '../../platform/metrics.ts';
import { inEveryAccount } from '../../platform/tenancy/access.ts';
import { countSentLately, queueHealth } from './delivery-list-store.ts';

/** The mail queue of the whole installation. */
export const mailMetrics = (platform: Pick<Platform, 'database' | 'now'>) =>
  ({
    help: {
      afterword_mails_waiting: 'Emails waiting to be sent or retried.',
      afterword_mails_sent: 'Emails sent in the last day.',
      afterword_mails_failed: 'Emails that failed in the last day.',
      afterword_mails_oldest_seconds: 'Age of the oldest waiting email; 0 if none is waiting.',
    },
    async read() {
      const { waiting, failed, oldest, sent } = await inEveryAccount(platform, async (scope) => ({
        ...(await queueHealth(scope)),
        sent: await countSentLately(scope),
      }));
      const age = oldest ? Math.max(0, platform.now() - oldest.getTime()) : 0;
      return {
        afterword_mails_waiting: waiting,
        afterword_mails_sent: sent,
        afterword_mails_failed: failed,
        afterword_mails_oldest_seconds: age / 1000,
      };
    },
  }) satisfies MetricGroup;
