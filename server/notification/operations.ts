import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { pageLink } from '#contract/mail/mail.ts';
import { type deliveryOperations, URGENCY } from '#contract/notification/delivery.ts';
import type { notificationOperations } from '#contract/notification/notification.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import { byFeedback } from './alerts/alert-store.ts';
import * as lists from './mail/delivery-list-store.ts';
import { queueAgain } from './mail/delivery-store.ts';
import { countByUser } from './push/device-store.ts';

interface SentOptions {
  readonly platform: Pick<Platform, 'jobs' | 'config'>;
  readonly sendMail: SendMail;
}

/** Test messages per person. @limit send-again */
const TESTS = { name: 'test messages', most: 10, within: HOUR };

/** Handles the operations on mails and pushes that were sent. */
export function openDelivery({ platform: { jobs, config }, sendMail }: SentOptions) {
  return {
    async list({ scope }, query) {
      return { status: 'ok', ...(await lists.list(scope, query)) };
    },
    async health({ scope }) {
      return { status: 'ok', failed: await lists.countFailed(scope) };
    },
    async invitations({ scope }) {
      const invited = (await users.all(scope)).filter(({ data }) => data.invited);
      const addresses = invited.map(({ data }) => data.emailAddress);
      return { status: 'ok', deliveries: await lists.newestTo(scope, { addresses, reason: 'user.invited' }) };
    },
    async retry({ scope }, { deliveryId }) {
      const message = await queueAgain(scope, deliveryId);
      if (message) {
        const { accountId, db } = scope;
        const priority = URGENCY.awaited;
        if (message.channel === 'push') await jobs.queue(db, 'push.send', { accountId, deliveryId }, { priority });
        else {
          // Stored as `send` queued it.
          const data = { deliveryId, mail: message.mail as never, sealed: message.sealed.toString('base64') };
          await jobs.queue(db, 'mail.send', data, { priority });
        }
        await record(scope, 'delivery.retried', { subject: deliveryId, data: {} });
      }
      return answerWith(scope, deliveryId);
    },
    async test({ scope, person }) {
      await countWithin(scope, TESTS, person.userId);
      const user = await users.byId(scope, person.userId);
      if (!user) return NOT_FOUND;
      const props = { name: user.data.displayName, link: pageLink(config.publicUrl) };
      const reason = 'delivery.test-requested';
      const { id } = await sendMail(scope, { to: user.data.emailAddress, mail: 'delivery-test', props, reason });
      await record(scope, reason, { subject: id, data: {} });
      return answerWith(scope, id);
    },
    async queue({ scope }) {
      const { oldest, hosts, ...counts } = await lists.queueHealth(scope);
      const hostsHealth = hosts.map(({ lastError, ...host }) => ({ ...host, ...(lastError !== null && { lastError }) }));
      return { status: 'ok', ...counts, ...(oldest && { oldest: oldest.getTime() }), hosts: hostsHealth };
    },
  } satisfies Handlers<typeof deliveryOperations>;
}

async function answerWith(scope: AccountScope, id: string) {
  const delivery = await lists.byId(scope, id);
  return delivery ? ({ status: 'ok', delivery } as const) : NOT_FOUND;
}

/** Lists a feedback item's alerts with their decisions. */
export const alertsOf: Handlers<typeof notificationOperations>['alerts'] = async ({ scope }, { feedbackId }) => {
  if (!(await feedback.byId(scope, feedbackId))) return NOT_FOUND;
  const rows = await byFeedback(scope, feedbackId);
  const devices = await countByUser(
    scope,
    rows.map(({ userId }) => userId),
  );
  const alerts = rows.map(({ userId, created, waitsFor, due, result, openedBy }) => ({
    userId,
    created: created.getTime(),
    devices: devices.get(userId) ?? 0,
    ...(waitsFor && due ? { waitsFor, until: due.getTime() } : result && { result, ...(openedBy !== null && { openedBy }) }),
  }));
  return { status: 'ok', alerts };
};
