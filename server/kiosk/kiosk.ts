import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import { record } from '../event/store.ts';
import { sha256 } from '../platform/sha256.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Ends the access of a kiosk's tablet, if it has one. */
export async function unpair(scope: AccountScope, { id, gs1sk: propertyId }: Kiosk): Promise<void> {
  if (await store.unpair(scope, id)) await record(scope, 'kiosk.revoked', { subject: id, data: { propertyId } });
}

/** Returns the hash of a PIN, which the tablet computes too. It keeps a PIN from being read at a glance; so few digits can be guessed. */
export const pinHashOf = (kioskId: string, pin: string): Buffer => sha256(`${kioskId} ${pin}`);
