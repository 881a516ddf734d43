import { userId } from '#contract/core/ids.ts';
import { DAY } from '#contract/core/time.ts';
import { pageLink } from '#contract/mail/mail.ts';
import { publishSignedOut } from '../../event/feed.ts';
import type { CognitoConfig } from '../../platform/config/config.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isWithinLimit } from '../pool/limits/throttle.ts';
import { openPoolMails, type PoolMails } from '../pool/mails.ts';
import { openFactorResets } from '../pool/second-factor/factor-resets.ts';
import { requireStrong } from '../pool/secrets/password-policy.ts';
import { openUpkeep } from '../pool/upkeep.ts';
import { invitationOf, invite, inviteeOf, isKnown } from '../pool/users/invitations.ts';
import * as users from '../pool/users/users-store.ts';
import type {
  AcceptedInvitation,
  Identity,
  IdentityOptions,
  IdentityPlatform,
  InvitationAnswer,
  NewUser,
  SignUpResult,
  UserPool,
} from '../port.ts';
import { openCognitoAuthenticator } from './authenticator.ts';
import { type CognitoClient, type CognitoUser, openCognitoClient } from './client.ts';
import { openHolders } from './holders.ts';
import { endpointOf, openKeys } from './keys.ts';

interface GatewayOptions extends IdentityOptions {
  readonly cognito: CognitoConfig;
}

interface Gateway {
  readonly client: CognitoClient;
  readonly mails: PoolMails;
  readonly now: () => number;
}

/**
 * Opens Amazon Cognito in place of the product's own pool. The database has a row without a password for each person the
 * product created, with the time their sessions were last ended. Cognito is not part of the caller's transaction, so its changes
 * may outlive a failed one; the next attempt repairs them.
 */
export function openGateway(platform: IdentityPlatform, { cognito, directory, sendMail }: GatewayOptions): Identity {
  const { config, log, now } = platform;
  const client = openCognitoClient({ cognito, log });
  const keys = openKeys({ cognito, log });
  const mails = openPoolMails(sendMail, config.publicUrl);
  const holders = openHolders({ platform, client, directory, mails });
  return {
    ...openUsers({ client, mails, now }),
    // The browser talks to Cognito directly.
    addRoutes: () => undefined,
    authenticator: openCognitoAuthenticator({ cognito, keys, holders, findPerson: directory.findPerson, now }),
    config: {
      userPoolId: cognito.userPoolId,
      userPoolClientId: cognito.clientId,
      ...(cognito.endpoint !== undefined && { userPoolEndpoint: cognito.endpoint }),
      ...(cognito.domain !== undefined && { hostedDomain: cognito.domain }),
    },
    origins: [new URL(endpointOf(cognito)).origin, ...(cognito.domain === undefined ? [] : [`https://${cognito.domain}`])],
    reach: keys.reach,
    isPassword: async () => false,
    work: openUpkeep(platform),
    stop: () => client.stop(),
  };
}

function openUsers(gateway: Gateway): UserPool {
  const { client, now } = gateway;
  return {
    signUp: (db, person) => signUp(db, gateway, person),
    isConfirmed: (db, sub) => isConfirmed(db, gateway, sub),
    invite: (db, invited) => invite(db, invited, now()),
    isKnown: (db, email) => isKnown(db, email, now()),
    invitation: (db, key) => inviteeOf(db, key, now()),
    accept: (db, answer) => accept(db, gateway, answer),
    find: async (db, email) => (await users.lockByEmail(db, email.toLowerCase()))?.sub,
    async mailPasswordReset(db, email) {
      const user = await users.lockByEmail(db, email.toLowerCase());
      if (!user?.enabled) return false;
      await client.forgotPassword(user.email);
      return true;
    },
    async resend(db, sub) {
      const user = await users.lockById(db, sub);
      if (user) await client.resend(user.email);
    },
    async disable(db, sub) {
      await users.update(db, sub, { enabled: false, modified: new Date(now()) });
      await client.disable(sub);
      await endSessions(db, sub);
    },
    async remove(db, sub) {
      await users.removeInvitation(db, sub);
      // Cognito has no users who were only invited.
      if (!(await users.lockById(db, sub))) return;
      await users.remove(db, sub);
      await client.remove(sub);
    },
    // Cognito has no backup codes.
    secondFactor: async (_db, sub) => ({ isOn: await client.hasApp(sub), backupCodes: null }),
    makeBackupCodes: async () => undefined,
    async resetSecondFactor(db, sub) {
      if (!(await client.hasApp(sub))) return false;
      await client.turnAppOff(sub);
      await endSessions(db, sub);
      return true;
    },
    // Cognito changes passwords without notifying us.
    lock: async () => false,
    resets: openFactorResets(gateway),
    // Cognito doesn't list sessions, and can only end them all.
    endSession: async () => false,
    sessions: async () => [],
  };

  async function endSessions(db: Transaction, sub: string): Promise<void> {
    await users.update(db, sub, { endedBefore: new Date(now()) });
    await publishSignedOut(db, userId(sub));
    await client.signOut(sub);
  }
}

