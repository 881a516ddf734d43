import { deliveryId as newDeliveryId } from '#contract/mail/mail.ts';
import type { Work } from '../../platform/jobs/jobs.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as users from '../../user/store.ts';
import * as deliveries from '../mail/delivery-store.ts';
import * as devices from './device-store.ts';
import { type PushSubject, priorityOf, subjectOf } from './push-content.ts';
import { deliver, type PushContext, type StoredPush } from './push-delivery.ts';

/** `reason` is the name of the event that a push is about. */
interface NewPush {
  readonly reason: string;
  readonly about: PushSubject;
}

/** Shows something on all of a person's devices, if the transaction commits and it is still unread when it is sent. */
export type SendPush = (scope: AccountScope, push: NewPush & { readonly to: string }) => Promise<void>;

export type Pushes = ReturnType<typeof openPushes>;

/** Queues pushes in the caller's transaction. Workers create their content and send them. */
export function openPushes(options: Omit<PushContext, 'cipher'>) {
  const { jobs, random, secret } = options.platform;
  // The purpose is part of what is stored: with another text, no queued push can be decrypted.
  const context: PushContext = { ...options, cipher: secret.cipher('afterword pushes: subjects') };
  const send: SendPush = async (scope, { to, ...push }) => queue(scope, { devices: await devices.byUser(scope, to), ...push });
  return { queue, send, work: { 'push.send': (job) => deliver(context, job) } satisfies Work };

  /** Queues a push to devices of one person. */
  async function queue(
    scope: AccountScope,
    { devices: rows, reason, about }: NewPush & { readonly devices: readonly devices.PushDeviceRow[] },
  ): Promise<void> {
    const person = rows[0] && (await users.byId(scope, rows[0].userId));
    if (!person) return;
    for (const { id: deviceId, label } of rows) {
      const id = newDeliveryId(random);
      const sealed = context.cipher.encrypt(JSON.stringify({ deviceId, about } satisfies StoredPush), id);
      const to = `${person.data.displayName}, ${label}`;
      const row = { id, channel: 'push', to, subject: subjectOf(about), reason, created: scope.now, sealed } as const;
      await deliveries.insert(scope.db, scope.accountId, row);
      await jobs.queue(scope.db, 'push.send', { accountId: scope.accountId, deliveryId: id }, { priority: priorityOf(about) });
    }
  }
}
