import { badField, refusal } from '#contract/core/errors.ts';
import { deviceId as newDeviceId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import { inEnglish } from '#contract/language/translate.ts';
import { type deviceOperations, MOST_DEVICES } from '#contract/notification/device.ts';
import { OUTBOUND_ERRORS } from '#contract/webhook/outbound.ts';
import type { Platform } from '../../platform/context.ts';
import { deleteOld } from '../../platform/database/batches.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { sha256 } from '../../platform/sha256.ts';
import { type DatabaseAndClock, widenToEveryAccount } from '../../platform/tenancy/access.ts';
import type { Handlers } from '../../platform/tenancy/dispatch.ts';
import { countWithin } from '../../platform/tenancy/rate-limit.ts';
import * as store from './device-store.ts';
import type { PushSecrets } from './push-secrets.ts';
import type { Pushes } from './pushes.ts';

interface DeviceOptions {
  readonly platform: Pick<Platform, 'random'>;
  readonly outbound: Pick<Outbound, 'problemWith'>;
  readonly pushes: Pick<Pushes, 'queue'>;
  readonly secrets: PushSecrets;
}

/** Saved devices and tests per person. @limit push-devices */
const SAVES = { name: 'devices', most: 60, within: HOUR };
const TESTS = { name: 'test pushes', most: 10, within: HOUR };

/** Handles the operations on the devices that show a person's notifications. */
export function openDevice({ platform: { random }, outbound, pushes, secrets }: DeviceOptions) {
  return {
    async list({ scope, person }, { endpoint }) {
      const { publicKey } = await secrets.keys(scope.db);
      const hash = endpoint === undefined ? undefined : sha256(endpoint);
      const devices = (await store.byUser(scope, person.userId)).map((row) => {
        const { data, ...device } = store.deviceOf(row);
        return { ...device, data: { ...data, ...(hash?.equals(row.hash) && { isThis: true as const }) } };
      });
      return { status: 'ok', publicKey, devices };
    },
    async save({ scope, person }, { payload }) {
      await countWithin(scope, SAVES, person.userId);
      const { endpoint, keys, label, showsWords } = payload.data;
      const problem = outbound.problemWith(endpoint);
      if (problem) throw badField('payload.data.endpoint', inEnglish(OUTBOUND_ERRORS[problem]));
      const { userId, session } = person;
      const hash = sha256(endpoint);
      await widenToEveryAccount(scope, (every) => store.release(every, { hash, except: userId }));
      const existing = await store.byUser(scope, userId);
      const previous = existing.find((row) => row.hash.equals(hash));
      if (!previous && existing.length >= MOST_DEVICES)
        throw refusal('conflict', `You have ${MOST_DEVICES} devices. Remove one of them first.`);
      const id = previous?.id ?? newDeviceId(random);
      const sealed = secrets.seal({ endpoint, keys }, id);
      const device = await store.save(scope, { id, userId, session, hash, sealed, label, showsWords });
      return { status: 'ok', device: store.deviceOf(device) };
    },
    async delete({ scope, person }, { deviceId: id }) {
      return (await store.remove(scope, { id, userId: person.userId })) ? { status: 'ok' } : NOT_FOUND;
    },
    async test({ scope, person }, { deviceId }) {
      const device = await store.byId(scope, deviceId);
      if (device?.userId !== person.userId) return NOT_FOUND;
      await countWithin(scope, TESTS, person.userId);
      await pushes.queue(scope, { devices: [device], reason: 'delivery.test-requested', about: { kind: 'test' } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof deviceOperations>;
}

/** How long pushes to a device may fail before it is deleted (ms). @limit push-devices */
const FAILING_RETENTION = 14 * DAY;

export const maintainDevices = (platform: DatabaseAndClock): Promise<void> =>
  deleteOld(platform, [[store.deleteFailing, FAILING_RETENTION]]);
