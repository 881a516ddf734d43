import { and, eq, exists, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { deleteSome } from '../../../platform/database/batches.ts';
import { type Condition, inSavepoint, isDuplicate, type Transaction } from '../../../platform/database/database.ts';
import { devices, invitations, users } from '../../tables.ts';

/* People who can sign in, and those who are asked to join. */

export type PoolUserRow = typeof users.$inferSelect;
export type InvitationRow = typeof invitations.$inferSelect;

/** False when the address, or the id, is taken. */
export async function insert(db: Transaction, row: typeof users.$inferInsert): Promise<boolean> {
  const added = await db.insert(users).values(row).onConflictDoNothing().returning({ sub: users.sub });
  return added.length > 0;
}

/** The person who signs in with this address (lower case), and whether with a device of theirs. Its owner comes before a sign-up that waits. */
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

/** The person as long as this password is still theirs; nobody else changes it until the transaction ends. */
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

/** The same password under a stronger hash. */
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

/** Whoever has this address (lower case), or else waits for its code; nobody else changes the row until the transaction ends. */
export async function lockByEmail(db: Transaction, email: string): Promise<PoolUserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email)).orderBy(ownerFirst).limit(1).for('update');
  return user;
}

/** The sign-up that waits for this address’ code; nobody else changes the row until the transaction ends. */
export async function lockWaiting(db: Transaction, email: string): Promise<PoolUserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email), eq(users.status, 'UNCONFIRMED')))
    .for('update');
  return user;
}

/** The owner of this address; nobody else changes the row until the transaction ends. */
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

/** The address that somebody signs in with. */
export async function emailOf(db: Transaction, sub: string): Promise<string | undefined> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.sub, sub));
  return row?.email;
}

/** A condition for a statement on other tables: the person may sign in, and a token issued then is not ended since. */
export function acceptsToken(db: Transaction, { sub, issued }: { sub: string; issued: Date }): Condition {
  const isLater = or(isNull(users.endedBefore), lt(users.endedBefore, issued));
  return exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.sub, sub), eq(users.enabled, true), isLater)),
  );
}

/** Locks an address, whether or not somebody has it, until the transaction ends: two people who want the same one come one after the other. */
export async function lockAddress(db: Transaction, email: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`);
}

/**
 * The id of whoever has this address, other than `sub`; undefined where nobody has. A sign-up that waits for its code has it not. Of those who have no
 * password here, as it is Amazon Cognito's, it is not always known whether they still wait.
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

/** A new password, which ends what was proved with the one before. */
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

/** Another address, which its owner has confirmed. False when somebody else has it by now. */
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

/** That there is somebody of this id, whoever asks. */
export const isThere = (sub: string): Condition => sql`exists (select from ${users} where ${users.sub} = ${sub})`;

export async function remove(db: Transaction, sub: string): Promise<void> {
  await db.delete(users).where(eq(users.sub, sub));
}

/** A new invitation of the same person ends the one before. */
export async function putInvitation(db: Transaction, row: InvitationRow): Promise<void> {
  const { sub: _sub, ...set } = row;
  await db.insert(invitations).values(row).onConflictDoUpdate({ target: invitations.sub, set });
}

/** The invitation that a key opens; nobody else accepts it until the transaction ends. */
export async function lockInvitation(db: Transaction, key: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.key, key)).for('update');
  return row;
}

/** The same, for looking only. */
export async function findInvitation(db: Transaction, key: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.key, key));
  return row;
}

/** The person has come. The key is known on until it expires. */
export async function markAccepted(
  db: Transaction,
  { sub, acceptedAs }: { readonly sub: string; readonly acceptedAs: string },
): Promise<void> {
  await db.update(invitations).set({ acceptedAs }).where(eq(invitations.sub, sub));
}

export async function removeInvitation(db: Transaction, sub: string): Promise<void> {
  await db.delete(invitations).where(eq(invitations.sub, sub));
}

/** Whether an address (lower case) is invited, in time, and has not come yet. */
export async function isInvited(db: Transaction, { email, now }: { email: string; now: Date }): Promise<boolean> {
  const waits = and(eq(invitations.email, email), gt(invitations.expires, now), isNull(invitations.acceptedAs));
  return (await db.$count(invitations, waits)) > 0;
}

/** Forgets invitations whose time is over. */
export const removeOldInvitations = (db: Transaction, before: Date): Promise<number> =>
  deleteSome(db, invitations, lt(invitations.expires, before));
