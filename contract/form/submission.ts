import { contactProblems, mergeContact } from '../core/contact.ts';
import type { ContactAnswer, Feedback, Response, Submission } from '../feedback/feedback.ts';
import type { FeedbackSource, Kind } from '../feedback/filters.ts';
import { isUrgent, type Rating, URGENT_BELOW } from '../feedback/rating.ts';
import type { Step } from './form.ts';
import { type Draft, leftFieldsAfter } from './form-page.ts';
import type { ReviewService } from './review.ts';
import { servicesOf } from './steps.ts';

/* The rules of submissions, shared by the server and the demo. */

/** How long feedback can be amended by the holder of its key, from its creation (ms). */
export const AMEND_WINDOW = 60 * 60_000;

/** Times are UTC ms. */
export const canBeAmended = (created: number, now: number): boolean => now <= created + AMEND_WINDOW;

/** The fields derived from a visitor's responses. */
export interface DerivedFields {
  readonly rating: Rating;
  readonly text: string | undefined;
  readonly contact: { name?: string; phone?: string; email?: string } | undefined;
  readonly urgent: boolean;
  readonly kind: Kind;
  readonly source: FeedbackSource;
}

/** Returns responses with others added: each replaces the one with the same uuid, in its place, or is appended (docs/rules.md#amending). */
export function mergeResponses<Item extends Draft>(existing: readonly Item[], added: readonly Item[]): Item[] {
  const merged = new Map(existing.map((item) => [item.uuid, item]));
  for (const item of added) merged.set(item.uuid, mergeResponse(merged.get(item.uuid), item));
  return [...merged.values()];
}

function mergeResponse<Item extends Draft>(before: Item | undefined, after: Item): Item {
  if (before?.block !== 'ContactMe' || after.block !== 'ContactMe') return after;
  return { ...after, response: mergeContact(before.response as ContactAnswer, after.response as ContactAnswer) };
}

/** Returns rating, text, contact, urgency, kind and source from the responses; undefined without a rating. */
export function derive(responses: readonly Response[]): DerivedFields | undefined {
  const rating = responses.find((item) => item.block === 'EmojiGauge')?.response;
  if (rating === undefined) return undefined;
  const text = responses.find((item) => item.block === 'OpenText')?.response.trim();
  const contact = contactOf(responses);
  const service = responses.findLast((item) => item.block === 'ExternalReview')?.response.service;
  return {
    rating,
    text: text || undefined,
    contact,
    urgent: isUrgent(rating, contact !== undefined),
    kind: kindOf(rating, contact !== undefined),
    source: sourceOf(service, text),
  };
}

function contactOf(responses: readonly Response[]): DerivedFields['contact'] {
  const answer = responses.find((item) => item.block === 'ContactMe')?.response;
  if (answer?.answer !== 'Yes') return undefined;
  const { name, phone, email } = answer;
  return {
    ...(name?.trim() && { name: name.trim() }),
    ...(phone?.trim() && { phone: phone.trim() }),
    ...(email?.trim() && { email: email.trim() }),
  };
}

/** Returns the kind. A wish for contact outranks the rating, because someone waits for an answer. */
const kindOf = (rating: Rating, wantsContact: boolean): Kind =>
  wantsContact ? 'contact me' : rating < URGENT_BELOW ? 'complaint' : 'regular';

const sourceOf = (service: ReviewService | undefined, text: string | undefined): FeedbackSource =>
  service === 'Other' ? 'other service' : (service ?? (text ? 'open text' : 'none'));

/** Returns whether an amendment is the one in which the visitor asks to be contacted. */
export const addsContact = (before: Feedback, after: Feedback): boolean =>
  before.data.contact === undefined && after.data.contact !== undefined;

export const hasOpenedReview = (responses: readonly Response[]): boolean => responses.some(({ block }) => block === 'ExternalReview');

/** Returns whether two lists have the same responses, whatever the order of their fields. */
export const areSameResponses = (a: readonly Response[], b: readonly Response[]): boolean =>
  a.length === b.length && a.every((item, index) => canonical(item) === canonical(b[index]));

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** A response that a form didn't ask for: its index in the list, the wrong field, and a message. */
export interface WrongResponse {
  readonly index: number;
  readonly field: string;
  readonly message: string;
}

/** Returns the first response that a form with these steps didn't ask for, if any. */
export function wrongResponse(steps: readonly Step[], responses: readonly Response[]): WrongResponse | undefined {
  const blocks = new Map(steps.flatMap((step) => step.blocks ?? []).map((block) => [block.uuid, block]));
  const offered = servicesOf(steps);
  for (const [index, { uuid, block, response }] of responses.entries()) {
    const question = blocks.get(uuid);
    if (!question) return { index, field: 'uuid', message: 'This form has no such block' };
    if (question.blockType !== block) return { index, field: 'block', message: `This block is of type ${question.blockType}` };
    if (block === 'ExternalReview' && !offered.some(({ name }) => name === response.service)) {
      return { index, field: 'response.service', message: 'This form doesn’t link to that service' };
    }
  }
  return undefined;
}

/** Returns the first wish for contact without contact details, which is wrong unless some were left before. */
export function unreachable(responses: readonly Response[]): WrongResponse | undefined {
  for (const [index, { block, response }] of responses.entries()) {
    const [problem] = block === 'ContactMe' ? contactProblems(response) : [];
    if (problem) return { index, field: `response.${problem.field}`, message: problem.message };
  }
  return undefined;
}

/** Returns feedback as the visitor who sent it may see it. */
export function submissionOf({ id, sk, gs1sk, data }: Feedback): Submission {
  const { created, formId, projectId, rating, responses, converted } = data;
  const left = leftFieldsAfter([], responses);
  return { id, sk, gs1sk, data: { created, formId, projectId, rating, left, ...(converted !== undefined && { converted }) } };
}
