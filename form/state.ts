import type { Response } from '#contract/feedback.ts';
import { type Draft, type FormProps, fieldOfPath } from '#contract/form-page.ts';
import { mergeDrafts } from './outbox.ts';
import type { Outcome } from './send.ts';

/** What the form shows at a moment. */
export interface FormState extends Pick<FormProps, 'screen' | 'given' | 'errors' | 'notice'> {
  /** The rating alone has arrived. */
  readonly isSaved: boolean;
  /** A whole form is on its way. */
  readonly isBusy: boolean;
  /** A whole form was sent that neither arrived nor could be kept. */
  readonly isHeld: boolean;
}

/** What can happen to a form. */
export type FormEvent =
  | { readonly type: 'rated'; readonly field: string }
  | { readonly type: 'sending'; readonly drafts: readonly Draft[] }
  | { readonly type: 'sent'; readonly outcome: Outcome }
  | { readonly type: 'submitting' }
  | { readonly type: 'submitted'; readonly outcome: Outcome }
  | { readonly type: 'invalid'; readonly errors: Readonly<Record<string, string>> }
  /** What was kept or held back has an answer at last. */
  | { readonly type: 'settled'; readonly outcome: Outcome }
  | { readonly type: 'changing' };

export const NOTICES = {
  kept: 'You seem to be offline. Your feedback is kept on this device and will be sent as soon as possible.',
  held: 'Not sent yet. Please keep this page open: we keep trying.',
  delivered: 'Your feedback has arrived.',
} as const;

export const stateOf = ({ screen, given, errors, notice }: FormProps): FormState => ({
  screen,
  given,
  errors,
  notice,
  isSaved: false,
  isBusy: false,
  isHeld: false,
});

/** The form after something happened to it. */
export function next(state: FormState, event: FormEvent): FormState {
  switch (event.type) {
    case 'rated': {
      const { [event.field]: _fixed, ...errors } = state.errors;
      return { ...state, errors };
    }
    case 'sending':
      // Drafts are what the server takes as responses once it has checked them.
      return { ...state, given: mergeDrafts(state.given, event.drafts) as Response[] };
    case 'sent':
      return { ...state, isSaved: state.isSaved || event.outcome.kind === 'accepted', notice: noticeOf(event.outcome) };
    case 'submitting':
      return { ...state, isBusy: true };
    case 'submitted':
      return afterSubmitting({ ...state, isBusy: false }, event.outcome);
    case 'invalid':
      return { ...state, errors: event.errors };
    case 'settled':
      return afterSettling(state, event.outcome);
    case 'changing':
      return { ...state, screen: 'experience' };
  }
}

const noticeOf = ({ kind }: Outcome): string | undefined => (kind === 'kept' || kind === 'held' ? NOTICES[kind] : undefined);

function afterSubmitting(state: FormState, outcome: Outcome): FormState {
  if (outcome.kind === 'refused') {
    const errors = errorsOf(outcome);
    return { ...state, errors, notice: Object.keys(errors).length > 0 ? undefined : outcome.message };
  }
  // Neither accepted nor kept: no thanks yet.
  if (outcome.kind === 'held') return { ...state, errors: {}, isHeld: true };
  return { ...state, errors: {}, isHeld: false, screen: 'done' };
}

function afterSettling(state: FormState, outcome: Outcome): FormState {
  const isWaiting = state.notice === NOTICES.kept || state.notice === NOTICES.held;
  const answered = outcome.kind === 'refused' ? outcome.message : NOTICES.delivered;
  return {
    ...state,
    notice: isWaiting ? answered : state.notice,
    screen: outcome.kind === 'accepted' && state.isHeld ? 'done' : state.screen,
    isHeld: false,
  };
}

/** What to fix, by the name of the field. */
export function errorsOf({ errors, drafts }: Extract<Outcome, { kind: 'refused' }>): Record<string, string> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldOfPath(path, drafts);
      return field === undefined ? [] : [[field, message] as const];
    }),
  );
}
