import type { ContactAnswer, Response } from '#contract/feedback/feedback.ts';
import {
  CONTACT_PARTS,
  type Draft,
  type FormNotice,
  type FormProps,
  fieldOfPath,
  isRating,
  leftFieldsAfter,
  type Origin,
  originOf,
  SAVED_AS_NEW,
} from '#contract/form/form-page.ts';
import type { SendOutcome } from './send.ts';
import type { AnswerStanding, RememberedVisit } from './visit.ts';

/** What the form shows at a moment. */
export interface FormState extends Origin, Pick<FormProps, 'submissionKey' | 'screen' | 'given' | 'left' | 'since' | 'errors' | 'notice'> {
  /** Whether React has taken over, and the state is this device's. */
  readonly isLive?: boolean;
  /** Whether the fields show what this device remembers, not what the page came with. */
  readonly isResumed?: boolean | undefined;
  /** What became of what was sent; undefined before anything was. */
  readonly standing?: AnswerStanding | undefined;
  /** What was sent, as it was sent. */
  readonly sent?: readonly Draft[] | undefined;
  /** Whether words or a contact stand in the fields that were not sent. */
  readonly hasUnsent?: boolean;
  /** Whether the submitted form is being sent. */
  readonly isBusy?: boolean;
  /** Whether a submitted form could be neither sent nor stored on the device. */
  readonly isHeld?: boolean;
  /** What the business names the visitor by in its link. */
  readonly userId?: string | undefined;
}

/** A transition of the form's state. */
type Change = (state: FormState) => FormState;

const wait = (text: string): FormNotice => ({ text, tone: 'wait' });
const good = (text: string): FormNotice => ({ text, tone: 'good' });

export const NOTICES = {
  kept: wait('No connection. We’ve kept your answer and will send it when you’re back online.'),
  away: wait('We couldn’t send it just now. We’ll keep trying.'),
  held: wait('Not sent yet. Please keep this page open: we’ll keep trying.'),
  delivered: good('Your feedback has arrived.'),
  earlier: good('Your feedback from last time has now been sent.'),
  newVisit: { text: 'Your earlier answer can no longer be changed. This starts a new one.', tone: 'plain' },
  savedAnew: SAVED_AS_NEW,
} as const satisfies Record<string, FormNotice>;

const HINT: FormNotice = { text: 'One tap is enough. Add a few words if you like.', tone: 'plain' };
const SAVED = good('Thanks, that’s saved. Anything to add?');
const UNSENT = {
  accepted: wait('Your rating is saved. What you added isn’t sent yet.'),
  kept: wait('No connection. Your rating is kept here. What you added isn’t sent yet.'),
  away: wait('We’ll keep trying to send your rating. What you added isn’t sent yet.'),
  held: NOTICES.held,
};

/** The one line that says what is saved and what is not; undefined while something is on its way. */
export function lineOf({ standing, hasUnsent, notice }: FormState): FormNotice | undefined {
  if (standing === 'sending') return notice;
  if (standing && hasUnsent) return UNSENT[standing];
  return notice ?? (standing === 'accepted' ? SAVED : standing ? NOTICES[standing] : HINT);
}

/** The form as a page comes with it. What a page knows of, the server has. */
export const begun = (props: FormProps): FormState => ({ ...props, standing: props.since === undefined ? undefined : 'accepted' });

/** After React took over: the page goes on where this device remembers it, with the words that were typed meanwhile. */
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
    notice: isNew ? NOTICES.newVisit : state.notice,
  });

/** What the device is to remember. Typed are the fields as they stand. */
export const visitOf = (
  { submissionKey: key, since, given, left, screen, standing, sent, userId, ...state }: FormState,
  typed: readonly Draft[],
): RememberedVisit => ({ key, since, given: replaced(given, typed), left, screen, standing, sent, userId, ...originOf(state) });

/** Another visit of the same page, because the hour of the one before is over: it begins with what stands in the fields. */
export const anew =
  (key: string): Change =>
  (state) => ({ ...state, submissionKey: key, since: Date.now(), left: [], sent: [], standing: 'sending', notice: NOTICES.newVisit });

/** The next person at this device: nothing of the former visit stays. */
export const emptied =
  (key: string): Change =>
  (state) => ({
    ...state,
    ...{ submissionKey: key, screen: 'experience', isResumed: false, hasUnsent: false, given: [], left: [], sent: [], errors: {} },
    ...{ since: undefined, standing: undefined, userId: undefined, notice: undefined },
  });

