import { describe, expect, it } from 'vitest';
import type { FormProps } from '#contract/form/form-page.ts';
import { en } from '#contract/language/words/en.ts';
import type { SendOutcome } from './send.ts';
import {
  changing,
  cleared,
  earlierArrived,
  type FormState,
  fieldsChanged,
  lineOf,
  rated,
  renewed,
  restarted,
  resumed,
  sending,
  sent,
  settled,
  submitted,
  visitOf,
  withCleared,
} from './state.ts';

const props: FormProps = {
  formId: 'FORM_Pier04',
  version: 1,
  submissionKey: 'k'.repeat(24),
  business: 'Harbor Coffee',
  place: 'Pier 4',
  steps: [],
  inviteToReview: 'good',
  language: 'en',
  words: en.page,
  languages: [],
  screen: 'experience',
  given: [],
  left: [],
  errors: {},
};
const GAUGE = 'c1f3b2de-0000-4000-8000-000000000002';
const rating = { uuid: GAUGE, block: 'EmojiGauge', response: 4 } as const;
const refused = (errors: { path: string; message: string }[]): SendOutcome => ({
  kind: 'refused',
  reason: 'refused',
  errors,
  drafts: [rating],
});
const accepted: SendOutcome = { kind: 'accepted' };

/** Returns the form's state after changes. */
const stateAfter = (...changes: ((state: FormState) => FormState)[]) => changes.reduce<FormState>((state, change) => change(state), props);

const words = { uuid: 'words', block: 'OpenText', response: 'Cold coffee' };
const contact = { uuid: 'contact', block: 'ContactMe', response: { answer: 'Yes', phone: '040 12345' } };
const textOf = (...changes: Parameters<typeof stateAfter>) => {
  const line = lineOf(stateAfter(...changes));
  return line && en.page[line];
};

describe('a form', () => {
  it('shows the thanks once everything is accepted or stored on the device', () => {
    for (const kind of ['accepted', 'kept', 'away'] as const)
      expect(stateAfter(submitted({ kind }))).toMatchObject({ screen: 'done', isBusy: false });
  });

  it('stays open for words that were typed while others were sent', () => {
    for (const kind of ['accepted', 'kept', 'away'] as const) {
      const state = stateAfter(sending([rating]), sent({ kind }, [rating]), submitted({ kind }, true), fieldsChanged([rating, words]));
      expect(state).toMatchObject({ screen: 'experience', isBusy: false });
      expect(lineOf(state)).toMatch(/^unsent/);
    }
    const outcome = { kind: 'held' } as const;
    const state = stateAfter(sent(outcome, [rating]), submitted(outcome), fieldsChanged([rating, words]), settled(accepted));
    expect(state).toMatchObject({ screen: 'experience', isHeld: false });
    expect(lineOf(state)).toBe('unsent');
  });

  it('remembers of a finished visit only which fields were filled in', () => {
    const all = [rating, words, contact];
    for (const kind of ['accepted', 'kept', 'away'] as const) {
      const after = stateAfter(sending(all), sent({ kind }, all), submitted({ kind }));
      expect(after).toMatchObject({ standing: kind });
      expect(visitOf(after, [])).toMatchObject({ given: [rating], sent: [rating], left: ['words', 'contact.phone'] });
      expect(JSON.stringify(visitOf(after, []))).not.toMatch(/Cold coffee|040 12345/);
    }
    const held = { kind: 'held' } as const;
    const holding = [sending([rating, words]), sent(held, [rating, words]), submitted(held)];
    expect(stateAfter(...holding).given).toContainEqual(words);
    expect(visitOf(stateAfter(...holding, settled(accepted)), [])).toMatchObject({ given: [rating], left: ['words'] });
  });

  it('shows what was typed when the answer is changed, and nothing of it on a shared device', () => {
    const all = [rating, words, contact];
    const thanked = [sending(all), sent(accepted, all), submitted(accepted)];
    const restored = stateAfter(...thanked, changing(false));
    expect(restored).toMatchObject({ screen: 'experience', left: [] });
    expect([restored.given, restored.sent]).toEqual([all, all]);
    expect(stateAfter(...thanked, changing(true))).toMatchObject({ given: [rating], left: ['words', 'contact.phone'] });
    expect(JSON.stringify(stateAfter(...thanked, changing(true)))).not.toMatch(/Cold coffee|040 12345/);
    // A field that was filled in before a refresh is still only mentioned.
    expect(stateAfter((state) => ({ ...state, left: ['contact.email'] }), ...thanked, changing(false)).left).toEqual(['contact.email']);
  });

  it('shows a finished visit’s answers again if they were refused later, and says why', () => {
    const all = [rating, words];
    const after = stateAfter(sending(all), sent({ kind: 'kept' }, all), submitted({ kind: 'kept' }), settled(refused([])));
    expect(after).toMatchObject({ screen: 'experience', given: all, standing: undefined });
    expect(lineOf(after)).toBe('refused');
  });

  it('sends an empty part for a contact detail that was cleared', () => {
    const emptied = { ...contact, response: { answer: 'Yes', email: 'ann@example.org' } };
    const expected = { ...contact, response: { answer: 'Yes', email: 'ann@example.org', phone: '' } };
    expect(withCleared([rating, emptied], [rating, contact])).toEqual([rating, expected]);
    for (const sentBefore of [[contact], []]) expect(withCleared([contact], sentBefore)).toEqual([contact]);
  });

  it('continues a remembered visit, with typed text', () => {
    const typed = { uuid: 'words', block: 'OpenText', response: 'Cold cof' } as const;
    const key = 'r'.repeat(24);
    const before = { ...stateAfter(sending([rating]), sent(accepted, [rating])), submissionKey: key };
    const after = stateAfter(resumed(visitOf(before, [{ ...rating, response: 5 }, typed])));
    expect(after).toMatchObject({ submissionKey: key, isLive: true, since: before.since, screen: 'experience', left: [] });
    expect(after).toMatchObject({ given: [{ ...rating, response: 5 }, typed], standing: 'accepted', sent: [rating] });
    expect(stateAfter(resumed({ key }))).toMatchObject({ ...props, submissionKey: key });
    expect(textOf(resumed({ key, isNew: true }))).toBe(en.page.newVisit);
  });

  it('doesn’t show the thanks for answers only in memory until they arrive', () => {
    const outcome = { kind: 'held' } as const;
    const state = stateAfter(sent(outcome, [rating]), submitted(outcome));
    expect(state).toMatchObject({ screen: 'experience', isBusy: false, isHeld: true });
    expect(lineOf(state)).toBe('held');
    expect(settled(accepted)(state)).toMatchObject({ screen: 'done', notice: 'delivered', isHeld: false });
    expect(settled(refused([]))(state)).toMatchObject({ screen: 'experience', notice: 'refused', isHeld: false });
  });

  it('shows errors beside their fields, or for the whole form', () => {
    const state = stateAfter(submitted(refused([{ path: 'payload.data.responses.0.response', message: 'Choose a face' }])));
    expect(state).toMatchObject({ errors: { [GAUGE]: en.page.badField }, notice: undefined, screen: 'experience' });
    expect(rated(GAUGE)(state).errors).toEqual({});
    expect(stateAfter(submitted(refused([])))).toMatchObject({ errors: {}, notice: 'refused' });
  });

  it('clears the visit for the next visitor', () => {
    const full = stateAfter(sending([rating, words, contact]), sent(accepted, [rating]), submitted(accepted));
    const next = cleared('n'.repeat(32))({ ...full, userId: 'table-7', at: 'PierTill01', ref: '1042.at1i_fITI7KIjHXE', isLive: true });
    expect(next).toMatchObject({ submissionKey: 'n'.repeat(32), screen: 'experience', given: [], left: [], sent: [], isLive: true });
    expect([next.since, next.standing, next.userId, next.ref, next.notice]).toEqual(Array(5).fill(undefined));
    expect(next.at).toBe('PierTill01');
  });
});

