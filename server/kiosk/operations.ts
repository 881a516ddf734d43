import { randomAlphanumeric } from '#contract/core/ids.ts';
import type { Input } from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import {
  CODE_ALPHABET,
  CODE_LENGTH,
  type Kiosk,
  type KioskChanges,
  type kioskOperations,
  PAIRING_LIFETIME,
} from '#contract/kiosk/kiosk.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as properties from '../property/store.ts';
import { addTool, renameTool } from '../tool/tool.ts';
import { pinHashOf, unpair } from './kiosk.ts';
import * as store from './store.ts';
import type { TabletActions } from './tablet.ts';

type NewKiosk = Extract<Input<typeof kioskOperations.save>['payload'], { id?: undefined }>['data'];

/** The team's operations on kiosks. */
export function openKiosk(platform: Pick<Platform, 'random'>) {
  return {
    async save({ scope }, { payload }) {
      const kiosk = payload.id === undefined ? await add(scope, payload.data) : await change(scope, payload.id, payload.data);
      return kiosk ? { status: 'ok', kiosk } : NOT_FOUND;
    },
    async list({ scope }, { propertyId }) {
      if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return NOT_FOUND;
      return { status: 'ok', kiosks: await store.all(scope, propertyId) };
    },
    async startPairing({ scope }, { kioskId }) {
      if (!(await store.byId(scope, kioskId))) return NOT_FOUND;
      const code = randomAlphanumeric(CODE_LENGTH, platform.random, CODE_ALPHABET);
      const until = scope.now.getTime() + PAIRING_LIFETIME;
      await store.change(scope, kioskId, { codeHash: sha256(code), codeUntil: new Date(until) });
      return { status: 'ok', code, until };
    },
    async revoke({ scope }, { kioskId }) {
      const stored = await store.byId(scope, kioskId);
      if (!stored) return NOT_FOUND;
      await unpair(scope, stored.kiosk);
      return { status: 'ok', kiosk: (await store.byId(scope, kioskId))?.kiosk ?? stored.kiosk };
    },
  } satisfies Omit<Handlers<typeof kioskOperations>, TabletActions>;

  async function add(
    scope: AccountScope,
    { propertyId, displayName, pin, hours, thanks, repeatWithin }: NewKiosk,
  ): Promise<Kiosk | undefined> {
    const tool = await addTool(platform, scope, { propertyId, displayName, toolType: 'kiosk' });
    if (!tool) return undefined;
    const { id } = tool;
    await store.insert(scope, { id, propertyId, hours, thanks: thanks || null, repeatWithin, pinHash: pinHashOf(id, pin) });
    await record(scope, 'kiosk.created', { subject: id, data: { propertyId } });
    return (await store.byId(scope, id))?.kiosk;
  }
}

async function change(
  scope: AccountScope,
  id: string,
  { displayName, pin, thanks, hours, repeatWithin }: KioskChanges,
): Promise<Kiosk | undefined> {
  const before = await store.byId(scope, id);
  if (!before) return undefined;
  if (displayName !== undefined) await renameTool(scope, id, displayName);
  const changes = {
    ...(hours && { hours }),
    ...(repeatWithin !== undefined && { repeatWithin }),
    ...(pin !== undefined && { pinHash: pinHashOf(id, pin) }),
    ...(thanks !== undefined && { thanks: thanks || null }),
  };
  if (Object.keys(changes).length > 0) {
    await store.change(scope, id, changes);
    await record(scope, 'kiosk.changed', { subject: id, data: { propertyId: before.kiosk.gs1sk } });
  }
  return (await store.byId(scope, id))?.kiosk;
}
