import { describe, expect, it } from 'vitest';
import type { FormProps } from '#contract/form-page.ts';
import type { SendOutcome } from './send.ts';
import { type FormState, NOTICES, rated, sending, sent, settled, submitted } from './state.ts';

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
const refused = (errors: { path: string; message: string }[]): SendOutcome => ({
  kind: 'refused',
  message: 'No.',
  errors,
  drafts: [rating],
});
const accepted: SendOutcome = { kind: 'accepted' };

/** The form after all that happened to it. */
const shown = (...changes: ((state: FormState) => FormState)[]) => changes.reduce<FormState>((state, change) => change(state), props);

describe('a form', () => {
  it('remembers what was typed before it is sent, and says that a rating arrived', () => {
    const rating4 = shown(sending([rating]));
    expect(rating4.given).toEqual([rating]);
    expect(rating4.isSaved).toBeUndefined();
    expect(sent(accepted)(rating4)).toMatchObject({ isSaved: true, notice: undefined, screen: 'experience' });
    const again = sending([{ ...rating, response: 2 }])(rating4);
    expect(again.given).toEqual([{ ...rating, response: 2 }]);
  });

  it('thanks once the whole is accepted, or kept on the device', () => {
    for (const kind of ['accepted', 'kept'] as const) expect(shown(submitted({ kind }))).toMatchObject({ screen: 'done', isBusy: false });
    expect(shown(sent({ kind: 'kept' })).notice).toBe(NOTICES.kept);
  });

  it('does not thank for what is only held, until it arrived', () => {
    const outcome = { kind: 'held' } as const;
    const held = shown(sent(outcome), submitted(outcome));
    expect(held).toMatchObject({ screen: 'experience', isBusy: false, isHeld: true, notice: NOTICES.held });
    expect(settled(accepted)(held)).toMatchObject({ screen: 'done', notice: NOTICES.delivered, isHeld: false });
    expect(settled(refused([]))(held)).toMatchObject({ screen: 'experience', notice: 'No.', isHeld: false });
  });

  it('says nothing of what earlier visits left, when nothing of this one waits', () => {
    expect(shown(settled(accepted))).toMatchObject(props);
  });

  it('shows what is wrong beside its field, and otherwise above', () => {
    const named = shown(submitted(refused([{ path: 'payload.data.responses.0.response', message: 'Choose a face' }])));
    expect(named).toMatchObject({ errors: { [GAUGE]: 'Choose a face' }, notice: undefined, screen: 'experience' });
    expect(rated(GAUGE)(named).errors).toEqual({});
    expect(shown(submitted(refused([])))).toMatchObject({ errors: {}, notice: 'No.' });
  });
});
