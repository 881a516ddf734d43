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
import type { Accepted, Identity, IdentityOptions, IdentityPlatform, InvitationAnswer, NewUser, SignedUp, UserPool } from '../port.ts';
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
 * Amazon Cognito in place of the product's own pool, by the same port. The database keeps a row for each person, with
 * no password in it: who was made by this product, and since when their sessions are over. Cognito does not know the
 * caller's transaction, so what it was asked for may outlive one that fails; whoever tries again finds it mended.
 */
export function openGateway(platform: IdentityPlatform, { cognito, directory, sendMail }: GatewayOptions): Identity {
  const { config, log, now } = platform;
  const client = openCognitoClient({ cognito, log });
  const keys = openKeys({ cognito, log });
  const mails = openPoolMails(sendMail, config.publicUrl);
  const holders = openHolders({ platform, client, directory, mails });
  return {
    ...openUsers({ client, mails, now }),
    // The browser talks to Cognito itself.
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
      // Cognito knows nobody who was only invited.
      if (!(await users.lockById(db, sub))) return;
      await users.remove(db, sub);
      await client.remove(sub);
    },
    // Cognito knows no backup codes.
    secondFactor: async (_db, sub) => ({ isOn: await client.hasApp(sub), backupCodes: null }),
    makeBackupCodes: async () => undefined,
    async resetSecondFactor(db, sub) {
      if (!(await client.hasApp(sub))) return false;
      await client.turnAppOff(sub);
      await endSessions(db, sub);
      return true;
    },
    // Amazon Cognito changes passwords itself, and tells nobody.
    lock: async () => false,
    resets: openFactorResets(gateway),
    // Cognito tells nobody which sessions there are, and ends them all together.
    endSession: async () => false,
    sessions: async () => [],
  };

  async function endSessions(db: Transaction, sub: string): Promise<void> {
    await users.update(db, sub, { endedBefore: new Date(now()) });
    await publishSignedOut(db, userId(sub));
    await client.signOut(sub);
  }
}

async function signUp(db: Transaction, gateway: Gateway, { sub, name, password, confirmed, ...sent }: NewUser): Promise<SignedUp> {
  const { client, mails, now } = gateway;
  const email = sent.email.toLowerCase();
  requireStrong(password, [email, name]);
  await users.lockAddress(db, email);
  const replaced = await replaceWaiting(db, gateway, email);
  const made = await makeInCognito(db, gateway, { user: { email, name, password }, make: confirmed ? client.create : client.signUp });
  if (made === undefined) {
    if (await isWithinLimit(db, { what: 'AddressTaken', who: email }, now()))
      await mails.send(db, {
        sub: await users.ownerBeside(db, email, sub),
        to: email,
        mail: 'address-taken',
        props: { link: pageLink(mails.site) },
      });
    return { taken: true, sub };
  }
  await insert(db, gateway, { sub: made, email, name, confirmed });
  return { taken: false, sub: made, replaced };
}

/** Forgets who waits for a code of this address; gives their id. Nobody waits who confirmed it at Cognito meanwhile. */
async function replaceWaiting(db: Transaction, { client }: Gateway, email: string): Promise<string | undefined> {
  const waiting = await users.lockWaiting(db, email);
  if (!waiting) return undefined;
  const status = await client.statusOf(waiting.sub);
  if (status !== undefined && status !== 'UNCONFIRMED') {
    await users.update(db, waiting.sub, { status: 'CONFIRMED', emailVerified: true });
    return undefined;
  }
  await client.remove(waiting.sub);
  await users.remove(db, waiting.sub);
  return waiting.sub;
}

/** The browser confirms at Cognito itself, so Cognito is asked until it says so. */
async function isConfirmed(db: Transaction, { client, now }: Gateway, sub: string): Promise<boolean> {
  const user = await users.byId(db, sub);
  // A day after its making an id says nothing of anybody.
  if (!user || user.created.getTime() + DAY < now()) return false;
  if (user.status !== 'UNCONFIRMED') return true;
  if ((await client.statusOf(sub)) !== 'CONFIRMED') return false;
  await users.update(db, sub, { status: 'CONFIRMED', emailVerified: true });
  return true;
}

async function accept(db: Transaction, gateway: Gateway, { key, password }: InvitationAnswer): Promise<Accepted | undefined> {
  const invitation = await invitationOf(db, key, gateway.now());
  if (!invitation) return undefined;
  const { sub: invited, email, name, acceptedAs } = invitation;
  if (acceptedAs !== null) return acceptAgain(db, gateway, { sub: acceptedAs, password });
  requireStrong(password, [email, name]);
  await users.lockAddress(db, email);
  const sub = await makeInCognito(db, gateway, { user: { email, name, password }, make: gateway.client.create });
  if (sub === undefined) return undefined;
  await insert(db, gateway, { sub, email, name, confirmed: true });
  await users.markAccepted(db, { sub: invited, acceptedAs: sub });
  return { email, joined: { invited, sub } };
}

/** The answer before may be lost: whoever has key and password gets it again. Cognito counts the guesses. */
async function acceptAgain(
  db: Transaction,
  { client }: Gateway,
  { sub, password }: { readonly sub: string; readonly password: string },
): Promise<Accepted | undefined> {
  const user = await users.byId(db, sub);
  if (!user?.enabled || !(await client.isPassword(user.email, password))) return undefined;
  return { email: user.email, joined: undefined };
}

interface NewCognitoUser {
  readonly user: CognitoUser;
  readonly make: (user: CognitoUser) => Promise<string | undefined>;
}

/**
 * Makes somebody in Cognito; undefined when the address is taken. A person there whom the product does not know, and who
 * never signed in, was left behind by a transaction that failed, and is removed first.
 */
async function makeInCognito(db: Transaction, { client }: Gateway, { user, make }: NewCognitoUser): Promise<string | undefined> {
  const made = await make(user);
  if (made !== undefined || (await users.lockByEmail(db, user.email))) return made;
  const status = await client.statusOf(user.email);
  if (status !== 'UNCONFIRMED' && status !== 'FORCE_CHANGE_PASSWORD') return undefined;
  await client.remove(user.email);
  return make(user);
}

/** Passwords are Cognito's. */
const NO_PASSWORD = '';

type KnownUser = Pick<NewUser, 'sub' | 'email' | 'name' | 'confirmed'>;

async function insert(db: Transaction, { now }: Gateway, { confirmed, ...row }: KnownUser): Promise<void> {
  const at = new Date(now());
  const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
  await users.insert(db, { ...row, status, emailVerified: confirmed, password: NO_PASSWORD, created: at, modified: at });
}
