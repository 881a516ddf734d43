import { randomAlphanumeric } from '#contract/core/ids.ts';
import { REGION, type RecordedEnd } from '#contract/identity/identity.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Authenticator } from '../../platform/tenancy/access.ts';
import type { IdentityOptions, IdentityPlatform, UserPool } from '../port.ts';
import type { Dependencies } from './dependencies.ts';
import { lock } from './limits/locks.ts';
import { openPoolMails } from './mails.ts';
import { openOperators } from './operators.ts';
import * as store from './pool-store.ts';
import { openBackupCodes } from './second-factor/backup-codes.ts';
import { openFactorResets } from './second-factor/factor-resets.ts';
import { openTotps } from './second-factor/one-time-passwords.ts';
import { secondFactorOf } from './second-factor/second-factor.ts';
import * as secondFactor from './second-factor/second-factor-store.ts';
import { openCodes } from './secrets/codes.ts';
import { openPasswords } from './secrets/passwords.ts';
import { sealWith } from './secrets/seal.ts';
import { openAuthenticator } from './sessions/authenticator.ts';
import { listSessions } from './sessions/sessions.ts';
import { revokeAll, revokeOne } from './sessions/sessions-store.ts';
import { openSigningKeys } from './sessions/signing-keys.ts';
import { openTokens, type PoolNames } from './sessions/tokens.ts';
import { accept, invite, inviteeOf, isKnown } from './users/invitations.ts';
import { sendResetCode } from './users/password-change.ts';
import { isConfirmed, sendSignUpCode, signUp } from './users/sign-up.ts';
import * as users from './users/users-store.ts';

/** The path of the pool's protocol. */
export const ENDPOINT = '/api/identity';

/** The product's own user pool. */
interface OwnPool {
  readonly dependencies: Dependencies;
  readonly authenticator: Authenticator;
  readonly users: UserPool;
  readonly isPassword: (email: string, password: string) => Promise<boolean>;
}

export async function openPool(platform: IdentityPlatform, { directory, sendMail }: IdentityOptions): Promise<OwnPool> {
  const { config, secret, database, log, now } = platform;
  const seal = sealWith(secret);
  const names = await openNames(platform);
  const keys = await openSigningKeys({ platform, seal });
  const dependencies: Dependencies = {
    database,
    now,
    names,
    keys,
    tokens: openTokens({ keys, names, now }),
    passwords: await openPasswords(log),
    codes: openCodes({ seal, now }),
    totps: openTotps({ seal, now }),
    backupCodes: openBackupCodes({ seal, now }),
    resets: openFactorResets({ now }),
    operators: openOperators({ config, database, now }),
    mails: openPoolMails(sendMail, config.publicUrl),
    directory,
  };
  return {
    dependencies,
    authenticator: openAuthenticator(dependencies),
    users: openUsers(dependencies),
    async isPassword(email, password) {
      const row = await database.transaction({}, (db) => users.byEmail(db, email, undefined));
      return dependencies.passwords.isRight(password, row?.user.password);
    },
  };
}

const ID_SUFFIX = 9;
const CLIENT_ID = 26;

/** Returns the names of this database's pool, which the first process creates. */
async function openNames({ config, database, now, random }: IdentityPlatform): Promise<PoolNames> {
  const row = {
    id: `${REGION}_${randomAlphanumeric(ID_SUFFIX, random)}`,
    clientId: randomAlphanumeric(CLIENT_ID, random).toLowerCase(),
    created: new Date(now()),
  };
  const { id, clientId } = await database.transaction({}, (db) => store.names(db, row));
  return { id, clientId, issuer: `${config.publicUrl}${ENDPOINT}/${id}` };
}

function openUsers(dependencies: Dependencies): UserPool {
  const { now } = dependencies;
  return {
    signUp: (db, person) => signUp(db, dependencies, person),
    isConfirmed: (db, sub) => isConfirmed(db, dependencies, sub),
    invite: (db, invited) => invite(db, invited, now()),
    isKnown: (db, email) => isKnown(db, email, now()),
    invitation: (db, key) => inviteeOf(db, key, now()),
    accept: (db, answer) => accept(db, dependencies, answer),
    find: async (db, email) => (await users.lockByEmail(db, email.toLowerCase()))?.sub,
    async mailPasswordReset(db, typed) {
      const email = typed.toLowerCase();
      if (!(await users.lockByEmail(db, email))?.enabled) return false;
      await sendResetCode(db, dependencies, email);
      return true;
    },
    async resend(db, sub) {
      const user = await users.lockById(db, sub);
      if (user) await sendSignUpCode(db, dependencies, { user, slot: sub });
    },
    lock: (db, key) => lock(db, dependencies, key),
    async disable(db, sub) {
      await users.update(db, sub, { enabled: false, modified: new Date(now()) });
      await endSessions(db, sub, null);
    },
    async remove(db, sub) {
      await users.remove(db, sub);
      await users.removeInvitation(db, sub);
    },
    endSession: (db, { sub, id }) => revokeOne(db, { sub, family: id, revoked: new Date(now()) }),
    secondFactor: (db, sub) => secondFactorOf(db, sub),
    makeBackupCodes: async (db, sub) => ((await secondFactor.isEnabled(db, sub)) ? dependencies.backupCodes.make(db, sub) : undefined),
    async resetSecondFactor(db, sub) {
      if (!(await secondFactor.isEnabled(db, sub))) return false;
      await secondFactor.removeTotp(db, sub);
      await endSessions(db, sub, 'second-factor-reset');
      return true;
    },
    resets: dependencies.resets,
    sessions: (db, asked) => listSessions(db, asked, now()),
  };

  function endSessions(db: Transaction, sub: string, endedBy: RecordedEnd | null): Promise<void> {
    return revokeAll(db, { sub, revoked: new Date(now()), endedBy });
  }
}
