import type { Response } from '#contract/feedback.ts';
import { type Draft, type FormProps, fieldOfPath } from '#contract/form-page.ts';
import { mergeDrafts } from './outbox.ts';
import type { SendOutcome } from './send.ts';

/** What the form shows at a moment. */
export interface FormState extends Pick<FormProps, 'screen' | 'given' | 'errors' | 'notice'> {
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
} as const;

/** After another face was chosen. */
export const rated =
  (field: string): Change =>
  ({ errors: { [field]: _fixed, ...errors }, ...state }) => ({ ...state, errors });

/** Answers are about to be sent. Drafts are what the server takes as responses once it has checked them. */
export const sending =
  (drafts: readonly Draft[]): Change =>
  (state) => ({ ...state, given: mergeDrafts(state.given, drafts) as Response[] });

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
    return outcome.kind === 'held' ? { ...state, isHeld: true } : { ...state, isHeld: false, screen: 'done' };
  };

/** After answers that were stored or held back are accepted or refused. */
export const settled =
  (outcome: SendOutcome): Change =>
  (state) => {
    const isWaiting = state.notice === NOTICES.kept || state.notice === NOTICES.held;
    const answered = outcome.kind === 'refused' ? outcome.message : NOTICES.delivered;
    return {
      ...state,
      notice: isWaiting ? answered : state.notice,
      screen: outcome.kind === 'accepted' && state.isHeld ? 'done' : state.screen,
      isHeld: false,
    };
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
