import type { Transaction } from '../../../platform/database/database.ts';
import type { Dependencies, RequestContext } from '../dependencies.ts';
import {
  commitOutcome,
  noChallenge,
  noSuchDevice,
  notConfirmed,
  PoolError,
  resetRequired,
  userDisabled,
  wrongPassword,
} from '../errors.ts';
import * as throttle from '../limits/throttle.ts';
import { challenge, codeRefusal, tryChallenge } from '../second-factor/second-factor.ts';
import * as secondFactor from '../second-factor/second-factor-store.ts';
import { isWeak } from '../secrets/passwords.ts';
import * as users from '../users/users-store.ts';
import * as devices from './devices-store.ts';
import { type Authenticated, openSession } from './sessions.ts';

/** An address with a password, as somebody typed them. */
interface PasswordAttempt {
  readonly email: string;
  readonly password: string;
  /** What the browser says its device is; it may say anything. */
  readonly deviceKey: string | undefined;
}

/** A right password leads to a session, or to the question for the second factor, which has this name. */
type SignInOutcome = Authenticated | { readonly challenge: string };

interface Candidate {
  readonly user: users.PoolUserRow;
  readonly isKnownDevice: boolean;
}

/** Signs in by address and password. The password is checked first: only its owner learns how an account stands. */
export async function signIn(dependencies: Dependencies, sent: PasswordAttempt, context: RequestContext): Promise<SignInOutcome> {
  const { passwords, now } = dependencies;
  const { candidate, counted } = await countAttempt(dependencies, sent, context);
  const isRight = await orUndoGuess(dependencies, counted, () => passwords.isRight(sent.password, candidate?.user.password));
  if (!candidate || !isRight) {
    context.log.info('a sign-in was refused');
    throw wrongPassword();
  }
  const stronger = isWeak(candidate.user.password) ? await passwords.hash(sent.password).catch(() => undefined) : undefined;
  const outcome = await commitOutcome(dependencies, async (db) => {
    await throttle.clearGuesses(db, counted, now());
    if (stronger) await users.rehash(db, candidate.user, stronger);
    return openOrChallenge(db, dependencies, { candidate, deviceKey: sent.deviceKey, address: context.address });
  });
  if (!('challenge' in outcome)) context.log.info({ sub: candidate.user.sub }, 'somebody signed in');
  return outcome;
}

/** Finds the person that the address belongs to, and counts the guess before it is tried. */
function countAttempt({ database, now }: Dependencies, sent: PasswordAttempt, { address, idempotencyKey }: RequestContext) {
  const { email } = sent;
  const deviceKey = devices.isKey(sent.deviceKey) ? sent.deviceKey : undefined;
  return database.transaction({}, async (db) => {
    const candidate: Candidate | undefined = await users.byEmail(db, email, deviceKey);
    const device = candidate?.isKnownDevice ? deviceKey : undefined;
    const counted = await throttle.countGuess(db, { kind: 'password', email, address, device, idempotencyKey }, now());
    return { candidate, counted };
  });
}

/** A password that could not be checked was no guess. */
async function orUndoGuess(
  { database, now }: Dependencies,
  counted: throttle.CountedGuess,
  check: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    await database.transaction({}, (db) => throttle.undoGuess(db, counted, now()));
    throw error;
  }
}

interface RightPassword {
  readonly candidate: Candidate;
  readonly deviceKey: string | undefined;
  readonly address: string;
}

/** Begins the session, or asks for the second factor, unless the account has changed meanwhile or may not sign in. */
async function openOrChallenge(
  db: Transaction,
  dependencies: Dependencies,
  { candidate, deviceKey, address }: RightPassword,
): Promise<SignInOutcome | PoolError> {
  const user = await users.lockWithCredential(db, candidate.user);
  if (!user) return wrongPassword();
  const refused = accountRefusal(user);
  if (refused) return refused;
  if (deviceKey !== undefined && !candidate.isKnownDevice) return noSuchDevice();
  if (await secondFactor.isEnabled(db, user.sub)) return { challenge: await challenge(db, { user, deviceKey, now: dependencies.now() }) };
  return openSession(db, dependencies, { user, deviceKey, address, twoFactor: false });
}

/** Why somebody with the right password may not sign in, if so. */
function accountRefusal({ enabled, status }: users.PoolUserRow): PoolError | undefined {
  if (status === 'RESET_REQUIRED') return resetRequired();
  if (status === 'UNCONFIRMED') return notConfirmed();
  return enabled ? undefined : userDisabled();
}

/** An answer to the question for the second factor. */
interface ChallengeAnswer {
  /** The name that the client has for the question. */
  readonly challenge: string;
  /** The address, or the person's id. */
  readonly username: string;
  readonly code: string;
}

/** The second half of a sign-in: takes a one-time password for the session. */
export async function answerChallenge(
  dependencies: Dependencies,
  answer: ChallengeAnswer,
  context: RequestContext,
): Promise<Authenticated> {
  const opened = await commitOutcome(dependencies, (db) => openIfAnswered(db, dependencies, { answer, context }));
  context.log.info({ sub: opened.user.sub }, 'somebody signed in with a second factor');
  return opened;
}

interface AnswerInContext {
  readonly answer: ChallengeAnswer;
  readonly context: RequestContext;
}

async function openIfAnswered(
  db: Transaction,
  dependencies: Dependencies,
  { answer, context }: AnswerInContext,
): Promise<Authenticated | PoolError> {
  const tried = await tryChallenge(db, answer.challenge, dependencies.now());
  if (tried instanceof PoolError) return tried;
  const { sub, credential, deviceKey } = tried;
  const user = await users.lockWithCredential(db, { sub, credential });
  if (!user || (answer.username !== user.email && answer.username !== sub)) return noChallenge();
  const refused = accountRefusal(user) ?? (await codeRefusal(db, dependencies, { sub, deviceKey, code: answer.code, context }));
  if (refused) return refused;
  await secondFactor.removeChallenge(db, tried.session);
  // Whoever has the second factor needs no reset of it.
  await dependencies.resets.withdraw(db, sub);
  // The device may have been forgotten meanwhile; then this is a new one.
  const known = deviceKey !== null && (await devices.byKey(db, { sub, key: deviceKey })) ? deviceKey : undefined;
  return openSession(db, dependencies, { user, deviceKey: known, address: context.address, twoFactor: true });
}
