import { createHash } from 'node:crypto';
import { badField, refusal } from '#contract/core/errors.ts';
import { deviceId as newDeviceId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { type deviceOperations, MOST_DEVICES } from '#contract/notification/device.ts';
import { OUTBOUND_ERRORS } from '#contract/webhook/outbound.ts';
import type { Platform } from '../platform/context.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { beyond } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './devices-store.ts';
import type { Pushes } from './pushes.ts';
import type { PushSecrets } from './secrets.ts';

interface DeviceRoom {
  readonly platform: Pick<Platform, 'random'>;
  readonly outbound: Pick<Outbound, 'problemWith'>;
  readonly pushes: Pick<Pushes, 'send'>;
  readonly secrets: PushSecrets;
}

/** Of one person. */
const SAVES = { name: 'devices', most: 60, within: HOUR };
const TESTS = { name: 'test pushes', most: 10, within: HOUR };

/** The devices on which a person is told. */
export function openDevice({ platform: { random }, outbound, pushes, secrets }: DeviceRoom) {
  return {
    async list({ scope, person }, { endpoint }) {
      const { publicKey } = await secrets.keys(scope.db);
      const hash = endpoint === undefined ? undefined : hashOf(endpoint);
      const devices = (await store.ofPerson(scope, person.userId)).map((row) => {
        const { data, ...device } = store.deviceOf(row);
        return { ...device, data: { ...data, ...(hash?.equals(row.hash) && { isThis: true as const }) } };
      });
      return { status: 'ok', publicKey, devices };
    },
    async save({ scope, person }, { payload }) {
      await countWithin(scope, SAVES, person.userId);
      const { endpoint, keys, label, showsWords } = payload.data;
      const problem = outbound.problemWith(endpoint);
      if (problem) throw badField('payload.data.endpoint', OUTBOUND_ERRORS[problem]);
      const { userId, session } = person;
      const hash = hashOf(endpoint);
      await beyond(scope, (every) => store.release(every, { hash, except: userId }));
      const known = await store.ofPerson(scope, userId);
      const before = known.find((each) => each.hash.equals(hash));
      if (!before && known.length >= MOST_DEVICES) throw refusal('conflict', `You have ${MOST_DEVICES} devices. Remove one of them first.`);
      const id = before?.id ?? newDeviceId(random);
      const device = await store.save(scope, {
        id,
        userId,
        session,
        hash,
        sealed: secrets.seal({ endpoint, keys }, id),
        label,
        showsWords,
      });
      return { status: 'ok', device: store.deviceOf(device) };
    },
    async delete({ scope, person }, { deviceId: id }) {
      return (await store.remove(scope, { id, userId: person.userId })) ? { status: 'ok' } : NOT_FOUND;
    },
    async test({ scope, person }, { deviceId }) {
      const device = await store.byId(scope, deviceId);
      if (device?.userId !== person.userId) return NOT_FOUND;
      await countWithin(scope, TESTS, person.userId);
      await pushes.send(scope, { devices: [device], reason: 'delivery.test-requested', about: { kind: 'test' } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof deviceOperations>;
}

const hashOf = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest();
