import type { ContactAnswer, Response } from '#contract/feedback/feedback.ts';
import {
  type Draft,
  type FormProps,
  fieldOfPath,
  isRating,
  leftFieldsAfter,
  type NoticeName,
  type Origin,
  originOf,
} from '#contract/form/form-page.ts';
import type { PageWords } from '#contract/language/words.ts';
import type { SendOutcome } from './send.ts';
import type { AnswerStatus, RememberedVisit } from './visit.ts';

/** The form's state. */
export interface FormState
  extends Origin,
    Pick<FormProps, 'submissionKey' | 'screen' | 'given' | 'left' | 'since' | 'errors' | 'notice' | 'language' | 'words'> {
  /** The page has hydrated, and the state is this device's. */
  readonly isLive?: boolean;
  /** The fields show this device's remembered visit instead of the page's. */
  readonly isResumed?: boolean | undefined;
  /** The status of the answers; undefined before any were sent. */
  readonly standing?: AnswerStatus | undefined;
  /** The answers as they were sent. */
  readonly sent?: readonly Draft[] | undefined;
  /** The fields contain unsent text or contact details. */
  readonly hasUnsent?: boolean;
  /** The submitted form is being sent. */
  readonly isBusy?: boolean;
  /** The submitted form could be neither sent nor stored on the device. */
  readonly isHeld?: boolean;
  /** The visitor's id in the business's link. */
  readonly userId?: string | undefined;
}

/** A transition of the form's state. */
type Change = (state: FormState) => FormState;

/** The sentence while text was typed that isn't sent, by the status of what was. */
const UNSENT = { accepted: 'unsent', kept: 'unsentKept', away: 'unsentAway', held: 'held' } as const satisfies Record<string, NoticeName>;

/** Returns the sentence about what is saved and what isn't; undefined while sending. */
export function lineOf({ standing, hasUnsent, notice }: FormState): NoticeName | undefined {
  if (standing === 'sending') return notice;
  if (standing && hasUnsent) return UNSENT[standing];
  return notice ?? (standing === 'accepted' ? 'saved' : (standing ?? 'hint'));
}

/** Returns the state of a page from the server. A rating on it is already saved. */
export const initialState = (props: FormProps): FormState => ({ ...props, standing: props.since === undefined ? undefined : 'accepted' });

/** After hydration: continues the remembered visit, with text typed before. */
export const resumed =
  (
    { key, given, left = [], screen = 'experience', since, standing, sent, userId, isNew, isResumed, ...origin }: RememberedVisit,
    words: readonly Draft[] = [],
  ): Change =>
  (state) => ({
    ...state,
    isLive: true,
    isResumed: isResumed && given !== undefined,
    submissionKey: key,
    userId,
    ...originOf(origin),
    ...(given && { given: replaced(given, words), left, screen, since, sent, standing: standing === 'sending' ? undefined : standing }),
    notice: isNew ? 'newVisit' : state.notice,
  });

/** Returns the visit to remember, with the fields' current content. A finished visit is remembered without words. */
export function visitOf(state: FormState, typed: readonly Draft[]): RememberedVisit {
  const { submissionKey: key, since, given, left, screen, standing, sent, userId } = state.screen === 'done' ? withoutWords(state) : state;
  return { key, since, given: replaced(given, typed), left, screen, standing, sent, userId, ...originOf(state) };
}

/** Starts a new visit on the same page once the previous one's hour is over, with the fields' current content. */
export const restarted =
  (key: string): Change =>
  (state) => ({ ...state, submissionKey: key, since: Date.now(), left: [], sent: [], standing: 'sending', notice: 'newVisit' });

/** Clears the visit for the next visitor at this device. */
export const cleared =
  (key: string): Change =>
  (state) => ({
    ...state,
    ...{ submissionKey: key, screen: 'experience', isResumed: false, hasUnsent: false, given: [], left: [], sent: [], errors: {} },
    ...{ since: undefined, standing: undefined, userId: undefined, ref: undefined, notice: undefined },
  });

/** After another face was chosen. */
export const rated =
  (field: string): Change =>
  ({ errors: { [field]: _fixed, ...errors }, ...state }) => ({ ...state, errors });

/** After typing or sending: updates `hasUnsent`. */
export const fieldsChanged =
  (typed: readonly Draft[]): Change =>
  (state) => {
    const hasUnsent = unsentOf(typed, state.sent).length > 0;
    return hasUnsent === Boolean(state.hasUnsent) ? state : { ...state, hasUnsent };
  };

/** Returns the fields' content that wasn't sent in its current form. */
export function unsentOf(typed: readonly Draft[], sent: readonly Draft[] = []): Draft[] {
  const before = new Set(sent.map((draft) => JSON.stringify(draft)));
  return typed.filter((draft) => hasContent(draft) && !before.has(JSON.stringify(draft)));
}

