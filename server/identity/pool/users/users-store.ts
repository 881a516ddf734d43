import { and, eq, exists, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import { type Condition, inSavepoint, isDuplicate, type Transaction } from '../../../platform/database/database.ts';
import { devices, invitations, users } from '../../tables.ts';

/* People who can sign in, and people who are invited. */

export type PoolUserRow = typeof users.$inferSelect;
export type InvitationRow = typeof invitations.$inferSelect;

/** Inserts a person; returns false if the address or the id is taken. */
export async function insert(db: Transaction, row: typeof users.$inferInsert): Promise<boolean> {
  const added = await db.insert(users).values(row).onConflictDoNothing().returning({ sub: users.sub });
  return added.length > 0;
}

/** Returns the owner of a lowercase address, or else its unconfirmed sign-up, and whether the device is theirs. */
export async function byEmail(
  db: Transaction,
  email: string,
  deviceKey: string | undefined,
): Promise<{ user: PoolUserRow; isKnownDevice: boolean } | undefined> {
  const [row] = await db
    .select({ user: users, device: devices.key })
    .from(users)
    .leftJoin(devices, and(eq(devices.sub, users.sub), eq(devices.key, deviceKey ?? '')))
    .where(eq(users.email, email))
    .orderBy(ownerFirst)
    .limit(1);
  return row && { user: row.user, isKnownDevice: row.device !== null };
}

/** Returns a person, locked against changes until the transaction ends; undefined if the password has changed. */
export async function lockWithCredential(
  db: Transaction,
  { sub, credential }: Pick<PoolUserRow, 'sub' | 'credential'>,
): Promise<PoolUserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.sub, sub), eq(users.credential, credential)))
    .for('share');
  return user;
}

/** Stores a stronger hash of the same password. */
export async function rehash(
  db: Transaction,
  { sub, credential }: Pick<PoolUserRow, 'sub' | 'credential'>,
  password: string,
): Promise<void> {
  await db
    .update(users)
    .set({ password })
    .where(and(eq(users.sub, sub), eq(users.credential, credential)));
}

/** Returns the owner of a lowercase address, or else its unconfirmed sign-up, locked until the transaction ends. */
export async function lockByEmail(db: Transaction, email: string): Promise<PoolUserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email)).orderBy(ownerFirst).limit(1).for('update');
  return user;
}

/** Returns the unconfirmed sign-up of an address, locked until the transaction ends. */
export async function lockUnconfirmed(db: Transaction, email: string): Promise<PoolUserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email), eq(users.status, 'UNCONFIRMED')))
    .for('update');
  return user;
}

/** Returns the owner of an address, locked until the transaction ends. */
export async function lockOwner(db: Transaction, email: string): Promise<PoolUserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email), ne(users.status, 'UNCONFIRMED')))
    .for('update');
  return user;
}

/** False sorts before true. */
const ownerFirst = sql`${users.status} = 'UNCONFIRMED'`;

export async function lockById(db: Transaction, sub: string): Promise<PoolUserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.sub, sub)).for('update');
  return user;
}

export async function byId(db: Transaction, sub: string): Promise<PoolUserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.sub, sub));
  return user;
}

/** Returns the address a person signs in with. */
export async function emailOf(db: Transaction, sub: string): Promise<string | undefined> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.sub, sub));
  return row?.email;
}

/** Returns a condition for statements on other tables: the person may sign in, and their sessions were not ended since `issued`. */
export function acceptsToken(db: Transaction, { sub, issued }: { sub: string; issued: Date }): Condition {
  const isLater = or(isNull(users.endedBefore), lt(users.endedBefore, issued));
  return exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.sub, sub), eq(users.enabled, true), isLater)),
  );
}

