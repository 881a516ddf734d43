import { pageLink } from '#contract/mail.ts';
import type { CognitoConfig } from '../../kernel/config.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { IdentityKernel, IdentityOptions } from '../identity.ts';
import { invite, openedBy } from '../pool/invitations.ts';
import * as invitations from '../pool/invitations-store.ts';
import { openPoolMails } from '../pool/mails.ts';
import { requireStrong } from '../pool/password-policy.ts';
import { isWithinLimit } from '../pool/throttle.ts';
import { startUpkeep } from '../pool/upkeep.ts';
import * as users from '../pool/users-store.ts';
import type { Identity } from '../port.ts';
import { openCognitoAuthenticator } from './authenticator.ts';
import { openRemotePool, type RemoteUser } from './client.ts';

interface GatewayOptions extends IdentityOptions {
  readonly cognito: CognitoConfig;
}

/**
 * Amazon Cognito in place of the product's own pool, by the same port. The database keeps a row for each person, with
 * no password in it: who was made by this product, and since when their sessions are over. Cognito does not know the
 * caller's transaction, so what it was asked for may outlive one that fails; whoever tries again finds it mended.
 */
export function openGateway(kernel: IdentityKernel, { cognito, ...options }: GatewayOptions): Identity {
  const { config, database, log, now } = kernel;
  const { findPerson } = options.directory;
  const mails = openPoolMails(options.sendMail, config.publicUrl);
  const remote = openRemotePool({ cognito, log });
  const stopUpkeep = startUpkeep(kernel);

  return {
    // The browser talks to Cognito itself.
    addRoutes: () => undefined,
    authenticator: openCognitoAuthenticator({ config: { ...config, cognito }, database, findPerson, now }),
    config: { userPoolId: cognito.userPoolId, userPoolClientId: cognito.clientId },
    async signUp(db, { sub, name, password, confirmed, ...sent }) {
      const email = sent.email.toLowerCase();
      requireStrong(password, [email, name]);
      await holdAddress(db, email);
      const make = confirmed ? remote.create : remote.signUp;
      const made = await makeAnew(db, { email, name, password }, make);
      if (made === undefined) {
        if (await isWithinLimit(db, { what: 'AddressTaken', who: email }, now()))
          await mails.send(db, { to: email, mail: 'address-taken', props: { link: pageLink(mails.site) } });
        return { taken: true, sub };
      }
      await insert(db, { sub: made, email, name, confirmed });
      return { taken: false, sub: made };
    },
    invite: (db, invited) => invite(db, invited, now()),
    async accept(db, { key, password }) {
      const invitation = await openedBy(db, key, now());
      if (!invitation) return undefined;
      const { sub: invited, email, name } = invitation;
      requireStrong(password, [email, name]);
      await holdAddress(db, email);
      const sub = await makeAnew(db, { email, name, password }, remote.create);
      if (sub === undefined) return undefined;
      await insert(db, { sub, email, name, confirmed: true });
      await invitations.remove(db, invited);
      return { sub, email, invited };
    },
    async resend(db, sub) {
      const user = await users.lockById(db, sub);
      if (user) await remote.resend(user.email);
    },
    async disable(db, sub) {
      await users.update(db, sub, { enabled: false, modified: new Date(now()) });
      await remote.disable(sub);
      await endSessions(db, sub);
    },
    async remove(db, sub) {
      await invitations.remove(db, sub);
      // Who was only invited is nobody to Cognito.
      if (!(await users.lockById(db, sub))) return;
      await users.remove(db, sub);
      await remote.remove(sub);
    },
    endSessions,
    // Cognito lists devices to their owner's browser only, and ends sessions all together.
    endSession: async () => false,
    sessions: async () => [],
    stop() {
      stopUpkeep();
      remote.stop();
    },
  } satisfies Identity;

  async function endSessions(db: Transaction, sub: string): Promise<void> {
    await users.update(db, sub, { endedBefore: new Date(now()) });
    await remote.signOut(sub);
  }

  /** Somebody whom the product does not know and who never got anywhere was left behind by a transaction that failed. */
  async function makeAnew(db: Transaction, user: RemoteUser, make: (user: RemoteUser) => Promise<string | undefined>) {
    const made = await make(user);
    if (made !== undefined || (await users.lockByEmail(db, user.email))) return made;
    const status = await remote.statusOf(user.email);
    if (status !== 'UNCONFIRMED' && status !== 'FORCE_CHANGE_PASSWORD') return undefined;
    await remote.remove(user.email);
    return make(user);
  }

  async function insert(db: Transaction, { confirmed, ...row }: { sub: string; email: string; name: string; confirmed: boolean }) {
    const at = new Date(now());
    const status = confirmed ? 'CONFIRMED' : 'UNCONFIRMED';
    await users.insert(db, { ...row, status, emailVerified: confirmed, password: NO_PASSWORD, created: at, modified: at });
  }
}

/** Passwords are Cognito's. */
const NO_PASSWORD = '';

/** Two who want the same address come one after the other. */
async function holdAddress(db: Transaction, email: string): Promise<void> {
  await db.$client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`address ${email}`]);
}
