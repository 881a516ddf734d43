import { randomUUID } from 'node:crypto';
import { DELETED_FOR } from '#contract/account.ts';
import { badField, refusal } from '#contract/errors.ts';
import { VISITOR } from '#contract/event.ts';
import { accountId as newAccountId, subOf, userId as userIdOf } from '#contract/ids.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import type { Level, Session, User, userOperations } from '#contract/user.ts';
import * as accounts from '../account/store.ts';
import type { Facts, TellMail } from '../events.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount, type OperatorScope, type Person, scopeFor } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Transaction } from '../kernel/database.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import type { Emit } from '../kernel/facts.ts';
import type { Work } from '../kernel/jobs.ts';
import type { RateLimit } from '../kernel/rate-limit.ts';
import * as store from './store.ts';

/** What the user pool does for the team's list, each in the caller's transaction. */
export interface Pool {
  /** A taken address is told to its owner, not to the caller. A pool may choose a `sub` of its own. */
  signUp(
    db: Transaction,
    person: { sub: string; email: string; name: string; password: string; confirmed: boolean },
  ): Promise<{ taken: boolean; sub: string }>;
  /** Gives the invitation's key; undefined when the address is taken. */
  invite(db: Transaction, person: { sub: string; email: string; name: string }): Promise<string | undefined>;
  /** Gives the key's person, whose password this is from now on; undefined when the key opens nothing any more. */
  accept(db: Transaction, answer: { key: string; password: string }): Promise<{ sub: string; email: string; invited: string } | undefined>;
  remove(db: Transaction, sub: string): Promise<void>;
  endSessions(db: Transaction, sub: string): Promise<void>;
  endSession(db: Transaction, session: { sub: string; id: string }): Promise<boolean>;
  sessions(db: Transaction, asked: { sub: string; family?: string }): Promise<Session[]>;
}

interface UserRoom {
  readonly kernel: Pick<Kernel, 'database' | 'now' | 'random'>;
  readonly emit: Emit<Facts>;
  readonly tell: TellMail;
  readonly pool: Pool;
  /** Makes an uploaded picture small and harmless. */
  readonly redraw: (picture: string) => Promise<string>;
  readonly signUps: RateLimit;
}

const TAKEN = { success: false, data: { code: 'address-taken', message: 'This address cannot be invited.' } } as const;

