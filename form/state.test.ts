import { describe, expect, it } from 'vitest';
import type { FormProps } from '#contract/form-page.ts';
import type { Outcome } from './send.ts';
import { type FormEvent, NOTICES, next, stateOf } from './state.ts';

const props: FormProps = {
  formId: 'FORM_Pier04',
  submissionKey: 'k'.repeat(24),
  place: 'Pier 4',
  steps: [],
  inviteToReview: 'good',
  screen: 'experience',
  given: [],
  errors: {},
};
const GAUGE = 'c1f3b2de-0000-4000-8000-000000000002';
const rating = { uuid: GAUGE, block: 'EmojiGauge', response: 4 } as const;
const refused = (errors: { path: string; message: string }[]): Outcome => ({ kind: 'refused', message: 'No.', errors, drafts: [rating] });
const accepted: Outcome = { kind: 'accepted' };

const shown = (...events: FormEvent[]) => events.reduce(next, stateOf(props));

describe('a form', () => {
  it('remembers what was typed before it is sent, and says that a rating arrived', () => {
    const sending = shown({ type: 'sending', drafts: [rating] });
    expect(sending).toMatchObject({ given: [rating], isSaved: false });
    expect(next(sending, { type: 'sent', outcome: accepted })).toMatchObject({ isSaved: true, notice: undefined, screen: 'experience' });
    const again = next(sending, { type: 'sending', drafts: [{ ...rating, response: 2 }] });
    expect(again.given).toEqual([{ ...rating, response: 2 }]);
  });

  it('thanks once the whole is accepted, or kept on the device', () => {
    for (const kind of ['accepted', 'kept'] as const)
      expect(shown({ type: 'submitting' }, { type: 'submitted', outcome: { kind } })).toMatchObject({ screen: 'done', isBusy: false });
    expect(shown({ type: 'sent', outcome: { kind: 'kept' } }).notice).toBe(NOTICES.kept);
  });

  it('does not thank for what is only held, until it arrived', () => {
    const outcome = { kind: 'held' } as const;
    const held = shown({ type: 'submitting' }, { type: 'sent', outcome }, { type: 'submitted', outcome });
    expect(held).toMatchObject({ screen: 'experience', isBusy: false, isHeld: true, notice: NOTICES.held });
    expect(next(held, { type: 'settled', outcome: accepted })).toMatchObject({ screen: 'done', notice: NOTICES.delivered, isHeld: false });
    expect(next(held, { type: 'settled', outcome: refused([]) })).toMatchObject({ screen: 'experience', notice: 'No.', isHeld: false });
  });

  it('says nothing of what earlier visits left, when nothing of this one waits', () => {
    expect(shown({ type: 'settled', outcome: accepted })).toEqual(stateOf(props));
  });

  it('shows what is wrong beside its field, and otherwise above', () => {
    const named = shown({ type: 'submitted', outcome: refused([{ path: 'payload.data.responses.0.response', message: 'Choose a face' }]) });
    expect(named).toMatchObject({ errors: { [GAUGE]: 'Choose a face' }, notice: undefined, screen: 'experience' });
    expect(next(named, { type: 'rated', field: GAUGE }).errors).toEqual({});
    expect(shown({ type: 'submitted', outcome: refused([]) })).toMatchObject({ errors: {}, notice: 'No.' });
  });

  it('goes back to be changed with all that was said', () => {
    const done = shown({ type: 'sending', drafts: [rating] }, { type: 'submitted', outcome: accepted });
    expect(next(done, { type: 'changing' })).toMatchObject({ screen: 'experience', given: [rating] });
  });
});
