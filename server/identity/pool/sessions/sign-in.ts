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
import { type AuthenticatedSession, openSession } from './sessions.ts';

/** An address and password as typed. */
interface PasswordAttempt {
  readonly email: string;
  readonly password: string;
  /** The device key sent by the browser; untrusted. */
  readonly deviceKey: string | undefined;
}

/** A session, or the id of a challenge for the second factor. */
type SignInOutcome = AuthenticatedSession | { readonly challenge: string };

interface Candidate {
  readonly user: users.PoolUserRow;
  readonly isKnownDevice: boolean;
}

/** Signs in by address and password. Checks the password first, so that only the owner learns the account's status. */
export async function signIn(dependencies: Dependencies, attempt: PasswordAttempt, context: RequestContext): Promise<SignInOutcome> {
  const { passwords, now } = dependencies;
  const { candidate, countedGuess } = await countAttempt(dependencies, attempt, context);
  const isRight = await orUndoGuess(dependencies, countedGuess, () => passwords.isRight(attempt.password, candidate?.user.password));
  if (!candidate || !isRight) {
    context.log.info('a sign-in was refused');
    throw wrongPassword();
  }
  const stronger = isWeak(candidate.user.password) ? await passwords.hash(attempt.password).catch(() => undefined) : undefined;
  const outcome = await commitOutcome(dependencies, async (db) => {
    await throttle.clearGuesses(db, countedGuess, now());
    if (stronger) await users.rehash(db, candidate.user, stronger);
    return openOrChallenge(db, dependencies, { candidate, deviceKey: attempt.deviceKey, address: context.address });
  });
  if (!('challenge' in outcome)) context.log.info({ sub: candidate.user.sub }, 'a person signed in');
  return outcome;
}

/** Finds the person with the address and counts the guess before it is checked. */
function countAttempt({ database, now }: Dependencies, attempt: PasswordAttempt, { address, idempotencyKey }: RequestContext) {
  const { email } = attempt;
  const deviceKey = devices.isKey(attempt.deviceKey) ? attempt.deviceKey : undefined;
  return database.transaction({}, async (db) => {
    const candidate: Candidate | undefined = await users.byEmail(db, email, deviceKey);
    const device = candidate?.isKnownDevice ? deviceKey : undefined;
    const countedGuess = await throttle.countGuess(db, { kind: 'password', email, address, device, idempotencyKey }, now());
    return { candidate, countedGuess };
  });
}

/** Reverts the count of a guess if the password couldn't be checked. */
async function orUndoGuess(
  { database, now }: Dependencies,
  countedGuess: throttle.CountedGuess,
  check: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    await database.transaction({}, (db) => throttle.undoGuess(db, countedGuess, now()));
    throw error;
  }
}

interface RightPassword {
  readonly candidate: Candidate;
  readonly deviceKey: string | undefined;
  readonly address: string;
}

/** Begins the session or asks for the second factor; returns a refusal if the account has changed since or may not sign in. */
async function openOrChallenge(
  db: Transaction,
  dependencies: Dependencies,
  { candidate, deviceKey, address }: RightPassword,
): Promise<SignInOutcome | PoolError> {
  const user = await users.lockWithCredential(db, candidate.user);
  if (!user) return wrongPassword();
  const refusal = accountRefusal(user);
  if (refusal) return refusal;
  if (deviceKey !== undefined && !candidate.isKnownDevice) return noSuchDevice();
  if (await secondFactor.isEnabled(db, user.sub)) return { challenge: await challenge(db, { user, deviceKey, now: dependencies.now() }) };
  return openSession(db, dependencies, { user, deviceKey, address, twoFactor: false });
}

/** Returns the refusal for an account that may not sign in, given the right password. */
function accountRefusal({ enabled, status }: users.PoolUserRow): PoolError | undefined {
  if (status === 'RESET_REQUIRED') return resetRequired();
  if (status === 'UNCONFIRMED') return notConfirmed();
  return enabled ? undefined : userDisabled();
}

interface ChallengeAnswer {
  /** The challenge's id. */
  readonly challenge: string;
  /** The address, or the person's id. */
  readonly username: string;
  readonly code: string;
}

/** Completes a sign-in with a second factor; throws a refusal for a wrong code. */
export async function answerChallenge(
  dependencies: Dependencies,
  answer: ChallengeAnswer,
  context: RequestContext,
): Promise<AuthenticatedSession> {
  const session = await commitOutcome(dependencies, (db) => openIfAnswered(db, dependencies, { answer, context }));
  context.log.info({ sub: session.user.sub }, 'a person signed in with a second factor');
  return session;
}

interface AnswerInContext {
  readonly answer: ChallengeAnswer;
  readonly context: RequestContext;
}

async function openIfAnswered(
  db: Transaction,
  dependencies: Dependencies,
  { answer, context }: AnswerInContext,
): Promise<AuthenticatedSession | PoolError> {
  const row = await tryChallenge(db, answer.challenge, dependencies.now());
  if (row instanceof PoolError) return row;
  const { sub, credential, deviceKey } = row;
  const user = await users.lockWithCredential(db, { sub, credential });
  if (!user || (answer.username !== user.email && answer.username !== sub)) return noChallenge();
  const refusal = accountRefusal(user) ?? (await codeRefusal(db, dependencies, { sub, deviceKey, code: answer.code, context }));
  if (refusal) return refusal;
  await secondFactor.removeChallenge(db, row.session);
  // The person has the second factor, so it no longer needs a reset.
  await dependencies.resets.withdraw(db, sub);
  // If the device was deleted since, the browser gets a new one.
  const existing = deviceKey !== null && (await devices.byKey(db, { sub, key: deviceKey })) ? deviceKey : undefined;
  return openSession(db, dependencies, { user, deviceKey: existing, address: context.address, twoFactor: true });
}
