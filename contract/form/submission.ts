import { contactProblems, mergeContact } from '../core/contact.ts';
import type { ContactAnswer, Feedback, FeedbackSource, Kind, Response, Submission } from '../feedback/feedback.ts';
import { isUrgent, type Rating, URGENT_BELOW } from '../feedback/rating.ts';
import type { Step } from './form.ts';
import { type Draft, leftFieldsAfter } from './form-page.ts';
import type { ReviewService } from './review.ts';
import { servicesOf } from './steps.ts';

/* The rules of submissions: what follows from a visitor's responses. The server and the demo share them. */

/** How long feedback can be amended by the holder of its key, from its creation (ms). */
export const AMEND_WINDOW = 60 * 60_000;

/** Times are UTC ms. */
export const canBeAmended = (created: number, now: number): boolean => now <= created + AMEND_WINDOW;

/** What follows from a visitor's responses. */
export interface Derived {
  readonly rating: Rating;
  readonly text: string | undefined;
  readonly contact: { name?: string; phone?: string; email?: string } | undefined;
  readonly urgent: boolean;
  readonly kind: Kind;
  readonly source: FeedbackSource;
}

/** A response replaces one with the same uuid or is appended (docs/rules.md#amending). Order of first answers is kept. */
export function mergeResponses<One extends Draft>(given: readonly One[], added: readonly One[]): One[] {
  const merged = new Map(given.map((one) => [one.uuid, one]));
  for (const one of added) merged.set(one.uuid, over(merged.get(one.uuid), one));
  return [...merged.values()];
}

function over<One extends Draft>(before: One | undefined, after: One): One {
  if (before?.block !== 'ContactMe' || after.block !== 'ContactMe') return after;
  return { ...after, response: mergeContact(before.response as ContactAnswer, after.response as ContactAnswer) };
}

/** Rating, text, contact, urgency, kind and source, all from the responses; undefined while there is no rating. */
export function derive(responses: readonly Response[]): Derived | undefined {
  const given = responses.find((one) => one.block === 'EmojiGauge')?.response;
  if (given === undefined) return undefined;
  const written = responses.find((one) => one.block === 'OpenText')?.response.trim();
  const contact = contactOf(responses);
  const opened = responses.findLast((one) => one.block === 'ExternalReview')?.response.service;
  return {
    rating: given,
    text: written || undefined,
    contact,
    urgent: isUrgent(given, contact !== undefined),
    kind: kindOf(given, contact !== undefined),
    source: sourceOf(opened, written),
  };
}

function contactOf(responses: readonly Response[]): Derived['contact'] {
  const answer = responses.find((one) => one.block === 'ContactMe')?.response;
  if (answer?.answer !== 'Yes') return undefined;
  const { name, phone, email } = answer;
  return {
    ...(name?.trim() && { name: name.trim() }),
    ...(phone?.trim() && { phone: phone.trim() }),
    ...(email?.trim() && { email: email.trim() }),
  };
}

/** Asking to be contacted outranks the rating: somebody waits for an answer. */
const kindOf = (given: Rating, wantsContact: boolean): Kind =>
  wantsContact ? 'contact me' : given < URGENT_BELOW ? 'complaint' : 'regular';

const sourceOf = (opened: ReviewService | undefined, written: string | undefined): FeedbackSource =>
  opened === 'Other' ? 'other service' : (opened ?? (written ? 'open text' : 'none'));

/** Whether an amendment is the one with which the visitor asks to be contacted. */
export const addsContact = (before: Feedback, after: Feedback): boolean =>
  before.data.contact === undefined && after.data.contact !== undefined;

export const hasOpenedReview = (responses: readonly Response[]): boolean => responses.some(({ block }) => block === 'ExternalReview');

/** Whether two lists hold the same responses, whatever the order of their fields. */
export const areSameResponses = (one: readonly Response[], other: readonly Response[]): boolean =>
  one.length === other.length && one.every((each, index) => canonical(each) === canonical(other[index]));

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** A response that a form did not ask for: its index in the list, the field that shows it, and what is wrong. */
export interface WrongResponse {
  readonly index: number;
  readonly field: string;
  readonly message: string;
}

/** The first of the responses that a form with these steps did not ask for. */
export function wrongResponse(steps: readonly Step[], responses: readonly Response[]): WrongResponse | undefined {
  const blocks = new Map(steps.flatMap((step) => step.blocks ?? []).map((block) => [block.uuid, block]));
  const offered = servicesOf(steps);
  for (const [index, { uuid, block, response }] of responses.entries()) {
    const asked = blocks.get(uuid);
    if (!asked) return { index, field: 'uuid', message: 'This form has no such block' };
    if (asked.blockType !== block) return { index, field: 'block', message: `This block is of type ${asked.blockType}` };
    if (block === 'ExternalReview' && !offered.some(({ name }) => name === response.service)) {
      return { index, field: 'response.service', message: 'This form does not point to that service' };
    }
  }
  return undefined;
}

/** The first wish to be contacted that leaves no way to do it: wrong, unless a phone number or an email was left before. */
export function unreachable(responses: readonly Response[]): WrongResponse | undefined {
  for (const [index, { block, response }] of responses.entries()) {
    const [problem] = block === 'ContactMe' ? contactProblems(response) : [];
    if (problem) return { index, field: `response.${problem.field}`, message: problem.message };
  }
  return undefined;
}

/** Feedback as the visitor who sent it may see it. */
export function submissionOf({ id, sk, gs1sk, data }: Feedback): Submission {
  const { created, formId, projectId, rating, responses, converted } = data;
  const left = leftFieldsAfter([], responses);
  return { id, sk, gs1sk, data: { created, formId, projectId, rating, left, ...(converted !== undefined && { converted }) } };
}
