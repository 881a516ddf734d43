import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { REGION } from '#contract/identity.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { Call, Desk } from '../action.ts';
import { newDevice } from '../device.ts';
import * as devices from '../device-store.ts';
import { noSuchDevice, notAuthorized, notConfirmed, PoolError, resetRequired, wrongPassword } from '../errors.ts';
import { isWeak } from '../passwords.ts';
import * as sessions from '../sessions.ts';
import * as throttle from '../throttle.ts';
import type { User } from '../user-store.ts';
import * as users from '../user-store.ts';
import { DEVICE_KEY, password, username } from '../validation.ts';
import { authenticationResult } from './authentication-result.ts';

export const passwordParameters = v.object({
  USERNAME: username,
  PASSWORD: password,
  /** One that does not look like a key is as unknown as one that does. */
  DEVICE_KEY: v.optional(v.string()),
});

type Parameters = v.InferOutput<typeof passwordParameters>;

/** Signs in by address and password. The password is judged first: what an account is like is told to its owner only. */
export async function signIn(desk: Desk, sent: Parameters, call: Call): Promise<object> {
  const { found, counted } = await lookUp(desk, sent, call);
  const isRight = await tryPassword(desk, counted, () => desk.passwords.isRight(sent.PASSWORD, found?.user.password));
  if (!found || !isRight) {
    call.log.info('a sign-in was refused');
    throw wrongPassword();
  }
  const stronger = isWeak(found.user.password) ? await desk.passwords.hash(sent.PASSWORD).catch(() => undefined) : undefined;
  const opened = await desk.database.transaction({}, async (db) => {
    await throttle.forgive(db, counted, desk.now());
    if (stronger) await users.rehash(db, found.user, stronger);
    return open(db, { desk, found, deviceKey: sent.DEVICE_KEY, address: call.address });
  });
  if (opened instanceof PoolError) throw opened;
  call.log.info({ sub: found.user.sub }, 'somebody signed in');
  return authenticationResult(desk, opened);
}

interface Found {
  readonly user: User;
  readonly isKnownDevice: boolean;
}

/** Who it may be, and the guess counted. */
function lookUp({ database, now }: Desk, { USERNAME: email, DEVICE_KEY: sentKey = '' }: Parameters, { address, digest }: Call) {
  const deviceKey = DEVICE_KEY.test(sentKey) ? sentKey : undefined;
  return database.transaction({}, async (db) => {
    const found: Found | undefined = await users.byEmail(db, email, deviceKey);
    const device = found?.isKnownDevice ? deviceKey : undefined;
    const counted = await throttle.count(db, { email, address, device, call: digest }, now());
    return { found, counted };
  });
}

/** A password that could not be tried was no guess. */
async function tryPassword({ database, now }: Desk, counted: throttle.Counted, isRight: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isRight();
  } catch (error) {
    await database.transaction({}, (db) => throttle.takeBack(db, counted, now()));
    throw error;
  }
}

interface Opening {
  readonly desk: Desk;
  readonly found: Found;
  readonly deviceKey: string | undefined;
  readonly address: string;
}

/** Begins the session, unless the account has changed meanwhile or is not fit for it. */
async function open(db: Transaction, { desk, found, deviceKey, address }: Opening) {
  const user = await users.heldWithCredential(db, found.user);
  const no = user ? unfit(user) : wrongPassword();
  if (!user || no) return no ?? wrongPassword();
  if (deviceKey !== undefined && !found.isKnownDevice) return noSuchDevice();
  const now = desk.now();
  const key = deviceKey ?? `${REGION}_${randomUUID()}`;
  if (deviceKey !== undefined) await devices.update(db, { sub: user.sub, key }, { lastSignIn: new Date(now) });
  const { session, refreshToken } = await sessions.open(db, { sub: user.sub, deviceKey: key, address, twoFactor: false, now });
  return { user, session, refreshToken, newDevice: deviceKey === undefined ? newDevice(key) : undefined };
}

function unfit({ enabled, status }: User): PoolError | undefined {
  if (status === 'RESET_REQUIRED') return resetRequired();
  if (status === 'UNCONFIRMED') return notConfirmed();
  return enabled ? undefined : notAuthorized('User is disabled.');
}
