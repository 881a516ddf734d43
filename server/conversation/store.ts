import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { type Conversation, type ConversationMessage, LINK_LIFETIME, type Reach } from '#contract/conversation/conversation.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { isAddress } from '../platform/mailer/message.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { conversationKeys, conversationMessages, conversations } from './tables.ts';

export { DISTRIBUTED } from './tables.ts';

type ConversationRow = typeof conversations.$inferSelect;

/** Returns whether feedback has a conversation: the visitor asked for an answer, or the team sent one. */
export const hasConversation = ({ data }: Feedback): boolean => data.reply !== undefined;

/** Returns the address that answers are mailed to. Undefined without one, and for one that no mail can be sent to. */
export const emailOf = ({ data: { contact } }: Feedback): string | undefined =>
  contact?.email !== undefined && isAddress(contact.email) ? contact.email : undefined;

/** Returns the conversation about a feedback item, which has no messages if there is none yet. */
export async function read(scope: AccountScope, item: Feedback): Promise<Conversation> {
  const { id: feedbackId } = item;
  const { accountId, db } = scope;
  const [row] = await db.select().from(conversations).where(isOf(scope, feedbackId));
  const messages = await db
    .select()
    .from(conversationMessages)
    .where(and(eq(conversationMessages.accountId, accountId), eq(conversationMessages.feedbackId, feedbackId)))
    .orderBy(asc(conversationMessages.sent), asc(conversationMessages.id));
  // A page that was opened only to correct or delete the answer shows no reply.
  const hasPage = hasConversation(item) && row !== undefined && !isExpired(scope, row) && (await hasKey(scope, feedbackId));
  const reach: Reach[] = [...(hasPage ? (['page'] as const) : []), ...(emailOf(item) === undefined ? [] : (['email'] as const))];
  return {
    feedbackId,
    reach,
    messages: messages.map(messageOf),
    ...(row?.seen && { seen: row.seen.getTime() }),
    ...(row?.closed && row.closedBy !== null && { closed: { at: row.closed.getTime(), by: row.closedBy } }),
    ...(row?.reported && { reported: row.reported.getTime() }),
  };
}

/** Creates the conversation if there is none, and locks it until the transaction ends. Deletes keys that have expired. */
export async function lock(scope: AccountScope, feedbackId: string): Promise<void> {
  const { accountId, db, now } = scope;
  await db.insert(conversations).values({ accountId, feedbackId, active: now }).onConflictDoNothing();
  const [row] = await db.select().from(conversations).where(isOf(scope, feedbackId)).for('no key update');
  if (row && isExpired(scope, row))
    await db.delete(conversationKeys).where(and(eq(conversationKeys.accountId, accountId), eq(conversationKeys.feedbackId, feedbackId)));
}

const isExpired = ({ now }: AccountScope, { active }: Pick<ConversationRow, 'active'>): boolean =>
  active.getTime() + LINK_LIFETIME <= now.getTime();

async function hasKey({ accountId, db }: AccountScope, feedbackId: string): Promise<boolean> {
  const [row] = await db
    .select({ hash: conversationKeys.hash })
    .from(conversationKeys)
    .where(and(eq(conversationKeys.accountId, accountId), eq(conversationKeys.feedbackId, feedbackId)))
    .limit(1);
  return row !== undefined;
}

/** Adds a key to a conversation. Lock it first. */
export async function addKey({ accountId, db }: AccountScope, feedbackId: string, hash: Buffer): Promise<void> {
  await db.insert(conversationKeys).values({ accountId, hash, feedbackId });
}

/** What a link to a conversation stands for. */
export interface ConversationKey {
  readonly feedbackId: string;
  /** When the link expires (UTC ms). */
  readonly until: number;
}

/** Locks the conversation of a key that hasn't expired. */
export async function byKey({ accountId, db, now }: AccountScope, hash: Buffer): Promise<ConversationKey | undefined> {
  const [row] = await db
    .select({ feedbackId: conversations.feedbackId, active: conversations.active })
    .from(conversationKeys)
    .innerJoin(
      conversations,
      and(eq(conversations.accountId, conversationKeys.accountId), eq(conversations.feedbackId, conversationKeys.feedbackId)),
    )
    .where(
      and(
        eq(conversationKeys.accountId, accountId),
        eq(conversationKeys.hash, hash),
        gt(conversations.active, new Date(now.getTime() - LINK_LIFETIME)),
      ),
    )
    .for('no key update', { of: conversations });
  return row && { feedbackId: row.feedbackId, until: row.active.getTime() + LINK_LIFETIME };
}

