import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { mentionsContact } from '#contract/privacy/mentions.ts';
import type { VisitorContact } from '#contract/privacy/privacy.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { recordOf } from './record-store.ts';
import { idsWithWords } from './search-store.ts';
import { feedback } from './tables.ts';

/** Returns the answers with a contact, as contact details or in words, in all properties, newest first, including suspected ones and tests. */
export async function byContact(scope: AccountScope, contact: VisitorContact, most: number): Promise<Feedback[]> {
  const items = [...(await byContactDetails(scope, contact, most)), ...(await byContactInWords(scope, contact, most))];
  return [...new Map(items.map((item) => [item.id, item])).values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, most);
}

async function byContactDetails({ accountId, db }: AccountScope, contact: VisitorContact, most: number): Promise<Feedback[]> {
  const answer = (part: string): SQL => sql.raw(`response -> 'response' ->> '${part}'`);
  const matches =
    'email' in contact
      ? sql`lower(trim(${answer('email')})) = ${contact.email}`
      : sql`regexp_replace(regexp_replace(${answer('phone')}, '\\D', '', 'g'), '^00', '') = ${contact.phone}`;
  const isContact = sql`exists (select from jsonb_array_elements(${feedback.responses}) as response where response ->> 'block' = 'ContactMe' and ${matches})`;
  const rows = await db
    .select()
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), eq(feedback.kind, 'contact me'), isContact))
    .orderBy(desc(feedback.id))
    .limit(most);
  return rows.map(recordOf);
}

/** How many answers that the index finds are read at once. */
const READ_AT_ONCE = 1_000;

async function byContactInWords(scope: AccountScope, contact: VisitorContact, most: number): Promise<Feedback[]> {
  const { accountId, db } = scope;
  const ids = await idsWithWords(scope, contactQuery(contact));
  const items: Feedback[] = [];
  for (let from = 0; from < ids.length && items.length < most; from += READ_AT_ONCE) {
    const rows = await db
      .select()
      .from(feedback)
      .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, ids.slice(from, from + READ_AT_ONCE))))
      .orderBy(desc(feedback.id));
    const matching = rows.filter(({ text }) => text !== null && mentionsContact(text, contact));
    items.push(...matching.map(recordOf));
  }
  return items.slice(0, most);
}

/** Returns a text query that finds every answer whose words contain a contact, and some others; null finds none. */
export const contactQuery = (contact: VisitorContact): SQL =>
  'email' in contact ? emailQuery(contact.email) : sql`${numberQuery(contact.phone)}::tsquery`;

/** The address as a phrase, null if it has no words. Its last word may continue, because Korean adds particles. */
const emailQuery = (email: string): SQL => sql`(nullif(phraseto_tsquery('simple', folded(${email}))::text, '') || ':*')::tsquery`;

/** A longer group of digits is no phone number. */
const LONGEST_GROUP = 20;
/** The zeros of scripts that visitors write: Latin, Arabic, Persian, Devanagari and Thai. */
const ZEROS = ['0', '٠', '۰', '०', '๐'];

/** However someone groups the digits of a number, a group starts it, and one of at least two digits ends it. */
function numberQuery(phone: string): string {
  const international = `00${phone}`;
  const starts = [...prefixesOf(phone), ...prefixesOf(international)];
  const ends = [...international].map((_, at) => international.slice(at)).filter((end) => end.length > 1);
  return `${anyOf(starts)} & ${anyOf(ends)}`;
}

const prefixesOf = (digits: string): string[] => [...digits].map((_, at) => digits.slice(0, at + 1));

function anyOf(groups: readonly string[]): string {
  const words = groups.filter(({ length }) => length <= LONGEST_GROUP).flatMap((group) => ZEROS.map((zero) => inScript(group, zero)));
  return `(${words.join(' | ')})`;
}

const inScript = (digits: string, zero: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
