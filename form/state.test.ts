import { describe, expect, it } from 'vitest';
import type { FormProps } from '#contract/form/form-page.ts';
import type { SendOutcome } from './send.ts';
import {
  cleared,
  earlierArrived,
  type FormState,
  fieldsChanged,
  lineOf,
  NOTICES,
  rated,
  renewed,
  restarted,
  resumed,
  sending,
  sent,
  settled,
  submitted,
  visitOf,
} from './state.ts';

const props: FormProps = {
  formId: 'FORM_Pier04',
  version: 1,
  submissionKey: 'k'.repeat(24),
  business: 'Harbor Coffee',
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

/** Returns the form's state after changes. */
const shown = (...changes: ((state: FormState) => FormState)[]) => changes.reduce<FormState>((state, change) => change(state), props);

const words = { uuid: 'words', block: 'OpenText', response: 'Cold coffee' };
const contact = { uuid: 'contact', block: 'ContactMe', response: { answer: 'Yes', phone: '040 12345' } };
const textOf = (...changes: Parameters<typeof shown>) => lineOf(shown(...changes))?.text;

describe('a form', () => {
  it('shows the thanks once everything is accepted or stored on the device', () => {
    for (const kind of ['accepted', 'kept', 'away'] as const)
      expect(shown(submitted({ kind }))).toMatchObject({ screen: 'done', isBusy: false });
  });

  it('doesn’t show accepted text again, only that it was left', () => {
    const all = [rating, words, contact];
    for (const kind of ['accepted', 'kept', 'away'] as const) {
      const after = shown(sending(all), sent({ kind }, all), submitted({ kind }));
      expect(after).toMatchObject({ given: [rating], left: ['words', 'contact.phone'], standing: kind });
      expect(JSON.stringify(visitOf(after, []))).not.toMatch(/Cold coffee|040 12345/);
    }
    const held = { kind: 'held' } as const;
    const holding = [sending([rating, words]), sent(held, [rating, words]), submitted(held)];
    expect(shown(...holding).given).toContainEqual(words);
    expect(shown(...holding, settled(accepted))).toMatchObject({ given: [rating], left: ['words'] });
  });

  it('continues a remembered visit, with typed text', () => {
    const typed = { uuid: 'words', block: 'OpenText', response: 'Cold cof' } as const;
    const key = 'r'.repeat(24);
    const before = { ...shown(sending([rating]), sent(accepted, [rating])), submissionKey: key };
    const after = shown(resumed(visitOf(before, [{ ...rating, response: 5 }, typed])));
    expect(after).toMatchObject({ submissionKey: key, isLive: true, since: before.since, screen: 'experience', left: [] });
    expect(after).toMatchObject({ given: [{ ...rating, response: 5 }, typed], standing: 'accepted', sent: [rating] });
    expect(shown(resumed({ key }))).toMatchObject({ ...props, submissionKey: key });
    expect(textOf(resumed({ key, isNew: true }))).toBe(NOTICES.newVisit.text);
  });

  it('doesn’t show the thanks for answers only in memory until they arrive', () => {
    const outcome = { kind: 'held' } as const;
    const held = shown(sent(outcome, [rating]), submitted(outcome));
    expect(held).toMatchObject({ screen: 'experience', isBusy: false, isHeld: true });
    expect(lineOf(held)).toBe(NOTICES.held);
    expect(settled(accepted)(held)).toMatchObject({ screen: 'done', notice: NOTICES.delivered, isHeld: false });
    expect(settled(refused([]))(held)).toMatchObject({ screen: 'experience', notice: { text: 'No.' }, isHeld: false });
  });

  it('shows errors beside their fields, or for the whole form', () => {
    const named = shown(submitted(refused([{ path: 'payload.data.responses.0.response', message: 'Choose a face' }])));
    expect(named).toMatchObject({ errors: { [GAUGE]: 'Choose a face' }, notice: undefined, screen: 'experience' });
    expect(rated(GAUGE)(named).errors).toEqual({});
    expect(shown(submitted(refused([])))).toMatchObject({ errors: {}, notice: { text: 'No.' } });
  });

  it('clears the visit for the next visitor', () => {
    const full = shown(sending([rating, words, contact]), sent(accepted, [rating]), submitted(accepted));
    const next = cleared('n'.repeat(32))({ ...full, userId: 'table-7', at: 'PierTill01', isLive: true });
    expect(next).toMatchObject({ submissionKey: 'n'.repeat(32), screen: 'experience', given: [], left: [], sent: [], isLive: true });
    expect([next.since, next.standing, next.userId, next.notice]).toEqual([undefined, undefined, undefined, undefined]);
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
    const other = [rating, { ...words, response: 'Cold coffee, and' }];
    expect(textOf(...tapped, sent(accepted, all), fieldsChanged(other))).toMatch(/isn’t sent yet/);
  });

  it.each(['kept', 'away', 'held'] as const)('doesn’t say “saved” of answers that are %s', (kind) => {
    const waiting = [sending([rating]), sent({ kind }, [rating])];
    expect(textOf(...waiting)).toBe(NOTICES[kind].text);
    expect(textOf(...waiting)).not.toMatch(/saved/);
    expect(textOf(...waiting, fieldsChanged([rating, words]))).toMatch(/(?:isn’t|Not) sent yet/);
    expect(shown(...waiting, settled(accepted))).toMatchObject({ standing: 'accepted', notice: NOTICES.delivered });
  });

  it('says after a tap that the form is closed', () => {
    expect(lineOf(shown(sending([rating]), sent(refused([]), [rating])))).toEqual({ text: 'No.', tone: 'wait' });
  });

  it('says that an answer after an hour is a new one', () => {
    const late = [...tapped, restarted('n'.repeat(32)), sending([rating])];
    expect(shown(...late)).toMatchObject({ submissionKey: 'n'.repeat(32), left: [], sent: [] });
    expect(lineOf(shown(...late))).toBe(NOTICES.newVisit);
    expect(lineOf(shown(...late, sent(accepted, [rating])))).toBe(NOTICES.savedAsNew);
    const renewedVisit = [...tapped, sending([rating]), renewed(props.submissionKey, 'n'.repeat(32)), sent(accepted, [rating])];
    expect(shown(...renewedVisit)).toMatchObject({ submissionKey: 'n'.repeat(32), notice: NOTICES.savedAsNew });
    expect(shown(...tapped, renewed('another', 'n'.repeat(32)))).toMatchObject({ submissionKey: props.submissionKey });
  });

  it('shows a returning visitor that stored answers were sent', () => {
    expect(textOf(earlierArrived)).toBe(NOTICES.earlier.text);
    expect(textOf(settled(accepted))).toMatch(/One tap/);
  });
});