/** Adds a message. Lock the conversation and check its key first. */
export async function addMessage(
  scope: AccountScope,
  row: Omit<typeof conversationMessages.$inferInsert, 'accountId' | 'sent'>,
): Promise<void> {
  await scope.db.insert(conversationMessages).values({ ...row, accountId: scope.accountId, sent: scope.now });
  await change(scope, row.feedbackId, { active: scope.now });
}

/** Returns whether a message with this key is stored. */
export async function isSent({ accountId, db }: AccountScope, feedbackId: string, key: string): Promise<boolean> {
  const { accountId: account, feedbackId: of, key: sentKey, id } = conversationMessages;
  const [row] = await db
    .select({ id })
    .from(conversationMessages)
    .where(and(eq(account, accountId), eq(of, feedbackId), eq(sentKey, key)));
  return row !== undefined;
}

/** Returns a page of all messages, by id. */
export async function page(
  { accountId, db }: AccountScope,
  after: string,
  most: number,
): Promise<(ConversationMessage & { feedbackId: string })[]> {
  const rows = await db
    .select()
    .from(conversationMessages)
    .where(and(eq(conversationMessages.accountId, accountId), gt(conversationMessages.id, after)))
    .orderBy(asc(conversationMessages.id))
    .limit(most);
  return rows.map((row) => ({ feedbackId: row.feedbackId, ...messageOf(row) }));
}

const messageOf = ({ id, author, text, sent, undelivered }: typeof conversationMessages.$inferSelect): ConversationMessage => ({
  id,
  ...(author !== null && { author }),
  text,
  sent: sent.getTime(),
  ...(undelivered && { undelivered }),
});

/** Returns the answer that a delivery mailed; undefined for another mail. */
export async function byDelivery({ accountId, db }: AccountScope, deliveryId: string) {
  const { accountId: account, deliveryId: delivery, id, feedbackId } = conversationMessages;
  const [row] = await db
    .select({ id, feedbackId })
    .from(conversationMessages)
    .where(and(eq(account, accountId), eq(delivery, deliveryId)));
  return row;
}

/** Stores whether the mail with an answer bounced. */
export async function setUndelivered({ accountId, db }: AccountScope, id: string, undelivered: boolean): Promise<void> {
  await db
    .update(conversationMessages)
    .set({ undelivered })
    .where(and(eq(conversationMessages.accountId, accountId), eq(conversationMessages.id, id)));
}

/** Returns the texts of messages, by id. */
export async function texts({ accountId, db }: AccountScope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, text } = conversationMessages;
  const rows = await db
    .select({ id, text })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.accountId, accountId), inArray(id, [...ids])));
  return new Map(rows.map((row) => [row.id, row.text]));
}

export async function change(
  scope: AccountScope,
  feedbackId: string,
  changes: Partial<Pick<ConversationRow, 'active' | 'seen' | 'closed' | 'closedBy' | 'reported'>>,
): Promise<void> {
  await scope.db.update(conversations).set(changes).where(isOf(scope, feedbackId));
}

/** Deletes a conversation with its messages and keys. Returns the ids of the mails with which messages were sent. */
export async function remove(scope: AccountScope, feedbackId: string): Promise<string[]> {
  const { accountId, db } = scope;
  // Waits for a message that is being sent, also for the first.
  await lock(scope, feedbackId);
  const { accountId: account, feedbackId: of, deliveryId } = conversationMessages;
  const rows = await db
    .select({ deliveryId })
    .from(conversationMessages)
    .where(and(eq(account, accountId), eq(of, feedbackId), isNotNull(deliveryId)));
  await db.delete(conversations).where(isOf(scope, feedbackId));
  return rows.flatMap((row) => row.deliveryId ?? []);
}

/** Stores that the visitor sees the team's messages until a time. Returns whether any of them is new to them. */
export async function see({ accountId, db, now }: AccountScope, feedbackId: string, until: Date): Promise<boolean> {
  const seen = until < now ? until : now;
  const unseen = sql`exists (
    select from conversation_message message
     where message.account_id = ${accountId} and message.feedback_id = ${feedbackId} and message.author is not null
       and message.sent <= ${seen.toISOString()}::timestamptz
       and (${conversations.seen} is null or message.sent > ${conversations.seen}))`;
  const { rowCount } = await db
    .update(conversations)
    .set({ seen })
    .where(and(isOf({ accountId }, feedbackId), unseen));
  return rowCount === 1;
}

const isOf = ({ accountId }: Pick<AccountScope, 'accountId'>, feedbackId: string) =>
  and(eq(conversations.accountId, accountId), eq(conversations.feedbackId, feedbackId));
