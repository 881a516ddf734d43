import type { Response } from '#contract/feedback.ts';
import { type Draft, type FormProps, fieldOfPath, leftAfter } from '#contract/form-page.ts';
import type { SendOutcome } from './send.ts';
import type { RememberedVisit } from './visit.ts';

/** What the form shows at a moment. */
export interface FormState extends Pick<FormProps, 'submissionKey' | 'screen' | 'given' | 'left' | 'errors' | 'notice'> {
  /** Whether React has taken over, and the state is this device's. */
  readonly isLive?: boolean;
  /** Whether the fields show what this device remembers, not what the page came with. */
  readonly isResumed?: boolean | undefined;
  /** When a face was chosen first (UTC ms). */
  readonly since?: number | undefined;
  /** Whether the rating was saved, and the rest was not sent yet. */
  readonly isSaved?: boolean;
  /** Whether the submitted form is being sent. */
  readonly isBusy?: boolean;
  /** Whether a submitted form could be neither sent nor stored on the device. */
  readonly isHeld?: boolean;
}

/** A transition of the form's state. */
type Change = (state: FormState) => FormState;

export const NOTICES = {
  kept: 'You seem to be offline. Your feedback is kept on this device and will be sent as soon as possible.',
  held: 'Not sent yet. Please keep this page open: we keep trying.',
  delivered: 'Your feedback has arrived.',
  newVisit: 'Your answer from before can no longer be changed. This starts a new one.',
} as const;

/** After React took over: the page goes on where this device remembers it, with the words that were typed meanwhile. */
export const resumed =
  ({ key, given, left = [], screen = 'experience', since, isNew, isResumed }: RememberedVisit, words: readonly Draft[] = []): Change =>
  (state) => ({
    ...state,
    isLive: true,
    isResumed: isResumed && given !== undefined,
    submissionKey: key,
    ...(given && { given: replaced(given, words), left, screen, since }),
    notice: isNew ? NOTICES.newVisit : state.notice,
  });

/** What the device is to remember. Typed are the fields as they stand. */
export const visitOf = ({ submissionKey: key, since, given, left, screen }: FormState, typed: readonly Draft[]): RememberedVisit => ({
  key,
  since,
  given: replaced(given, typed),
  left,
  screen,
});

/** After another face was chosen. */
export const rated =
  (field: string): Change =>
  ({ errors: { [field]: _fixed, ...errors }, ...state }) => ({ ...state, errors });

/** Answers are about to be sent. Drafts are what the server takes as responses once it has checked them. */
export const sending =
  (drafts: readonly Draft[]): Change =>
  (state) => ({ ...state, since: state.since ?? Date.now(), given: replaced(state.given, drafts) });

/** Drafts in the place of what was given to the same blocks; shown as they are typed. */
const replaced = (given: readonly Response[], drafts: readonly Draft[]): Response[] =>
  [...given.filter(({ uuid }) => !drafts.some((draft) => draft.uuid === uuid)), ...drafts] as Response[];

/** After answers were sent, a rating alone or all of them. */
export const sent =
  ({ kind }: SendOutcome): Change =>
  (state) => ({
    ...state,
    isSaved: state.isSaved || kind === 'accepted',
    notice: kind === 'kept' || kind === 'held' ? NOTICES[kind] : undefined,
  });

/** After the whole form was submitted. */
export const submitted =
  (outcome: SendOutcome): Change =>
  (before) => {
    const state = { ...before, isBusy: false, errors: {} };
    if (outcome.kind === 'refused') {
      const errors = errorsOf(outcome);
      return { ...state, errors, notice: Object.keys(errors).length > 0 ? undefined : outcome.message };
    }
    // Neither accepted nor kept: no thanks yet.
    return outcome.kind === 'held' ? { ...state, isHeld: true } : done(state);
  };

/** What was taken is said to be there from now on, and shown no more: the next person may hold the same device. */
const done: Change = (state) => ({
  ...state,
  isHeld: false,
  screen: 'done',
  given: state.given.filter(({ block }) => block === 'EmojiGauge'),
  left: leftAfter(state.left, state.given),
});

/** After answers that were stored or held back are accepted or refused. */
export const settled =
  (outcome: SendOutcome): Change =>
  (state) => {
    const isWaiting = state.notice === NOTICES.kept || state.notice === NOTICES.held;
    const answered = outcome.kind === 'refused' ? outcome.message : NOTICES.delivered;
    const after = outcome.kind === 'accepted' && state.isHeld ? done(state) : { ...state, isHeld: false };
    return { ...after, notice: isWaiting ? answered : state.notice };
  };

/** Error messages by the name of the field. */
export function errorsOf({ errors, drafts }: Extract<SendOutcome, { kind: 'refused' }>): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message] as const];
    }),
  );
}
