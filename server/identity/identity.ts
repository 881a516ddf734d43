import type { FastifyInstance } from 'fastify';
import type { PublicConfig } from '#contract/identity.ts';
import type { Doorkeeper } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Transaction } from '../kernel/database.ts';
import { addDiscovery } from './discovery.ts';
import { createDoorkeeper, type ReadPerson } from './doorkeeper.ts';
import { emailTaken } from './errors.ts';
import { openKeys } from './keys.ts';
import { checkNewPassword, openPasswords } from './passwords.ts';
import { ENDPOINT, openPool } from './pool.ts';
import { openSeal } from './secret.ts';
import { openTokens } from './tokens.ts';
import { startUpkeep } from './upkeep.ts';
import * as users from './user-store.ts';
import { addWire } from './wire.ts';

/** Somebody who is to sign in. */
export interface NewUser {
  /** A UUID. */
  readonly sub: string;
  readonly email: string;
  readonly password: string;
}

/** The embedded user pool: signs people in as Amazon Cognito does, without it. */
export interface Identity {
  addRoutes(http: FastifyInstance): void;
  readonly doorkeeper: Doorkeeper;
  /** What a page needs to sign in. The endpoint is a path of this site. */
  readonly config: PublicConfig['identity'] & { readonly userPoolEndpoint: string };
  /**
   * Makes a person who can sign in at once, in the caller's transaction. Throws `UsernameExistsException` when the
   * address is taken, `InvalidPasswordException` when the password does not fit the policy.
   */
  signUp(db: Transaction, user: NewUser): Promise<void>;
  stop(): void;
}

interface IdentityOptions {
  readonly person: ReadPerson;
}

export async function openIdentity(
  kernel: Pick<Kernel, 'config' | 'database' | 'log' | 'now' | 'random'>,
  { person }: IdentityOptions,
): Promise<Identity> {
  const { config, database, now } = kernel;
  const pool = await openPool(kernel);
  const keys = await openKeys({ kernel, seal: await openSeal(config) });
  const tokens = openTokens({ keys, pool, now });
  const passwords = await openPasswords();
  return {
    addRoutes(http) {
      addWire(http, { database, now, pool, tokens, passwords });
      addDiscovery(http, { pool, keys });
    },
    doorkeeper: createDoorkeeper({ tokens, person, now }),
    config: { userPoolId: pool.id, userPoolClientId: pool.clientId, userPoolEndpoint: ENDPOINT },
    async signUp(db, { sub, email, password }) {
      checkNewPassword(password);
      const at = new Date(now());
      const row = { sub, email: email.toLowerCase(), emailVerified: true, password: await passwords.hash(password) };
      if (!(await users.insert(db, { ...row, status: 'CONFIRMED', created: at, modified: at }))) throw emailTaken();
    },
    stop: startUpkeep(kernel),
  };
}
