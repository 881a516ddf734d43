import { and, asc, desc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm';
import { pageOf } from '#contract/core/pagination.ts';
import type { InternalMessage, ListedMessage } from '#contract/message/message.ts';
import { accounts } from '../account/store.ts';
import { containing, createdCursor, olderThan } from '../platform/database/pages.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { users } from '../user/store.ts';
import { messages } from './tables.ts';

/* Screenshots are large, so they are read separately. */
const { screenshot: _screenshot, ...columns } = getTableColumns(messages);
const withoutScreenshot = { ...columns, hasScreenshot: sql<boolean>`${messages.screenshot} is not null` };
type MessageRow = Omit<typeof messages.$inferSelect, 'screenshot'> & { readonly hasScreenshot: boolean };
type NewMessage = Pick<typeof messages.$inferSelect, 'id' | 'kind' | 'text' | 'url' | 'userAgent' | 'mayReply' | 'key'> & {
  readonly screenshot?: string | undefined;
};

/** Adds a message. Returns undefined if its author already sent one with this key. */
export async function insert({ accountId, db, now, actor }: AccountScope, row: NewMessage): Promise<InternalMessage | undefined> {
  const [stored] = await db
    .insert(messages)
    .values({ ...row, accountId, created: now, createdBy: actor })
    .onConflictDoNothing({ target: [messages.accountId, messages.createdBy, messages.key] })
    .returning(withoutScreenshot);
  return stored && record(stored);
}

/** Returns the message that the caller sent with a key. */
export async function byKey({ accountId, db, actor }: AccountScope, key: string): Promise<InternalMessage | undefined> {
  const [row] = await db
    .select(withoutScreenshot)
    .from(messages)
    .where(and(eq(messages.accountId, accountId), eq(messages.createdBy, actor), eq(messages.key, key)));
  return row && record(row);
}

/** Returns a page of the account's messages by id, without screenshots. */
export async function page({ accountId, db }: AccountScope, after: string, most: number): Promise<InternalMessage[]> {
  const rows = await db
    .select(withoutScreenshot)
    .from(messages)
    .where(and(eq(messages.accountId, accountId), gt(messages.id, after)))
    .orderBy(asc(messages.id))
    .limit(most);
  return rows.map(record);
}

interface MessagesQuery {
  readonly search: string;
  readonly which: 'open' | 'all';
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Returns a page of all accounts' messages, newest first. Searches the text, the business's name and the author's. */
export async function list(
  { db }: OperatorScope,
  { search, which, cursor, limit }: MessagesQuery,
): Promise<{ messages: ListedMessage[]; cursor: string | null }> {
  const rows = await db
    .select({ row: withoutScreenshot, company: accounts.displayName, name: users.displayName, emailAddress: users.emailAddress })
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .leftJoin(users, and(eq(users.accountId, messages.accountId), eq(users.id, messages.createdBy)))
    .where(
      and(
        which === 'open' ? isNull(messages.handled) : undefined,
        containing(search, messages.text, accounts.displayName, users.displayName),
        olderThan(messages, cursor),
      ),
    )
    .orderBy(desc(messages.created), desc(messages.id))
    .limit(limit + 1);
  const page = pageOf(rows, limit, ({ row }) => createdCursor(row));
  return {
    messages: page.rows.map(({ row, company, name, emailAddress }) => ({
      message: record(row),
      company,
      ...(name !== null && { name }),
      ...(row.mayReply && emailAddress !== null && { emailAddress }),
    })),
    cursor: page.cursor,
  };
}

interface MessageIds {
  readonly accountId: string;
  readonly messageId: string;
}

export async function screenshot({ db }: OperatorScope, ids: MessageIds): Promise<string | undefined> {
  const [row] = await db.select({ screenshot: messages.screenshot }).from(messages).where(isMessage(ids));
  return row?.screenshot ?? undefined;
}

/** Marks a message as handled or open. One that is handled already keeps its time. */
export async function handle(
  { db, now }: OperatorScope,
  { handled, ...ids }: MessageIds & { readonly handled: boolean },
): Promise<InternalMessage | undefined> {
  const [row] = await db
    .update(messages)
    .set({ handled: handled ? sql`coalesce(${messages.handled}, ${now.toISOString()}::timestamptz)` : null })
    .where(isMessage(ids))
    .returning(withoutScreenshot);
  return row && record(row);
}

/** Deletes a message. Returns false for an unknown one. */
export async function remove({ db }: OperatorScope, ids: MessageIds): Promise<boolean> {
  const { rowCount } = await db.delete(messages).where(isMessage(ids));
  return rowCount === 1;
}

const isMessage = ({ accountId, messageId }: MessageIds) => and(eq(messages.accountId, accountId), eq(messages.id, messageId));

const record = ({
  id,
  accountId,
  created,
  createdBy,
  kind,
  text,
  url,
  userAgent,
  mayReply,
  hasScreenshot,
  handled,
}: MessageRow): InternalMessage => ({
  id,
  sk: 'MESSAGE',
  gs1sk: accountId,
  data: {
    created: created.getTime(),
    createdBy,
    accountId,
    kind,
    text,
    url,
    userAgent,
    mayReply,
    hasScreenshot,
    ...(handled && { handled: handled.getTime() }),
  },
});
