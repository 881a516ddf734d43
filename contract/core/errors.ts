import * as v from 'valibot';

/** Every refusal of the server: its code, its HTTP status, and the text that people read. */
export const REFUSALS = {
  'bad-json': [400, 'The request is not valid JSON.'],
  'bad-input': [400, 'Please fix the highlighted input'],
  'too-complex': [400, 'The request is nested too deeply or has too many parts.'],
  'not-signed-in': [401, 'Please sign in.'],
  'subscription-ended': [
    402,
    'The subscription has ended. Your team can read and export everything, but not make changes until it is paid again.',
  ],
  'payment-declined': [402, 'The payment didn’t go through, and nothing was changed.'],
  'not-allowed': [403, 'You’re not allowed to do this.'],
  'sign-in-again': [403, 'For your safety, enter your password again.'],
  'no-account': [403, 'You’re signed in, but you have no account here.'],
  'sign-up-closed': [403, 'Sign-up is closed.'],
  'account-deleted': [403, 'This account was deleted.'],
  'not-found': [404, 'Not found.'],
  'unknown-operation': [404, 'This operation doesn’t exist.'],
  'method-not-allowed': [405, 'Method not allowed.'],
  'too-slow': [408, 'The request took too long to arrive.'],
  conflict: [409, 'Someone changed this at the same time. Please try again.'],
  'not-billed': [409, 'Billing is off here.'],
  'form-closed': [410, 'This form is no longer open.'],
  'kiosk-gone': [410, 'This tablet is no longer paired.'],
  'amend-closed': [410, 'This feedback can no longer be changed.'],
  'too-large': [413, 'The request is too large.'],
  'not-json': [415, 'Please send application/json.'],
  'too-many': [429, 'Too many requests. Please wait a moment.'],
  broken: [500, 'Something went wrong on our side. It has been logged.'],
  overloaded: [503, 'We’re very busy. Please try again in a moment.'],
  'payments-away': [503, 'We can’t reach the payment provider. Please try again in a moment.'],
  'database-away': [503, 'We can’t reach our database. Please try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type RefusalCode = keyof typeof REFUSALS;

/** One wrong field: its path (`payload.data.responses.0.response`) and what to do about it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An error as the API sends it: `application/problem+json` (RFC 9457). */
const problem = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  code: v.string(),
  detail: v.optional(v.string()),
  requestId: v.optional(v.string()),
  errors: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});
export type Problem = v.InferOutput<typeof problem>;

interface RefusalDetail {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** An expected refusal: rules and handlers throw it, and the edge turns it into a problem. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | undefined;

  constructor(code: RefusalCode, { detail, errors = [], retryAfter }: RefusalDetail = {}) {
    super(REFUSALS[code][1]);
    this.name = 'Refusal';
    this.code = code;
    this.status = REFUSALS[code][0];
    this.detail = detail;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** `throw refusal('not-allowed', 'Only admins can do this.')` */
export function refusal(code: RefusalCode, detail?: string | RefusalDetail): Refusal {
  return new Refusal(code, typeof detail === 'string' ? { detail } : detail);
}

/** Returns a refusal that lists each wrong field by its path from the top of the body. */
export function badInput(issues: readonly v.BaseIssue<unknown>[]): Refusal {
  return refusal('bad-input', { errors: fieldErrors(issues) });
}

/** The most invalid fields that a refusal lists. @limit named-errors */
const MOST_ERRORS = 20;

export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldError[] {
  return issues.slice(0, MOST_ERRORS).map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }));
}

const pathOf = (issue: v.BaseIssue<unknown>): string => issue.path?.map(({ key }) => String(key)).join('.') ?? '';

/** Returns a message that doesn't quote the input, which may be a person's words; Valibot's own messages do. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  if (issue.type === 'strict_object') return issue.expected === 'never' ? 'This field isn’t allowed here' : 'This field is missing';
  if (issue.received === 'undefined') return 'This field is missing';
  return issue.expected ? `Expected ${issue.expected}` : 'This value isn’t valid';
}

/** Returns a refusal of one field, by its path from the top of the body. */
export function badField(path: string, message: string): Refusal {
  return new Refusal('bad-input', { errors: [{ path, message }] });
}
