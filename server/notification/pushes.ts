import { createHash } from 'node:crypto';
import { HOUR } from '#contract/core/time.ts';
import { ITSELF } from '#contract/event/event.ts';
import { deliveryId as newDeliveryId } from '#contract/mail/mail.ts';
import { URGENCY, type Urgency } from '#contract/notification/delivery.ts';
import { PUSH_LIVES, PUSH_WAITS } from '#contract/notification/device.ts';
import { notificationTitle } from '#contract/notification/notification.ts';
import { OUTBOUND_ERRORS } from '#contract/webhook/outbound.ts';
import type { Platform } from '../platform/context.ts';
import type { Job, JobData, Work } from '../platform/jobs/jobs.ts';
import type { PushSubject, Ring } from '../platform/live/notify.ts';
import type { Outbound, OutboundCall, OutboundOutcome } from '../platform/outbound/outbound.ts';
import { type AccountScope, inAccount, withDelivery } from '../platform/tenancy/access.ts';
import * as users from '../user/store.ts';
import * as devices from './devices-store.ts';
import { pushCall } from './gateway.ts';
import { shownOf } from './screen.ts';
import type { PushSecrets } from './secrets.ts';
import * as store from './store.ts';

type PushPlatform = Pick<Platform, 'database' | 'jobs' | 'now' | 'random' | 'secret' | 'config'>;

/** Pushes on their way to devices: queued in the transaction that tells of something, made and sent by workers. */
export interface Pushes {
  readonly ring: Ring;
  /** Sends something to devices of one person. */
  send(scope: AccountScope, push: { devices: readonly devices.PushDeviceRow[]; reason: string; about: PushSubject }): Promise<void>;
  readonly work: Work;
}

interface PushesOptions {
  readonly platform: PushPlatform;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secrets: PushSecrets;
  /** Whether the sign-in that subscribed a device still lasts, and its person is of this account. */
  readonly stands: (scope: AccountScope, device: devices.PushDeviceRow) => Promise<boolean>;
}

/** What is kept of a push until it is sent. */
interface KeptPush {
  readonly deviceId: string;
  readonly about: PushSubject;
}

/** How urgent each push is: a test is waited for, and a digest tells of what has waited for hours. */
const PUSH_URGENCY: { readonly [Kind in PushSubject['kind']]: Urgency } = {
  test: 'awaited',
  urgent: 'alert',
  contact: 'alert',
  unopened: 'alert',
  mention: 'ordinary',
  assigned: 'ordinary',
  webhook: 'ordinary',
  digest: 'bulk',
};

/** A push that this process brings to its service. */
interface TakenPush {
  readonly deliveryId: string;
  readonly priority: number;
  readonly device: devices.PushDeviceRow;
  /** How often it was tried before, and when it was queued last. */
  readonly attempts: number;
  readonly queued: Date;
  readonly call: OutboundCall;
}

/** So much later a push is tried whose service had enough to do (ms). */
const BUSY = 2_000;
/** After so long without success a device gets one try of each push (ms). */
const PATIENCE = HOUR;

