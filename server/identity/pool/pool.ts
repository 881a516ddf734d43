import type { FastifyBaseLogger } from 'fastify';
import { REGION } from '#contract/identity.ts';
import { randomAlphanumeric } from '#contract/ids.ts';
import type { Authenticator } from '../../kernel/access.ts';
import type { Kernel } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { Directory, IdentityKernel, IdentityOptions, UserPool } from '../port.ts';
import { openAuthenticator } from './authenticator.ts';
import { type Codes, openCodes } from './codes.ts';
import { accept, invite } from './invitations.ts';
import { openPoolMails, type PoolMails } from './mails.ts';
import { type Operators, openOperators } from './operators.ts';
import { openPasswords, type Passwords } from './passwords.ts';
import * as store from './pool-store.ts';
import { openSeal } from './seal.ts';
import { openTotps, type Totps } from './second-factor.ts';
import { listSessions } from './sessions.ts';
import { revokeAll, revokeOne } from './sessions-store.ts';
import { sendSignUpCode, signUp } from './sign-up.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';
import { openTokens, type Tokens } from './tokens.ts';
import * as users from './users-store.ts';

/** Where the pool's protocol is served. */
export const ENDPOINT = '/api/identity';

/** What clients and tokens call the pool. Public names, the same in every process and after every start. */
export interface PoolNames {
  readonly id: string;
  readonly clientId: string;
  /** The issuer that tokens name. */
  readonly issuer: string;
}

/** What the pool's functions work with, handed down by hand. */
export interface Dependencies extends Pick<Kernel, 'database' | 'now'> {
  readonly names: PoolNames;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly totps: Totps;
  readonly operators: Operators;
  readonly mails: PoolMails;
  readonly directory: Directory;
}

/** Where a call comes from. */
export interface RequestContext {
  /** The caller's network address. */
  readonly address: string;
  /** The same for a call and its repetitions, different for everything else; undefined where the client does not number its calls. */
  readonly idempotencyKey: Buffer | undefined;
  readonly log: FastifyBaseLogger;
}

/** The product's own user pool, open: for the protocol, the dispatcher and the product. */
interface OwnPool {
  readonly dependencies: Dependencies;
  readonly authenticator: Authenticator;
  readonly users: UserPool;
}

export async function openPool(kernel: IdentityKernel, { directory, sendMail }: IdentityOptions): Promise<OwnPool> {
  const { config, database, now } = kernel;
  const seal = await openSeal(config);
  const names = await openNames(kernel);
  const keys = await openSigningKeys({ kernel, seal });
  const dependencies: Dependencies = {
    database,
    now,
    names,
    keys,
    tokens: openTokens({ keys, names, now }),
    passwords: await openPasswords(),
    codes: openCodes({ seal, now }),
    totps: openTotps({ seal, now }),
    operators: openOperators({ config, database, now }),
    mails: openPoolMails(sendMail, config.publicUrl),
    directory,
  };
  return { dependencies, authenticator: openAuthenticator(dependencies), users: openUsers(dependencies) };
}

const ID_SUFFIX = 9;
const CLIENT_ID = 26;

/** The names of this database's pool; the first process makes them. */
async function openNames({ config, database, now, random }: IdentityKernel): Promise<PoolNames> {
  const made = {
    id: `${REGION}_${randomAlphanumeric(ID_SUFFIX, random)}`,
    clientId: randomAlphanumeric(CLIENT_ID, random).toLowerCase(),
    created: new Date(now()),
  };
  const { id, clientId } = await database.transaction({}, (db) => store.names(db, made));
  return { id, clientId, issuer: `${config.publicUrl}${ENDPOINT}/${id}` };
}

function openUsers(dependencies: Dependencies): UserPool {
  const { now } = dependencies;
  return {
    signUp: (db, person) => signUp(db, dependencies, person),
    invite: (db, invited) => invite(db, invited, now()),
    accept: (db, answer) => accept(db, dependencies, answer),
    async resend(db, sub) {
      const user = await users.lockById(db, sub);
      if (user) await sendSignUpCode(db, dependencies, user.email);
    },
    async disable(db, sub) {
      await users.update(db, sub, { enabled: false, modified: new Date(now()) });
      await endSessions(db, sub);
    },
    async remove(db, sub) {
      await users.remove(db, sub);
      await users.removeInvitation(db, sub);
    },
    endSessions,
    endSession: (db, { sub, id }) => revokeOne(db, { sub, family: id, revoked: new Date(now()) }),
    sessions: (db, asked) => listSessions(db, asked, now()),
  };

  function endSessions(db: Transaction, sub: string): Promise<void> {
    return revokeAll(db, { sub, revoked: new Date(now()) });
  }
}