/** Locks an address, taken or not, until the transaction ends, so that concurrent claims to it run one after the other. */
export async function lockAddress(db: Transaction, email: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`);
}

/**
 * Returns the id of an address's owner other than `sub`. An unconfirmed sign-up is no owner, unless Amazon Cognito has its
 * password: then it may have been confirmed there without our knowing.
 */
export async function ownerBeside(db: Transaction, email: string, sub: string): Promise<string | undefined> {
  const rows = await db
    .select({ sub: users.sub })
    .from(users)
    .where(and(eq(users.email, email), ne(users.sub, sub), or(ne(users.status, 'UNCONFIRMED'), eq(users.password, ''))));
  return rows[0]?.sub;
}

type PoolUserChanges = Partial<Pick<PoolUserRow, 'status' | 'emailVerified' | 'name' | 'enabled' | 'endedBefore' | 'modified'>>;

export async function update(db: Transaction, sub: string, changes: PoolUserChanges): Promise<void> {
  await db.update(users).set(changes).where(eq(users.sub, sub));
}

/** Sets a new password, which makes codes and challenges issued under the previous one invalid. */
export async function setPassword(
  db: Transaction,
  sub: string,
  { password, modified }: Pick<PoolUserRow, 'password' | 'modified'>,
): Promise<void> {
  await db
    .update(users)
    .set({ password, modified, credential: sql`${users.credential} + 1` })
    .where(eq(users.sub, sub));
}

/** Sets a confirmed new address; returns false if someone else has it. */
export async function setEmail(
  db: Transaction,
  sub: string,
  { email, modified }: Pick<PoolUserRow, 'email' | 'modified'>,
): Promise<boolean> {
  try {
    await inSavepoint(db, () => db.update(users).set({ email, modified, emailVerified: true }).where(eq(users.sub, sub)));
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/** Returns a condition for statements on other tables: the person isn't disabled, with or without a session. */
export const isEnabled = (sub: string): Condition => sql`exists (select from ${users} where ${users.sub} = ${sub} and ${users.enabled})`;

/** Returns a condition that is true if the id exists, without a session. */
export const isInPool = (sub: string): Condition => sql`exists (select from ${users} where ${users.sub} = ${sub})`;

export async function remove(db: Transaction, sub: string): Promise<void> {
  await db.delete(users).where(eq(users.sub, sub));
}

/** Stores an invitation, replacing the person's previous one. */
export async function putInvitation(db: Transaction, row: InvitationRow): Promise<void> {
  const { sub: _sub, ...set } = row;
  await db.insert(invitations).values(row).onConflictDoUpdate({ target: invitations.sub, set });
}

/** Returns the invitation with a key, locked until the transaction ends. */
export async function lockInvitation(db: Transaction, key: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.key, key)).for('update');
  return row;
}

/** Same, without a lock. */
export async function findInvitation(db: Transaction, key: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.key, key));
  return row;
}

/** Locks an invitation and returns true; returns false, and locks nothing, if it has been accepted or replaced. */
export async function lockUnusedInvitation(db: Transaction, key: Buffer): Promise<boolean> {
  const isUnused = and(eq(invitations.key, key), isNull(invitations.acceptedAs));
  return (await db.select({ sub: invitations.sub }).from(invitations).where(isUnused).for('update')).length > 0;
}

/** Marks an invitation as accepted; its key stays valid for retries until it expires. */
export async function markAccepted(
  db: Transaction,
  { sub, acceptedAs }: { readonly sub: string; readonly acceptedAs: string },
): Promise<void> {
  await db.update(invitations).set({ acceptedAs }).where(eq(invitations.sub, sub));
}

export async function removeInvitation(db: Transaction, sub: string): Promise<void> {
  await db.delete(invitations).where(eq(invitations.sub, sub));
}

/** Returns whether a lowercase address has an invitation that is neither accepted nor expired. */
export async function isInvited(db: Transaction, { email, now }: { email: string; now: Date }): Promise<boolean> {
  const isPending = and(eq(invitations.email, email), gt(invitations.expires, now), isNull(invitations.acceptedAs));
  return (await db.$count(invitations, isPending)) > 0;
}

/** Deletes invitations that expired before a time. */
export const removeOldInvitations = (db: Transaction, before: Date): Promise<number> =>
  deleteSome(db, invitations, lt(invitations.expires, before));
