import * as v from 'valibot';
import type { Transaction } from '../../kernel/database.ts';
import { type Dependencies, decided, type RequestContext } from '../protocol/action.ts';
import { authenticationResult } from '../protocol/authentication-result.ts';
import { DEVICE_KEY, password, username } from '../protocol/validation.ts';
import { challenge } from './challenges.ts';
import { noSuchDevice, wrongPassword } from './errors.ts';
import { openSession, unfit } from './open-session.ts';
import { isWeak } from './passwords.ts';
import * as totps from './second-factor-store.ts';
import * as throttle from './throttle.ts';
import type { UserRow } from './users-store.ts';
import * as users from './users-store.ts';

export const passwordParameters = v.object({
  USERNAME: username,
  PASSWORD: password,
  /** One that does not look like a key is as unknown as one that does. */
  DEVICE_KEY: v.optional(v.string()),
});

type Parameters = v.InferOutput<typeof passwordParameters>;

/** Signs in by address and password. The password is judged first: what an account is like is told to its owner only. */
export async function signIn(dependencies: Dependencies, sent: Parameters, context: RequestContext): Promise<object> {
  const { found, counted } = await lookUp(dependencies, sent, context);
  const isRight = await tryPassword(dependencies, counted, () => dependencies.passwords.isRight(sent.PASSWORD, found?.user.password));
  if (!found || !isRight) {
    context.log.info('a sign-in was refused');
    throw wrongPassword();
  }
  const stronger = isWeak(found.user.password) ? await dependencies.passwords.hash(sent.PASSWORD).catch(() => undefined) : undefined;
  const outcome = await decided(dependencies, async (db) => {
    await throttle.clearGuesses(db, counted, dependencies.now());
    if (stronger) await users.rehash(db, found.user, stronger);
    return comeIn(db, { dependencies, found, deviceKey: sent.DEVICE_KEY, address: context.address });
  });
  if ('ChallengeName' in outcome) return outcome;
  context.log.info({ sub: found.user.sub }, 'somebody signed in');
  return authenticationResult(dependencies, outcome);
}

interface Found {
  readonly user: UserRow;
  readonly isKnownDevice: boolean;
}

/** Who it may be, and the guess counted. */
function lookUp(
  { database, now }: Dependencies,
  { USERNAME: email, DEVICE_KEY: sentKey = '' }: Parameters,
  { address, idempotencyKey }: RequestContext,
) {
  const deviceKey = DEVICE_KEY.test(sentKey) ? sentKey : undefined;
  return database.transaction({}, async (db) => {
    const found: Found | undefined = await users.byEmail(db, email, deviceKey);
    const device = found?.isKnownDevice ? deviceKey : undefined;
    const counted = await throttle.countGuess(db, { kind: 'password', email, address, device, idempotencyKey }, now());
    return { found, counted };
  });
}

/** A password that could not be tried was no guess. */
async function tryPassword(
  { database, now }: Dependencies,
  counted: throttle.CountedGuess,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await isRight();
  } catch (error) {
    await database.transaction({}, (db) => throttle.undoGuess(db, counted, now()));
    throw error;
  }
}

interface Coming {
  readonly dependencies: Dependencies;
  readonly found: Found;
  readonly deviceKey: string | undefined;
  readonly address: string;
}

/** Begins the session, or asks for the second factor, unless the account has changed meanwhile or is not fit for it. */
async function comeIn(db: Transaction, { dependencies, found, deviceKey, address }: Coming) {
  const user = await users.lockWithCredential(db, found.user);
  const no = user ? unfit(user) : wrongPassword();
  if (!user || no) return no ?? wrongPassword();
  if (deviceKey !== undefined && !found.isKnownDevice) return noSuchDevice();
  if (await totps.isEnabled(db, user.sub)) return challenge(db, { user, deviceKey, now: dependencies.now() });
  return openSession(db, { dependencies, user, deviceKey, address, twoFactor: false });
}
