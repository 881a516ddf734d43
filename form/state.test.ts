import { describe, expect, it } from 'vitest';
import type { FormProps } from '#contract/form-page.ts';
import type { SendOutcome } from './send.ts';
import { type FormState, NOTICES, rated, resumed, sending, sent, settled, submitted, visitOf } from './state.ts';

const props: FormProps = {
  formId: 'FORM_Pier04',
  submissionKey: 'k'.repeat(24),
  place: 'Pier 4',
  steps: [],
  inviteToReview: 'good',
  screen: 'experience',
  given: [],
  left: [],
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

  it('shows nothing again that was taken, and says that it is there', () => {
    const words = { uuid: 'words', block: 'OpenText', response: 'Cold coffee' };
    const asked = { uuid: 'contact', block: 'ContactMe', response: { answer: 'Yes', phone: '040 12345' } };
    for (const kind of ['accepted', 'kept'] as const) {
      const after = shown(sending([rating, words, asked]), submitted({ kind }));
      expect(after).toMatchObject({ given: [rating], left: ['words', 'contact.phone'] });
      expect(JSON.stringify(visitOf(after, []))).not.toMatch(/Cold coffee|12345/);
    }
    const held = { kind: 'held' } as const;
    expect(shown(sending([rating, words]), submitted(held)).given).toContainEqual(words);
    expect(shown(sending([rating, words]), submitted(held), settled(accepted))).toMatchObject({ given: [rating], left: ['words'] });
  });

  it('goes on where the device remembers it, with what was typed', () => {
    const typed = { uuid: 'words', block: 'OpenText', response: 'Cold cof' } as const;
    const key = 'r'.repeat(24);
    const before = { ...shown(sending([rating])), submissionKey: key };
    const after = shown(resumed(visitOf(before, [{ ...rating, response: 5 }, typed])));
    expect(after).toMatchObject({ submissionKey: key, isLive: true, since: before.since, screen: 'experience', left: [] });
    expect(after.given).toEqual([{ ...rating, response: 5 }, typed]);
    expect(shown(resumed({ key }))).toMatchObject({ ...props, submissionKey: key });
    expect(shown(resumed({ key, isNew: true })).notice).toBe(NOTICES.newVisit);
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