describe('the line below the faces', () => {
  const tapped = [sending([rating]), sent(accepted, [rating])];

  it('says that a rating is saved, and that unsent text isn’t', () => {
    expect(textOf()).toMatch(/One tap/);
    expect(textOf(sending([rating]))).toBeUndefined();
    expect(textOf(...tapped)).toMatch(/saved\. Anything to add/);
    for (const unsent of [words, contact]) expect(textOf(...tapped, fieldsChanged([rating, unsent]))).toMatch(/isn’t sent yet/);
    expect(textOf(...tapped, fieldsChanged([rating, { ...words, response: ' ' }]))).toMatch(/Anything to add/);
    const all = [rating, words];
    expect(textOf(...tapped, fieldsChanged(all), sending(all), sent(accepted, all), fieldsChanged(all))).toMatch(/Anything to add/);
    const edited = [rating, { ...words, response: 'Cold coffee, and' }];
    expect(textOf(...tapped, sent(accepted, all), fieldsChanged(edited))).toMatch(/isn’t sent yet/);
  });

  it.each(['kept', 'away', 'held'] as const)('doesn’t say “saved” of answers that are %s', (kind) => {
    const waiting = [sending([rating]), sent({ kind }, [rating])];
    expect(textOf(...waiting)).toBe(en.page[kind]);
    expect(textOf(...waiting)).not.toMatch(/saved/);
    expect(textOf(...waiting, fieldsChanged([rating, words]))).toMatch(/(?:isn’t|Not) sent yet/);
    expect(stateAfter(...waiting, settled(accepted))).toMatchObject({ standing: 'accepted', notice: 'delivered' });
  });

  it('says after a tap that the form is closed', () => {
    expect(lineOf(stateAfter(sending([rating]), sent(refused([]), [rating])))).toBe('refused');
  });

  it('says that an answer after an hour is a new one', () => {
    const late = [...tapped, restarted('n'.repeat(32)), sending([rating])];
    expect(stateAfter(...late)).toMatchObject({ submissionKey: 'n'.repeat(32), left: [], sent: [] });
    expect(lineOf(stateAfter(...late))).toBe('newVisit');
    expect(lineOf(stateAfter(...late, sent(accepted, [rating])))).toBe('savedAsNew');
    const renewedVisit = [...tapped, sending([rating]), renewed(props.submissionKey, 'n'.repeat(32)), sent(accepted, [rating])];
    expect(stateAfter(...renewedVisit)).toMatchObject({ submissionKey: 'n'.repeat(32), notice: 'savedAsNew' });
    expect(stateAfter(...tapped, renewed('another', 'n'.repeat(32)))).toMatchObject({ submissionKey: props.submissionKey });
  });

  it('shows a returning visitor that stored answers were sent', () => {
    expect(textOf(earlierArrived)).toBe(en.page.earlier);
    expect(textOf(settled(accepted))).toMatch(/One tap/);
  });
});
