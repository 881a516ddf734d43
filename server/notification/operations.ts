import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { pageLink } from '#contract/mail/mail.ts';
import { type deliveryOperations, URGENCY } from '#contract/notification/delivery.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';

interface DeliveryRoom {
  readonly platform: Pick<Platform, 'jobs' | 'config'>;
  readonly sendMail: SendMail;
}

/** Of one person. */
const TESTS = { name: 'test messages', most: 10, within: HOUR };

/** What was sent to people, and what became of it. */
export function openDelivery({ platform: { jobs, config }, sendMail }: DeliveryRoom) {
  return {
    async list({ scope }, query) {
      return { status: 'ok', ...(await store.list(scope, query)) };
    },
    async health({ scope }) {
      return { status: 'ok', failed: await store.countFailed(scope) };
    },
    async invitations({ scope }) {
      const invited = (await users.all(scope)).filter(({ data }) => data.invited);
      const addresses = invited.map(({ data }) => data.emailAddress);
      return { status: 'ok', deliveries: await store.newestTo(scope, { addresses, reason: 'user.invited' }) };
    },
    async retry({ scope }, { deliveryId }) {
      const again = await store.queueAgain(scope, deliveryId);
      if (again) {
        const { accountId, db } = scope;
        const priority = URGENCY.awaited;
        if (again.channel === 'push') await jobs.queue(db, 'push.send', { accountId, deliveryId }, { priority });
        else {
          // The store keeps it as `send` queued it.
          const data = { deliveryId, mail: again.mail as never, sealed: again.sealed.toString('base64') };
          await jobs.queue(db, 'mail.send', data, { priority });
        }
        await record(scope, 'delivery.retried', { subject: deliveryId, data: {} });
      }
      return found(scope, deliveryId);
    },
    async test({ scope, person }) {
      await countWithin(scope, TESTS, person.userId);
      const user = await users.byId(scope, person.userId);
      if (!user) return NOT_FOUND;
      const props = { name: user.data.displayName, link: pageLink(config.publicUrl) };
      const reason = 'delivery.test-requested';
      const { id } = await sendMail(scope, { to: user.data.emailAddress, mail: 'delivery-test', props, reason });
      await record(scope, reason, { subject: id, data: {} });
      return found(scope, id);
    },
    async queue({ scope }) {
      const { oldest, hosts, ...counts } = await store.health(scope);
      const told = hosts.map(({ lastError, ...host }) => ({ ...host, ...(lastError !== null && { lastError }) }));
      return { status: 'ok', ...counts, ...(oldest && { oldest: oldest.getTime() }), hosts: told };
    },
  } satisfies Handlers<typeof deliveryOperations>;
}

async function found(scope: AccountScope, id: string) {
  const delivery = await store.byId(scope, id);
  return delivery ? ({ status: 'ok', delivery } as const) : NOT_FOUND;
}
