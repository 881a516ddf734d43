import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Feedback, Response } from '#contract/feedback/feedback.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { awaitsReply } from '#contract/feedback/work.ts';
import { blockOf, gaugeOf, stepOf } from '#contract/form/steps.ts';
import { areSameResponses, derive, mergeResponses } from '#contract/form/submission.ts';
import { mentionsContact } from '#contract/privacy/mentions.ts';
import type { VisitorContact } from '#contract/privacy/privacy.ts';
import type { PublicForm } from '../form/store.ts';
import { publishOnCommit } from '../platform/live/pubsub.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { appendAmended } from './amendment.ts';
import { contactQuery, idsWithWords } from './search-store.ts';
import * as store from './store.ts';
import { feedback } from './tables.ts';

/* What a visitor may do with their answer at any time, and how an admin finds it for them (docs/rules.md#visitors-rights). */

interface Correction {
  readonly rating: Rating;
  readonly text: string;
}

/** Replaces the rating and the words of feedback. Words that the form doesn't ask for are left out. */
export async function correct(scope: AccountScope, target: PublicForm, { id }: Feedback, { rating, text }: Correction): Promise<void> {
  const before = await store.lockById(scope, id);
  if (!before) return;
  const { steps } = target.form.data;
  const { responses: previous } = before.data;
  const gauge = previous.find(({ block }) => block === 'EmojiGauge')?.uuid ?? gaugeOf(steps).uuid;
  const open = previous.find(({ block }) => block === 'OpenText')?.uuid ?? blockOf(stepOf(steps, 'experience'), 'OpenText')?.uuid;
  const responses = mergeResponses<Response>(previous, [
    { uuid: gauge, block: 'EmojiGauge', response: rating },
    ...(open === undefined ? [] : [{ uuid: open, block: 'OpenText' as const, response: text }]),
  ]);
  if (areSameResponses(responses, previous)) return;
  const after = await replace(scope, before, responses);
  for (const event of await appendAmended(scope, before, after)) await publishOnCommit(scope.db, event);
}

/** Deletes everything that a visitor gave except the rating, which stays in the counts. Returns undefined for an unknown id. */
export async function erase(scope: AccountScope, id: string): Promise<Feedback | undefined> {
  const before = await store.lockById(scope, id);
  if (!before) return undefined;
  const counted = before.data.responses.filter(({ block }) => block === 'EmojiGauge' || block === 'ExternalReview');
  const after = await replace(scope, { ...before, data: { ...before.data, reply: undefined } }, counted);
  await store.clearTraces(scope, id);
  return after;
}

async function replace(scope: AccountScope, before: Feedback, responses: readonly Response[]): Promise<Feedback> {
  const derived = derive(responses);
  if (!derived) throw new Error('Feedback has no rating');
  const { contact: _contact, ...parts } = derived;
  return store.amend(scope, before, {
    ...parts,
    urgent: parts.urgent || awaitsReply(before.data.reply),
    converted: before.data.converted,
    responses,
  });
}

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
  return rows.map((row) => store.recordOf(row));
}

/** How many answers that the index finds are read at once. */
const READ_AT_ONCE = 1_000;

async function byContactInWords(scope: AccountScope, contact: VisitorContact, most: number): Promise<Feedback[]> {
  const { accountId, db } = scope;
  const ids = await idsWithWords(scope, contactQuery(accountId, contact));
  const items: Feedback[] = [];
  for (let from = 0; from < ids.length && items.length < most; from += READ_AT_ONCE) {
    const rows = await db
      .select()
      .from(feedback)
      .where(and(eq(feedback.accountId, accountId), inArray(feedback.id, ids.slice(from, from + READ_AT_ONCE))))
      .orderBy(desc(feedback.id));
    const matching = rows.filter(({ text }) => text !== null && mentionsContact(text, contact));
    items.push(...matching.map((row) => store.recordOf(row)));
  }
  return items.slice(0, most);
}