export function openPushes({ platform, outbound, secrets, stands }: PushesOptions): Pushes {
  const { jobs, random, config } = platform;
  // A part of what is stored: with another word, no push that waits opens.
  const cipher = platform.secret.cipher('afterword pushes: subjects');
  const contact = `mailto:${config.legal.email ?? config.mail.from.address}`;
  return {
    send,
    async ring(scope, { to, ...push }) {
      await send(scope, { devices: await devices.ofPerson(scope, to), ...push });
    },
    work: { 'push.send': deliver },
  };

  async function send(scope: AccountScope, { devices: on, reason, about }: Parameters<Pushes['send']>[1]): Promise<void> {
    const person = on[0] && (await users.byId(scope, on[0].userId));
    if (!person) return;
    for (const { id: deviceId, label } of on) {
      const id = newDeliveryId(random);
      const sealed = cipher.encrypt(JSON.stringify({ deviceId, about } satisfies KeptPush), id);
      const to = `${person.data.displayName}, ${label}`;
      const row = { id, channel: 'push', to, subject: subjectOf(about), reason, created: scope.now, sealed } as const;
      await store.insert(scope.db, scope.accountId, row);
      await jobs.queue(scope.db, 'push.send', { accountId: scope.accountId, deliveryId: id }, { priority: priorityOf(about) });
    }
  }

  /**
   * Brings one push to its service and notes what came of it, with the try that follows in the same transaction. No connection to
   * the database is held meanwhile. A process that dies after the service took it sends it again: a device shows it once.
   */
  async function deliver({ data: { accountId, deliveryId }, signal }: Job<JobData['push.send']>): Promise<void> {
    const inIts = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> => inAccount(platform, { accountId, actor: ITSELF }, work);
    const taken = await inIts((scope) => take(scope, deliveryId));
    if (!taken) return;
    const outcome = await outbound.post({ ...taken.call, signal });
    await inIts((scope) => settle(scope, taken, outcome));
  }

  /** What is to be sent; undefined where it is not needed any more. */
  async function take(scope: AccountScope, deliveryId: string): Promise<TakenPush | undefined> {
    const waiting = await withDelivery(scope.db, deliveryId, store.waiting);
    if (!waiting) return undefined;
    const queued = waiting.retried ?? waiting.created;
    const age = scope.now.getTime() - queued.getTime();
    const push = await opened(scope, { deliveryId, sealed: waiting.sealed });
    const shown = push && (await shownOf(scope, push));
    if (!push || !shown || age >= PUSH_LIVES) {
      const error = age >= PUSH_LIVES ? 'It expired before it could be shown' : 'It was handled, or the device was gone, before it arrived';
      await withDelivery(scope.db, deliveryId, async (delivery) => {
        const isUntold = waiting.attempts === 0 && age < PUSH_LIVES;
        if (!isUntold || !(await store.withdraw(delivery))) await store.markTried(delivery, { at: scope.now, error, isOver: true });
      });
      return undefined;
    }
    await withDelivery(scope.db, deliveryId, (delivery) => store.take(delivery, scope.now));
    const keys = await secrets.keys(scope.db);
    const call = pushCall({ caller: scope.accountId, to: push.address, payload: shown, topic: topicOf(shown.tag), age, keys, contact });
    return { deliveryId, priority: priorityOf(push.about), device: push.device, attempts: waiting.attempts, queued, call };
  }

  /** The push with its device, where that is still there. A device whose sign-in has ended is forgotten. */
  async function opened(scope: AccountScope, { deliveryId, sealed }: { readonly deliveryId: string; readonly sealed: Buffer | null }) {
    const text = sealed === null ? undefined : cipher.decrypt(sealed, deliveryId);
    if (text === undefined) return undefined;
    // Sealed by `send`.
    const { deviceId, about } = JSON.parse(text) as KeptPush;
    const device = await devices.byId(scope, deviceId);
    const address = device && secrets.open(device.sealed, device.id);
    if (device && address && (await stands(scope, device))) return { device, address, about };
    if (device) await devices.remove(scope, device);
    return undefined;
  }

  async function settle(
    scope: AccountScope,
    { deliveryId, priority, device, attempts, queued }: TakenPush,
    outcome: OutboundOutcome,
  ): Promise<void> {
    const { now, accountId } = scope;
    const { status, error, retryAfter = 0 } = outcome;
    const within = <T>(work: Parameters<typeof withDelivery<T>>[2]) => withDelivery(scope.db, deliveryId, work);
    const again = (wait: number, key?: string) =>
      jobs.queue(
        scope.db,
        'push.send',
        { accountId, deliveryId },
        { priority, after: new Date(now.getTime() + wait), ...(key !== undefined && { key }) },
      );
    if (error === 'busy') return again(BUSY);
    if (isTaken(status)) {
      await within((delivery) => store.markSent(delivery, now));
      return devices.markDelivered(scope, device.id);
    }
    const isGone = status === 404 || status === 410;
    const wait = isGone || isRefused(status) ? undefined : waitAfter(attempts + 1, device, now);
    const next = wait === undefined ? undefined : Math.max(wait, retryAfter);
    const isOver = next === undefined || now.getTime() + next >= queued.getTime() + PUSH_LIVES;
    const said = error === undefined ? `The push service answered ${status}` : OUTBOUND_ERRORS[error].slice(0, -1);
    await within((delivery) => store.markTried(delivery, { at: now, error: said, isOver }));
    if (isGone) await devices.remove(scope, device);
    else await devices.markFailing(scope, device.id);
    if (!isOver) await again(next, `${deliveryId} ${queued.getTime()} ${attempts + 1}`);
  }
}

/** Undefined where it is not tried again: a device that has taken nothing for long does not keep others waiting. */
function waitAfter(tries: number, { failingSince }: devices.PushDeviceRow, now: Date): number | undefined {
  const isLost = failingSince !== null && now.getTime() - failingSince.getTime() > PATIENCE;
  return isLost ? undefined : PUSH_WAITS[tries];
}

const isTaken = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
/** Whatever is sent again, the answer will be the same. */
const isRefused = (status = 0): boolean => status >= 300 && status < 500 && status !== 408 && status !== 429;

const priorityOf = ({ kind }: PushSubject): number => URGENCY[PUSH_URGENCY[kind]];

/** Of no name: who may see what was sent need not see whose feedback it was. */
const subjectOf = (about: PushSubject): string => {
  if (about.kind === 'test') return 'Test email from Afterword';
  return about.kind === 'digest' ? 'Urgent feedback that nobody has opened' : notificationTitle(about);
};

/** A push service reads it, and learns nothing. */
const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);