/** After another face was chosen. */
export const rated =
  (field: string): Change =>
  ({ errors: { [field]: _fixed, ...errors }, ...state }) => ({ ...state, errors });

/** Words were written, or something was sent: what stands in the fields and was not sent is said. */
export const typedOver =
  (typed: readonly Draft[]): Change =>
  (state) => {
    const hasUnsent = unsentOf(typed, state.sent).length > 0;
    return hasUnsent === Boolean(state.hasUnsent) ? state : { ...state, hasUnsent };
  };

/** What stands in the fields, and was not sent as it stands. */
export function unsentOf(typed: readonly Draft[], sent: readonly Draft[] = []): Draft[] {
  const before = new Set(sent.map((draft) => JSON.stringify(draft)));
  return typed.filter((draft) => saysSomething(draft) && !before.has(JSON.stringify(draft)));
}

function saysSomething({ block, response }: Draft): boolean {
  if (block === 'OpenText') return String(response).trim() !== '';
  // Made by `draftsOf`, which gives a contact's answer this shape.
  return block === 'ContactMe' && CONTACT_PARTS.some((part) => (response as ContactAnswer)[part]);
}

/** Answers are about to be sent. Drafts are what the server takes as responses once it has checked them. */
export const sending =
  (drafts: readonly Draft[]): Change =>
  (state) => ({ ...state, since: state.since ?? Date.now(), given: replaced(state.given, drafts), standing: 'sending' });

/** Drafts in the place of what was given to the same blocks; shown as they are typed. */
const replaced = (given: readonly Draft[], drafts: readonly Draft[]): Response[] =>
  [...given.filter(({ uuid }) => !drafts.some((draft) => draft.uuid === uuid)), ...drafts] as Response[];

/** After answers were sent, a rating alone or all of them. */
export const sent =
  (outcome: SendOutcome, drafts: readonly Draft[]): Change =>
  (state) => {
    const { kind } = outcome;
    if (kind === 'refused') return { ...state, standing: undefined, notice: wait(outcome.message) };
    const isAnew = kind === 'accepted' && state.notice === NOTICES.newVisit;
    return { ...state, standing: kind, sent: replaced(state.sent ?? [], drafts), notice: isAnew ? SAVED_AS_NEW : undefined };
  };

/** After the whole form was submitted. */
export const submitted =
  (outcome: SendOutcome): Change =>
  (before) => {
    const state = { ...before, isBusy: false, errors: {} };
    if (outcome.kind === 'refused') {
      const errors = errorsOf(outcome);
      return { ...state, errors, notice: Object.keys(errors).length > 0 ? undefined : wait(outcome.message) };
    }
    // Neither accepted nor kept: no thanks yet.
    return outcome.kind === 'held' ? { ...state, isHeld: true } : done(state);
  };

/** What was taken is said to be there from now on, and shown no more: the next person may hold the same device. */
const done: Change = (state) => ({
  ...state,
  isHeld: false,
  hasUnsent: false,
  screen: 'done',
  given: state.given.filter(isRating),
  sent: state.sent?.filter(isRating),
  left: leftFieldsAfter(state.left, state.given),
});

/** After answers that were stored or held back are accepted or refused. */
export const settled =
  (outcome: SendOutcome): Change =>
  (state) => {
    const isWaiting = state.standing === 'kept' || state.standing === 'away' || state.standing === 'held';
    if (!isWaiting) return state;
    if (outcome.kind !== 'accepted') return { ...sent(outcome, [])(state), isHeld: false };
    const arrived: FormState = { ...state, standing: 'accepted', notice: NOTICES.delivered };
    return state.isHeld ? done(arrived) : arrived;
  };

/** After what an earlier visit left on this device was accepted. */
export const earlierArrived: Change = (state) => ({ ...state, notice: state.notice ?? NOTICES.earlier });

/** After the server said that a key's hour is over: its answers went on under another. */
export const renewed =
  (key: string, another: string): Change =>
  (state) =>
    state.submissionKey === key
      ? { ...state, submissionKey: another, since: Date.now(), left: [], sent: [], notice: NOTICES.newVisit }
      : state;

/** Error messages by the name of the field. */
export function errorsOf({ errors, drafts }: Extract<SendOutcome, { kind: 'refused' }>): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message] as const];
    }),
  );
}
