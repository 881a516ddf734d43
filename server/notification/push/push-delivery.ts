import { createHash } from 'node:crypto';
import { subOf } from '#contract/core/ids.ts';
import { HOUR } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { inEnglish } from '#contract/language/translate.ts';
import { PUSH_RETRY_DELAYS, PUSH_TTL } from '#contract/notification/device.ts';
import { OUTBOUND_ERRORS } from '#contract/webhook/outbound.ts';
import type { Platform } from '../../platform/context.ts';
import type { Job, JobData } from '../../platform/jobs/jobs.ts';
import type { Outbound, OutboundCall, OutboundOutcome } from '../../platform/outbound/outbound.ts';
import type { Cipher } from '../../platform/secret.ts';
import { type AccountScope, type Authenticator, inAccount, withDelivery } from '../../platform/tenancy/access.ts';
import * as deliveries from '../mail/delivery-store.ts';
import * as devices from './device-store.ts';
import { contentFor, type PushSubject, priorityOf } from './push-content.ts';
import type { PushSecrets } from './push-secrets.ts';
import { pushCall } from './web-push.ts';

export interface PushContext {
  readonly platform: Pick<Platform, 'database' | 'jobs' | 'now' | 'random' | 'secret' | 'config'>;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secrets: PushSecrets;
  readonly authenticator: Pick<Authenticator, 'findPerson'>;
  /** Decrypts queued pushes. */
  readonly cipher: Cipher;
}

/** The encrypted content of a queued push. */
export interface StoredPush {
  readonly deviceId: string;
  readonly about: PushSubject;
}

/**
 * Sends one push to its push service and records the result, with the next attempt in the same transaction. It holds no database
 * connection while it waits. If the process dies after the service accepted the push, it is sent again: a device shows it once.
 */
export async function deliver(context: PushContext, { data, signal }: Job<JobData['push.send']>): Promise<void> {
  const inItsAccount = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> =>
    inAccount(context.platform, { accountId: data.accountId, actor: SYSTEM }, work);
  const attempt = await inItsAccount((scope) => begin(context, scope, data.deliveryId));
  if (!attempt) return;
  const outcome = await context.outbound.post({ ...attempt.call, signal });
  await inItsAccount((scope) => settle(context, scope, { ...attempt, outcome }));
}

interface PushAttempt {
  readonly deliveryId: string;
  readonly priority: number;
  readonly device: devices.PushDeviceRow;
  /** How many attempts preceded it, and when the push was last queued. */
  readonly attempts: number;
  readonly queued: Date;
  readonly call: OutboundCall;
}

/** Begins an attempt; undefined if the push is no longer needed. */
async function begin(context: PushContext, scope: AccountScope, deliveryId: string): Promise<PushAttempt | undefined> {
  const row = await withDelivery(scope.db, deliveryId, deliveries.queued);
  if (!row) return undefined;
  const { attempts, sealed } = row;
  const queued = row.retried ?? row.created;
  const age = scope.now.getTime() - queued.getTime();
  const push = await openStored(context, scope, { deliveryId, sealed });
  const payload = push && (await contentFor(scope, push));
  if (!push || !payload || age >= PUSH_TTL) {
    const error = age >= PUSH_TTL ? 'It expired before it could be shown' : 'It was handled, or the device was gone, before it arrived';
    await withDelivery(scope.db, deliveryId, async (delivery) => {
      // A push that was never tried is deleted without a record.
      const isWithdrawn = attempts === 0 && age < PUSH_TTL && (await deliveries.withdraw(delivery));
      if (!isWithdrawn) await deliveries.markTried(delivery, { at: scope.now, error, isOver: true });
    });
    return undefined;
  }
  await withDelivery(scope.db, deliveryId, (delivery) => deliveries.beginAttempt(delivery, scope.now));
  const { legal, mail } = context.platform.config;
  const from = {
    caller: scope.accountId,
    contact: `mailto:${legal.email ?? mail.from.address}`,
    keys: await context.secrets.keys(scope.db),
  };
  const call = pushCall({ ...from, to: push.address, payload, topic: topicOf(payload.tag), age });
  return { deliveryId, priority: priorityOf(push.about), device: push.device, attempts, queued, call };
}