const hasContent = (draft: Draft): boolean => leftFieldsAfter([], [draft]).length > 0;

/** Before answers are sent. Drafts become responses once the server has checked them. */
export const sending =
  (drafts: readonly Draft[]): Change =>
  (state) => ({ ...state, since: state.since ?? Date.now(), given: replaced(state.given, drafts), standing: 'sending' });

/** Replaces answers to the same blocks with drafts, as typed. */
const replaced = (given: readonly Draft[], drafts: readonly Draft[]): Response[] =>
  [...given.filter(({ uuid }) => !drafts.some((draft) => draft.uuid === uuid)), ...drafts] as Response[];

/** After answers were sent, a rating alone or all of them. */
export const sent =
  (outcome: SendOutcome, drafts: readonly Draft[]): Change =>
  (state) => {
    const { kind } = outcome;
    if (kind === 'refused') return { ...state, standing: undefined, notice: outcome.reason };
    const isNewVisit = kind === 'accepted' && state.notice === 'newVisit';
    return { ...state, standing: kind, sent: replaced(state.sent ?? [], drafts), notice: isNewVisit ? 'savedAsNew' : undefined };
  };

/** After the whole form was submitted, and perhaps edited since. */
export const submitted =
  (outcome: SendOutcome, isEdited = false): Change =>
  (before) => {
    const state = { ...before, isBusy: false, errors: {} };
    if (outcome.kind === 'refused') {
      const errors = errorsOf(outcome, state.words);
      return { ...state, errors, notice: Object.keys(errors).length > 0 ? undefined : outcome.reason };
    }
    // Neither accepted nor stored, so no thanks yet.
    if (outcome.kind === 'held') return { ...state, isHeld: true };
    return isEdited ? state : done(state);
  };

/** Adds an empty part to a contact for each detail that was sent and then cleared: the server keeps the value of a missing part. */
export const withCleared = (drafts: readonly Draft[], sent: readonly Draft[] = []): Draft[] =>
  drafts.map((draft) => {
    const parts = Object.keys(sent.find(({ uuid }) => uuid === draft.uuid)?.response ?? {}).map((part) => [part, '']);
    return isContact(draft) ? { ...draft, response: { ...Object.fromEntries(parts), ...draft.response } } : draft;
  });

/** Narrows to a contact's answer, which `draftsOf` gives its shape. */
const isContact = (draft: Draft): draft is Draft & { readonly response: ContactAnswer } => draft.block === 'ContactMe';

const done: Change = (state) => ({ ...state, isHeld: false, hasUnsent: false, screen: 'done' });

/** Keeps which fields were filled in, but not their content, because others may use the device. */
const withoutWords: Change = (state) => ({
  ...state,
  given: state.given.filter(isRating),
  sent: state.sent?.filter(isRating),
  left: leftFieldsAfter(state.left, state.given),
});

/** Shows the first screen again, with what was typed there unless visitors may share the device. */
export const changing =
  (isShared: boolean): Change =>
  (state) => ({ ...(isShared ? withoutWords(state) : state), screen: 'experience' });

/** After waiting answers are accepted or refused. Refused ones are shown again, because nothing of them was saved. */
export const settled =
  (outcome: SendOutcome): Change =>
  (state) => {
    const isWaiting = state.standing === 'kept' || state.standing === 'away' || state.standing === 'held';
    if (!isWaiting) return state;
    if (outcome.kind === 'refused') return { ...sent(outcome, [])(state), isHeld: false, screen: 'experience' };
    if (outcome.kind !== 'accepted') return { ...sent(outcome, [])(state), isHeld: false };
    const arrived: FormState = { ...state, standing: 'accepted', notice: 'delivered', isHeld: false };
    return state.isHeld && !state.hasUnsent ? done(arrived) : arrived;
  };

/** After answers of an earlier visit are accepted. */
export const earlierArrived: Change = (state) => ({ ...state, notice: state.notice ?? 'earlier' });

/** After a key's hour is over and its answers got another key. */
export const renewed =
  (key: string, newKey: string): Change =>
  (state) =>
    state.submissionKey === key ? { ...state, submissionKey: newKey, since: Date.now(), left: [], sent: [], notice: 'newVisit' } : state;

/** Returns error messages by field name. The page checks the fields itself, so the server's reasons need no words of their own. */
export function errorsOf({ errors, drafts }: Extract<SendOutcome, { kind: 'refused' }>, { badField }: Pick<PageWords, 'badField'>) {
  const fields = errors.flatMap(({ path }) => fieldOfPath(path, drafts) ?? []);
  return Object.fromEntries(fields.map((field) => [field, badField]));
}