export function openUser({ kernel, emit, tell, pool, redraw, signUps }: UserRoom) {
  const { database, now, random } = kernel;
  return {
    async get({ scope }, { userId }) {
      return found(await store.byId(scope, userId));
    },
    async list({ scope }) {
      return { status: 'ok', users: await store.all(scope) };
    },
    /** The same answer, in the same time, whether or not the address is taken: its owner hears of it by mail. */
    async create({ address }, { password, payload: { data } }) {
      signUps.take(address);
      const person = { sub: randomUUID(), email: data.emailAddress, name: data.displayName, password, confirmed: false };
      const made = await inAccount(kernel, { accountId: newAccountId(random), actor: VISITOR }, async (scope) => {
        const { taken, sub } = await pool.signUp(scope.db, person);
        await scope.db.$client.query('savepoint made');
        const rows = await insertBusiness(scope, { ...data, sub });
        if (taken) await scope.db.$client.query('rollback to savepoint made');
        return rows;
      });
      return { success: true, data: made };
    },
    async generate({ scope, person }, { payload: { data } }) {
      const sub = randomUUID();
      const key = await pool.invite(scope.db, { sub, email: data.emailAddress, name: data.displayName });
      if (key === undefined) return TAKEN;
      const user = await insertPerson(scope, { ...data, sub, createdBy: person.userId, invited: true });
      await tellInvited(scope, { user, key, by: person });
      return { success: true, data: { user } };
    },
    async resend({ scope, person }, { userId }) {
      const user = await store.byId(scope, userId);
      if (!user?.data.invited) return NOT_FOUND;
      const { emailAddress: email, displayName: name } = user.data;
      const key = await pool.invite(scope.db, { sub: subOf(userId), email, name });
      if (key === undefined) return NOT_FOUND;
      await tellInvited(scope, { user, key, by: person });
      return { status: 'ok', user };
    },
    async accept(_visitor, answer) {
      const accepted = await database.transaction({}, async (db) => {
        const opened = await pool.accept(db, answer);
        if (opened) await join(db, opened);
        return opened;
      });
      if (!accepted)
        return { success: false, data: { code: 'invitation-over', message: 'This invitation is no longer valid. Ask for a new one.' } };
      return { success: true, data: { emailAddress: accepted.email } };
    },
    async save({ scope, person }, { payload: { id, data } }) {
      const before = await store.byId(scope, id);
      if (!before) return NOT_FOUND;
      if (id !== person.userId && person.level !== 'admin') throw refusal('not-allowed', 'Only admins can change others.');
      if (id !== person.userId && data.avatar !== undefined) throw refusal('not-allowed', 'A picture is its person’s own.');
      if (data.level !== undefined && data.level !== before.data.level) await changeLevel(scope, { person, before, level: data.level });
      const { avatar, displayName, level } = data;
      const changes = {
        ...(displayName !== undefined && { displayName }),
        ...(level !== undefined && { level }),
        ...(avatar !== undefined && { avatar: avatar && (await redraw(avatar)) }),
      };
      return found(await store.change(scope, id, changes));
    },
    async delete({ scope }, { userId }) {
      await refuseLastAdmin(scope, userId, 'The last admin of an account cannot be removed.');
      if (!(await store.remove(scope, userId))) return NOT_FOUND;
      await emit(scope, 'user.removed', { userId });
      await pool.remove(scope.db, subOf(userId));
      return { status: 'ok' };
    },
    async sessions({ scope, person }) {
      return { status: 'ok', sessions: await pool.sessions(scope.db, { sub: subOf(person.userId), family: person.session }) };
    },
    async endSession({ scope, person }, { sessionId }) {
      return (await pool.endSession(scope.db, { sub: subOf(person.userId), id: sessionId })) ? { status: 'ok' } : NOT_FOUND;
    },
    async masterList({ everywhere, person }, query) {
      await accounts.note(everywhere, { at: new Date(now()), by: person.userId, act: 'users.listed', subject: '', detail: query.search });
      return { status: 'ok', ...(await store.everywhere(everywhere, query)) };
    },
  } satisfies Handlers<typeof userOperations>;

  /** From now on the person has the id that the pool knows them by. */
  async function join(db: Transaction, { invited, sub }: { invited: string; sub: string }): Promise<void> {
    const accountId = await store.accountOf(db, userIdOf(invited));
    if (accountId)
      await store.join(await scopeFor(db, accountId, { actor: userIdOf(sub), now: new Date(now()) }), {
        invited: userIdOf(invited),
        id: userIdOf(sub),
      });
  }

  async function insertBusiness(
    scope: AccountScope,
    { sub, companyName, ...person }: { sub: string; companyName: string; displayName: string; emailAddress: string },
  ) {
    const account = await accounts.insert(scope, { created: new Date(now()), displayName: companyName, status: 'inactive' });
    const user = await insertPerson(scope, { ...person, sub, createdBy: userIdOf(sub), level: 'admin', invited: false });
    return { user, account };
  }

  function insertPerson(
    scope: AccountScope,
    { sub, ...row }: { sub: string; displayName: string; emailAddress: string; level: Level; createdBy: string; invited: boolean },
  ): Promise<User> {
    return store.insert(scope, { id: userIdOf(sub), created: new Date(now()), ...row });
  }

  async function tellInvited(scope: AccountScope, { user, key, by }: { user: User; key: string; by: Person }): Promise<void> {
    const [account, inviter] = [await accounts.current(scope), await store.byId(scope, by.userId)];
    const { emailAddress: email, displayName: name } = user.data;
    await tell(scope, 'user.invited', {
      email,
      name,
      key,
      invitedBy: inviter?.data.displayName ?? '',
      company: account?.data.displayName ?? '',
    });
  }

  /** Sessions end, so that what was open under the old level is open no more. */
  async function changeLevel(
    scope: AccountScope,
    { person, before, level }: { person: Person; before: User; level: Level },
  ): Promise<void> {
    if (person.level !== 'admin') throw refusal('not-allowed', 'Only admins can change a level.');
    if (level === 'user') await refuseLastAdmin(scope, before.id, 'The last admin of an account cannot become a member.');
    if (level === 'user') await pool.endSessions(scope.db, subOf(before.id));
  }

  async function refuseLastAdmin(scope: AccountScope, userId: string, message: string): Promise<void> {
    const admins = await store.heldAdmins(scope);
    if (admins.length === 1 && admins[0] === userId)
      throw refusal('conflict', { detail: message, errors: badField('userId', message).errors });
  }
}

const found = (user: User | undefined) => (user ? ({ status: 'ok', user } as const) : NOT_FOUND);

/** Deletes for good, with all their people, the accounts that were deleted a week ago. */
export function purgeAccounts({ kernel, pool }: Pick<UserRoom, 'pool'> & { readonly kernel: Clocked }): Work {
  return {
    async 'account.purge'() {
      const over = new Date(kernel.now() - DELETED_FOR);
      const ids = await inEveryAccount(kernel, (scope) => accounts.deletedBefore(scope, over));
      for (const id of ids) await inEveryAccount(kernel, (scope) => purge(scope, id));
    },
  };

  async function purge(scope: OperatorScope, accountId: string): Promise<void> {
    for (const userId of await store.idsOf(scope, accountId)) await pool.remove(scope.db, subOf(userId));
    await accounts.destroy(scope, accountId);
  }
}