/** Returns a stored push with its device; undefined if the device is gone. Deletes a device whose sign-in has ended. */
async function openStored(
  { secrets, cipher, authenticator }: PushContext,
  scope: AccountScope,
  { deliveryId, sealed }: { readonly deliveryId: string; readonly sealed: Buffer | null },
) {
  const text = sealed === null ? undefined : cipher.decrypt(sealed, deliveryId);
  if (text === undefined) return undefined;
  // Encrypted when it was queued.
  const { deviceId, about } = JSON.parse(text) as StoredPush;
  const device = await devices.byId(scope, deviceId);
  const address = device && secrets.open(device.sealed, device.id);
  if (device && address && (await isSignedIn(authenticator, scope, device))) return { device, address, about };
  if (device) await devices.remove(scope, device);
  return undefined;
}

/** Returns true if the sign-in that subscribed a device is still valid, with the same check as for its requests. */
async function isSignedIn(
  authenticator: PushContext['authenticator'],
  { db, accountId }: AccountScope,
  { userId, session: family, created: issued }: devices.PushDeviceRow,
): Promise<boolean> {
  const claims = { sub: subOf(userId), userId, family, groups: [], signedIn: undefined, issued };
  const person = await authenticator.findPerson(db, claims);
  return person?.accountId === accountId && !person.isDeleted;
}

/** Delay before retrying a push whose service was busy (ms). */
const BUSY = 2_000;
/** A device to which pushes have failed for longer (ms) gets one attempt at each push. @limit push */
const PATIENCE = HOUR;

async function settle(
  { platform: { jobs } }: PushContext,
  scope: AccountScope,
  { deliveryId, priority, device, attempts, queued, outcome }: PushAttempt & { readonly outcome: OutboundOutcome },
): Promise<void> {
  const { now, accountId, db } = scope;
  const { status = 0, error, retryAfter = 0 } = outcome;
  const retry = (wait: number, named: { readonly key?: string } = {}) =>
    jobs.queue(db, 'push.send', { accountId, deliveryId }, { priority, after: new Date(now.getTime() + wait), ...named });
  if (error === 'busy') return retry(BUSY);
  if (status >= 200 && status < 300) {
    await withDelivery(db, deliveryId, (delivery) => deliveries.markSent(delivery, now));
    return devices.markDelivered(scope, device.id);
  }
  const isGone = status === 404 || status === 410;
  const wait = isGone || isRefused(status) ? undefined : waitAfter(attempts + 1, device, now);
  const next = wait === undefined ? undefined : Math.max(wait, retryAfter);
  const isOver = next === undefined || now.getTime() + next >= queued.getTime() + PUSH_TTL;
  const message = error === undefined ? `The push service answered ${status}` : inEnglish(OUTBOUND_ERRORS[error]).slice(0, -1);
  await withDelivery(db, deliveryId, (delivery) => deliveries.markTried(delivery, { at: now, error: message, isOver }));
  await (isGone ? devices.remove(scope, device) : devices.markFailing(scope, device.id));
  if (!isOver) await retry(next, { key: `${deliveryId} ${queued.getTime()} ${attempts + 1}` });
}

/** Undefined if there is no further attempt: a device that has failed for long doesn't block others. */
function waitAfter(tries: number, { failingSince }: devices.PushDeviceRow, now: Date): number | undefined {
  const isLost = failingSince !== null && now.getTime() - failingSince.getTime() > PATIENCE;
  return isLost ? undefined : PUSH_RETRY_DELAYS[tries];
}

/** Returns true if every further attempt would get the same response. */
const isRefused = (status: number): boolean => status >= 300 && status < 500 && status !== 408 && status !== 429;

/** Returns a hash, because push services can read the topic. */
const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);