async function signUp(db: Transaction, gateway: Gateway, { sub, name, password, confirmed, ...sent }: NewUser): Promise<SignUpResult> {
  const { client, mails, now } = gateway;
  const email = sent.email.toLowerCase();
  requireStrong(password, [email, name]);
  await users.lockAddress(db, email);
  const replaced = await deleteUnconfirmed(db, gateway, email);
  const newSub = await createInCognito(db, gateway, { user: { email, name, password }, create: confirmed ? client.create : client.signUp });
  if (newSub === undefined) {
    if (await isWithinLimit(db, { kind: 'AddressTaken', subject: email }, now()))
      await mails.send(db, {
        sub: await users.ownerBeside(db, email, sub),
        to: email,
        mail: 'address-taken',
        props: { link: pageLink(mails.site) },
      });
    return { taken: true, sub };
  }
  await insert(db, gateway, { sub: newSub, email, name, confirmed });
  return { taken: false, sub: newSub, replaced };
}

/** Deletes an unconfirmed sign-up with this address and returns its id, unless it was confirmed in Cognito since. */
async function deleteUnconfirmed(db: Transaction, { client }: Gateway, email: string): Promise<string | undefined> {
  const unconfirmed = await users.lockUnconfirmed(db, email);
  if (!unconfirmed) return undefined;
  const status = await client.statusOf(unconfirmed.sub);
  if (status !== undefined && status !== 'UNCONFIRMED') {
    await users.update(db, unconfirmed.sub, { status: 'CONFIRMED', emailVerified: true });
    return undefined;
  }
  await client.remove(unconfirmed.sub);
  await users.remove(db, unconfirmed.sub);
  return unconfirmed.sub;
}

/** The browser confirms directly with Cognito, so this asks Cognito until the address is confirmed. */
async function isConfirmed(db: Transaction, { client, now }: Gateway, sub: string): Promise<boolean> {
  const user = await users.byId(db, sub);
  // A day after the sign-up, an id no longer reveals anything.
  if (!user || user.created.getTime() + DAY < now()) return false;
  if (user.status !== 'UNCONFIRMED') return true;
  if ((await client.statusOf(sub)) !== 'CONFIRMED') return false;
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true });
  return true;
}

async function accept(db: Transaction, gateway: Gateway, { key, password }: InvitationAnswer): Promise<AcceptedInvitation | undefined> {
  const invitation = await invitationOf(db, key, gateway.now());
  if (!invitation) return undefined;
  const { sub: invited, email, name, acceptedAs } = invitation;
  if (acceptedAs !== null) return acceptAgain(db, gateway, { sub: acceptedAs, password });
  requireStrong(password, [email, name]);
  await users.lockAddress(db, email);
  const sub = await createInCognito(db, gateway, { user: { email, name, password }, create: gateway.client.create });
  if (sub === undefined) return undefined;
  await insert(db, gateway, { sub, email, name, confirmed: true });
  await users.markAccepted(db, { sub: invited, acceptedAs: sub });
  return { email, joined: { invited, sub } };
}

/** Repeats the answer for a caller with key and password, because the first one may be lost. Cognito counts wrong guesses. */
async function acceptAgain(
  db: Transaction,
  { client }: Gateway,
  { sub, password }: { readonly sub: string; readonly password: string },
): Promise<AcceptedInvitation | undefined> {
  const user = await users.byId(db, sub);
  if (!user?.enabled || !(await client.isPassword(user.email, password))) return undefined;
  return { email: user.email, joined: undefined };
}

interface NewCognitoUser {
  readonly user: CognitoUser;
  readonly create: (user: CognitoUser) => Promise<string | undefined>;
}

/**
 * Creates a user in Cognito; returns undefined if the address is taken. First deletes a user whom the product doesn't have and
 * who never signed in: a failed transaction left them behind.
 */
async function createInCognito(db: Transaction, { client }: Gateway, { user, create }: NewCognitoUser): Promise<string | undefined> {
  const newSub = await create(user);
  if (newSub !== undefined || (await users.lockByEmail(db, user.email))) return newSub;
  const status = await client.statusOf(user.email);
  if (status !== 'UNCONFIRMED' && status !== 'FORCE_CHANGE_PASSWORD') return undefined;
  await client.remove(user.email);
  return create(user);
}

/** Cognito has the passwords. */
const NO_PASSWORD = '';

type KnownUser = Pick<NewUser, 'sub' | 'email' | 'name' | 'confirmed'>;

async function insert(db: Transaction, { now }: Gateway, { confirmed, ...row }: KnownUser): Promise<void> {
  const at = new Date(now());
  const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
  await users.insert(db, { ...row, status, emailVerified: confirmed, password: NO_PASSWORD, created: at, modified: at });
}
