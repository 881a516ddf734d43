import * as v from 'valibot';
import type { Transaction } from '../../kernel/database.ts';
import { action, type Dependencies, decided, type RequestContext } from '../protocol/action.ts';
import { authenticationResult } from '../protocol/authentication-result.ts';
import { challengeSession, clientId, softwareTokenCode, username, validatedParameters } from '../protocol/validation.ts';
import { hashOf } from './challenges.ts';
import * as challenges from './challenges-store.ts';
import * as devices from './devices-store.ts';
import { expiredChallenge, invalidParameter, noChallenge, PoolError, usedSecondFactor, wrongSecondFactor } from './errors.ts';
import { openSession, unfit } from './open-session.ts';
import { requireClient } from './pool.ts';
import * as totps from './second-factor-store.ts';
import * as throttle from './throttle.ts';
import * as users from './users-store.ts';

const MOST_TRIES = 3;

const input = v.object({
  ChallengeName: v.string(),
  ClientId: clientId,
  Session: challengeSession,
  ChallengeResponses: v.optional(v.record(v.string(), v.string()), {}),
});

const responses = v.object({ USERNAME: username, SOFTWARE_TOKEN_MFA_CODE: softwareTokenCode });

interface Answer {
  readonly session: Buffer;
  readonly email: string;
  readonly code: string;
}

/** The second half of a sign-in. The client keeps the name of the challenge after a wrong code, so it lives on for three. */
export const respondToAuthChallenge = action(
  input,
  async (dependencies, { ChallengeName, ClientId, Session, ChallengeResponses }, context) => {
    requireClient(dependencies.names, ClientId);
    if (ChallengeName !== 'SOFTWARE_TOKEN_MFA') throw invalidParameter(`${ChallengeName.slice(0, 64)} is not served here.`);
    const { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE: code } = validatedParameters(responses, ChallengeResponses);
    const opened = await decided(dependencies, (db) =>
      answer(db, { dependencies, context, sent: { session: hashOf(Session), email, code } }),
    );
    context.log.info({ sub: opened.user.sub }, 'somebody signed in with a second factor');
    return authenticationResult(dependencies, opened);
  },
  { isReplayed: true },
);

interface Answering {
  readonly dependencies: Dependencies;
  readonly context: RequestContext;
  readonly sent: Answer;
}

async function answer(db: Transaction, { dependencies, context, sent }: Answering) {
  const challenge = await challenges.count(db, sent.session);
  if (!challenge || challenge.tries > MOST_TRIES) return noChallenge();
  const { sub, credential, deviceKey } = challenge;
  if (challenge.expires.getTime() <= dependencies.now()) return expiredChallenge();
  const user = await users.lockWithCredential(db, { sub, credential });
  if (!user || (sent.email !== user.email && sent.email !== sub)) return noChallenge();
  const no = unfit(user) ?? (await judge(db, { dependencies, context, user, code: sent.code, deviceKey }));
  if (no) return no;
  await challenges.remove(db, sent.session);
  // The device may have been forgotten meanwhile; then this is a new one.
  const known = deviceKey !== null && (await devices.byKey(db, { sub, key: deviceKey })) ? deviceKey : undefined;
  return openSession(db, { dependencies, user, deviceKey: known, address: context.address, twoFactor: true });
}

interface Judging {
  readonly dependencies: Dependencies;
  readonly context: RequestContext;
  readonly user: users.UserRow;
  readonly code: string;
  readonly deviceKey: string | null;
}

/** Why the one-time password does not do, if so. Whoever has the password could ask for challenges without end, so tries are throttled beyond each. */
async function judge(db: Transaction, { dependencies, context, user, code, deviceKey }: Judging): Promise<PoolError | undefined> {
  const row = await totps.lockBySub(db, user.sub);
  if (!row?.enabled) return noChallenge();
  const guess = {
    kind: 'code',
    email: user.sub,
    address: context.address,
    device: deviceKey ?? undefined,
    idempotencyKey: context.idempotencyKey,
  } as const;
  const counted = await throttle.countGuess(db, guess, dependencies.now()).catch(asRefusal);
  if (counted instanceof PoolError) return counted;
  const checked = await dependencies.totps.check(db, row, code);
  if (checked === 'used') return usedSecondFactor();
  if (checked === 'wrong') return wrongSecondFactor();
  await throttle.clearGuesses(db, counted, dependencies.now());
  return undefined;
}

/** A lock is no reason to forget the try. */
function asRefusal(error: unknown): PoolError {
  if (error instanceof PoolError) return error;
  throw error;
}
