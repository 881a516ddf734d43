import { randomUUID } from 'node:crypto';
import { REGION } from '#contract/identity.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { Dependencies } from '../protocol/action.ts';
import type { Authenticated } from '../protocol/authentication-result.ts';
import { newDevice } from './device.ts';
import * as devices from './devices-store.ts';
import { notAuthorized, notConfirmed, type PoolError, resetRequired } from './errors.ts';
import * as sessions from './sessions.ts';
import type { UserRow } from './users-store.ts';

interface Opening {
  readonly dependencies: Dependencies;
  readonly user: UserRow;
  /** One of theirs; undefined: the browser gets a name for itself. */
  readonly deviceKey: string | undefined;
  readonly address: string;
  readonly twoFactor: boolean;
}

/** Begins the session of somebody who has shown everything that is asked for. */
export async function openSession(db: Transaction, { dependencies, user, deviceKey, address, twoFactor }: Opening): Promise<Authenticated> {
  const now = dependencies.now();
  const key = deviceKey ?? `${REGION}_${randomUUID()}`;
  if (deviceKey !== undefined) await devices.update(db, { sub: user.sub, key }, { lastSignIn: new Date(now) });
  const { session, refreshToken } = await sessions.open(db, { sub: user.sub, deviceKey: key, address, twoFactor, now });
  const groups = await dependencies.operators.groupsOf(db, { user, session });
  return { user, session, groups, refreshToken, newDevice: deviceKey === undefined ? newDevice(key) : undefined };
}

/** Why somebody with the right password may not come in. */
export function unfit({ enabled, status }: UserRow): PoolError | undefined {
  if (status === 'RESET_REQUIRED') return resetRequired();
  if (status === 'UNCONFIRMED') return notConfirmed();
  return enabled ? undefined : notAuthorized('User is disabled.');
}
