import type * as v from 'valibot';
import { type RefusalCode, refusal } from './errors.ts';

/** Who may call an operation. The server decides; a page only mirrors the decision. */
export type Access = 'visitor' | 'member' | 'admin' | 'operator';

/** The rights of an API key (docs/decisions/0004-access.md). */
export const KEY_SCOPES = ['read-feedback', 'request-feedback', 'export'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The refusals of one operation besides the common ones, each with a sentence that says when. */
type Refusals = Readonly<Partial<Record<RefusalCode, string>>>;

/** The declaration of one operation of the API: the dispatcher, the client and `GET /api/operations` read it. */
export interface Operation<
  Input extends v.GenericSchema = v.GenericSchema,
  Answer extends v.GenericSchema = v.GenericSchema,
  Who extends Access = Access,
  Refused extends Refusals = Refusals,
> {
  readonly access: Who;
  readonly summary: string;
  readonly input: Input;
  readonly answer: Answer;
  /** Left out if the operation has only the common refusals. */
  readonly refusals?: Refused;
  /** The scope with which an API key may call it. Left out: no key may. */
  readonly keyScope?: KeyScope;
  /** True if people of a deleted account may also call it. */
  readonly whileDeleted?: true;
  /** True if people of an account whose subscription has ended may also call it: it reads, pays, exports or deletes. */
  readonly whileEnded?: true;
  /** Requires a sign-in within the last 15 minutes (docs/limits.md#fresh-sign-in), so that a stolen session isn't enough. */
  readonly isGuarded?: boolean;
  /** Concerns the caller’s own sign-in, or whether they have a team, so an operator without a team may also call it. */
  readonly isOwn?: boolean;
  /** The audit event of an operator’s operation. The dispatcher records it, with data from the input. */
  readonly records?: keyof AuditEvents;
}

/** An operation as `GET /api/operations` describes it. */
export interface DescribedOperation {
  readonly service: string;
  readonly action: string;
  readonly access: Access;
  readonly keyScope?: KeyScope | undefined;
  readonly summary: string;
  /** The whole body of a call, about records that don't exist. */
  readonly sample: object;
  /** JSON Schemas. */
  readonly input: object;
  readonly answer: object;
  readonly refusals: readonly { readonly code: string; readonly status: number; readonly when: string }[];
}

/**
 * The events that operators' operations record. Each is added where its operation is declared.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface AuditEvents {}

/** A service's operations by action: `{ list, get, save, … }`. */
export type Service = Readonly<Record<string, Operation>>;

/** The input that a caller sends, besides `service` and `action`. */
export type SentInput<Op extends Operation> = v.InferInput<Op['input']>;
/** The input that a handler receives: checked, with defaults filled in. */
export type Input<Op extends Operation> = v.InferOutput<Op['input']>;
/** The answer that a handler returns and a caller receives. */
export type Answer<Op extends Operation> = v.InferOutput<Op['answer']>;
/** The refusals that a caller can receive. */
export type RefusalOf<Op extends Operation> =
  | (keyof NonNullable<Op['refusals']> & RefusalCode)
  | keyof typeof COMMON_REFUSALS
  | 'not-signed-in'
  | 'no-account'
  | 'account-deleted'
  | 'not-allowed'
  | 'sign-in-again'
  | 'subscription-ended';

/** The values in examples: ids of records in the caller's account, and unused values. Each entity adds its own. */
export interface ExampleSubjects {
  readonly accountId: string;
  readonly userId: string;
  readonly propertyId: string;
  readonly formId: string;
  readonly feedbackId: string;
  readonly tagId: string;
  /** The caller's email. */
  readonly email: string;
  /** The id of one of the caller's sessions. */
  readonly sessionId: string;
  /** From an invitation email. */
  readonly invitationKey: string;
  /** From the email about a reset of two-step sign-in. */
  readonly resetKey: string;
  readonly lockKey: string;
  /** Characters that were never used before: at least 22 of a-z and 0-9. */
  readonly unused: string;
  /** UTC ms. */
  readonly now: number;
}
/** An example input of each operation, which the server accepts from a caller with access if the records exist. */
export type Examples<S extends Service> = { readonly [Action in keyof S]: (about: ExampleSubjects) => SentInput<S[Action]> };

/** Returns its argument, with the types of input, answer, access and refusals inferred. */
// @__NO_SIDE_EFFECTS__
export function operation<
  const Input extends v.GenericSchema,
  const Answer extends v.GenericSchema,
  const Who extends Access,
  // biome-ignore lint/complexity/noBannedTypes: an operation without refusals of its own
  const Refused extends Refusals = {},
>(declaration: Operation<Input, Answer, Who, Refused>): Operation<Input, Answer, Who, Refused> {
  return declaration;
}

/** Throws `not-allowed` if an API key with these scopes may not call an operation. */
export function checkMayCallWithKey(keyScope: KeyScope | undefined, scopes: readonly KeyScope[]): void {
  if (keyScope === undefined) throw refusal('not-allowed', 'API keys can’t do this.');
  if (!scopes.includes(keyScope)) throw refusal('not-allowed', `This API key lacks the scope ${keyScope}.`);
}

const DENIED: Record<Exclude<Access, 'visitor'>, string> = {
  member: 'Only members of the team can do this.',
  admin: 'Only admins can do this.',
  operator: 'Only operators can do this.',
};

/** Throws `not-allowed` if a person on a team may not call an operation with this access. */
export function checkMayCall(
  access: Exclude<Access, 'visitor'>,
  { level, isOperator }: { readonly level: 'admin' | 'user'; readonly isOperator: boolean },
): void {
  const may = { member: true, admin: level === 'admin', operator: isOperator };
  if (!may[access]) throw refusal('not-allowed', DENIED[access]);
}

/** The errors that any operation can return, and when. */
export const COMMON_REFUSALS = {
  'bad-input': 'A field is missing, unknown or wrong; `errors` names each by its path.',
  'bad-json': 'The body is not JSON.',
  'not-json': 'The body’s content type isn’t JSON.',
  'too-complex': 'The body is nested too deeply or has too many parts.',
  'too-large': 'The body is too large.',
  'too-slow': 'The body took too long to arrive.',
  'too-many': 'Too many requests. `Retry-After` says when to retry.',
  overloaded: 'The server is busy. `Retry-After` says when to retry.',
  'database-away': 'The database can’t be reached. `Retry-After` says when to retry.',
  broken: 'A bug in the server. It is logged under the request’s id.',
} as const satisfies Refusals;

const SIGNED_IN: Refusals = {
  'not-signed-in': 'The access token is missing or invalid, its session has ended, or its person is no longer on a team.',
  'account-deleted': 'The caller’s account was deleted and can still be restored; `account.deletion` says until when.',
  'no-account': 'The access token is valid, but its person has no account here.',
};
const GUARDED: Refusals = { 'sign-in-again': 'The sign-in is older than 15 minutes, so the password must be entered again.' };
const PAID: Refusals = { 'subscription-ended': 'The account’s trial or subscription has ended, so it is read-only.' };
const ALLOWED: Refusals = { 'not-allowed': 'The person isn’t allowed to do this, or the API key lacks the scope for it.' };

/** Returns whether an operation is refused once the account's subscription has ended. */
export const needsSubscription = ({ access, isOwn, whileEnded }: Pick<Operation, 'access' | 'isOwn' | 'whileEnded'>): boolean =>
  (access === 'member' || access === 'admin') && !isOwn && !whileEnded;

/** Returns every refusal of an operation, and when it occurs. */
export function refusalsOf({
  refusals = {},
  ...operation
}: Pick<Operation, 'access' | 'isGuarded' | 'isOwn' | 'refusals' | 'whileEnded'>): Refusals {
  const { access, isGuarded } = operation;
  return {
    ...COMMON_REFUSALS,
    ...(access !== 'visitor' && SIGNED_IN),
    ...(isGuarded && GUARDED),
    ...(needsSubscription(operation) && PAID),
    ...(access !== 'visitor' && ALLOWED),
    ...refusals,
  };
}
