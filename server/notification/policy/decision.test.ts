import { describe, expect, it } from 'vitest';
import { MOST_ALERTS } from '#contract/alert/alert.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import type { OpenState } from '#contract/feedback/work.ts';
import { pier, sam } from '#fixtures/business.ts';
import { closedResult, decide, decideByLimit, leftOutResult, nextEscalation } from './decision.ts';
import { closeDigest, isDigestDue, type MailHistory } from './mail-limit.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const at = (time: string): number => Date.parse(`2026-11-22T${time}:00Z`);
const property = (alerts = {}, timeZone = 'UTC') => ({ ...pier, data: { ...pier.data, timeZone, alerts } });
const LOUD = property();
/** It is 13:00 in Berlin, where the lunch break lasts until 14:30. */
const QUIET = property({ quiet: { from: '12:30', to: '14:30' } }, 'Europe/Berlin');

const history = (mails: number, digests: Partial<MailHistory> = {}): MailHistory => ({
  recent: Array.from({ length: mails }, (_, index) => NOW - 50 * MINUTE + index * MINUTE),
  digest: undefined,
  digested: undefined,
  ...digests,
});
const laterIn = (waitsFor: 'quiet' | 'hour', due: string) => ({ when: 'later', waitsFor, due: at(due) });
const OPENED = { result: 'opened', openedBy: sam.id } as const;

describe('the decision about a mail', () => {
  it.each([
    ['the first of an hour', LOUD, history(0), null, { when: 'now' }],
    ['the last that the limit allows', LOUD, history(MOST_ALERTS - 1), null, { when: 'now' }],
    ['the first that exceeds it', LOUD, history(MOST_ALERTS), null, laterIn('hour', '12:10')],
    ['one after a digest within the hour', LOUD, history(MOST_ALERTS, { digested: at('11:30') }), null, laterIn('hour', '12:30')],
    ['one while a digest waits', LOUD, history(1, { digest: at('12:05') }), null, laterIn('hour', '12:05')],
    ['one in quiet hours, on the property’s clock', QUIET, history(0), null, laterIn('quiet', '13:30')],
    ['one in quiet hours and over the limit', QUIET, history(MOST_ALERTS), null, laterIn('quiet', '13:30')],
    ['one that was opened', QUIET, history(MOST_ALERTS), OPENED, { when: 'never', result: OPENED }],
  ])('on %s', (_name, place, before, closed, decision) => {
    expect(decide({ now: NOW, property: place, history: before, closed })).toMatchObject(decision);
  });

  it('counts a mail only when it is sent, and forgets mails after an hour', () => {
    const before = { ...history(0), recent: [NOW - HOUR, NOW - HOUR + 1] };
    expect(decide({ now: NOW, property: LOUD, history: before, closed: null }).history.recent).toEqual([NOW - HOUR + 1, NOW]);
    expect(decide({ now: NOW, property: QUIET, history: before, closed: null }).history).toBe(before);
    expect(decide({ now: NOW, property: LOUD, history: before, closed: { result: 'deleted' } }).history).toBe(before);
    expect(decide({ now: NOW, property: LOUD, history: history(MOST_ALERTS), closed: null }).history.digest).toBe(at('12:10'));
  });

  it('about an addition ignores quiet hours, and keeps to the limit', () => {
    expect(decideByLimit({ now: NOW, history: history(0) }).when).toBe('now');
    expect(decideByLimit({ now: NOW, history: history(MOST_ALERTS) })).toMatchObject({ when: 'later', waitsFor: 'hour' });
  });
});

describe('the digest of what exceeds the limit', () => {
  it.each([
    ['is not due while there is none', undefined, false],
    ['is not due before its time', NOW + 1, false],
    ['is due at its time', NOW, true],
  ])('%s', (_name, digest, isDue) => {
    expect(isDigestDue(history(0, { digest }), NOW)).toBe(isDue);
  });

  it('delays the next digest only when it was sent', () => {
    const before = history(0, { digest: NOW, digested: at('09:00') });
    expect(closeDigest(before, { now: NOW, isSent: true })).toMatchObject({ digest: undefined, digested: NOW });
    expect(closeDigest(before, { now: NOW, isSent: false })).toMatchObject({ digest: undefined, digested: at('09:00') });
  });
});

describe('the reason against a mail', () => {
  const item = (data: Partial<OpenState['data']> = {}, { gs1sk = 'URGENT', readBy }: Partial<OpenState> = {}): OpenState => ({
    gs1sk,
    data: { status: 'new', ...data },
    readBy,
  });
  const ASKED_AT = new Date(NOW);
  const asking = { contact: {}, status: 'done', statusBy: sam.id } as const;

  it.each([
    ['urgent and new', item(), null, null, null],
    ['read by Sam', item({}, { readBy: sam.id }), null, null, OPENED],
    ['assigned to Sam', item({ assignee: sam.id }), null, null, OPENED],
    ['set to open by Sam', item({ status: 'open', statusBy: sam.id }), null, null, OPENED],
    ['done by Sam', item({ status: 'done', statusBy: sam.id }), null, OPENED, OPENED],
    ['no longer urgent', item({}, { gs1sk: 'NORMAL' }), null, { result: 'no-longer-urgent' }, { result: 'no-longer-urgent' }],
    ['suspected', item({ suspected: true }), null, { result: 'suspected' }, { result: 'suspected' }],
    ['done before the visitor asked to be contacted', item({ ...asking, statusAt: NOW - 1 }), ASKED_AT, null, null],
    ['done after that', item({ ...asking, statusAt: NOW }), ASKED_AT, OPENED, OPENED],
    ['not urgent, and its visitor asks', item({ contact: {} }, { gs1sk: 'NORMAL' }), ASKED_AT, null, null],
  ])('of its own, and against a place in a digest: %s', (_name, state, asked, mail, digest) => {
    expect([closedResult(state, { asked }), leftOutResult(state, { asked })]).toEqual([mail, digest]);
  });

  it('in a digest is that the feedback was deleted', () => {
    expect(leftOutResult(undefined, { asked: null })).toEqual({ result: 'deleted' });
  });
});

describe('the next escalation', () => {
  const escalation = { after: 30, to: [sam.id] };

  it.each([
    ['without an order never comes', property(), undefined],
    ['comes after its minutes', property({ escalation }), at('12:30')],
    ['counts no minutes in quiet hours', property({ escalation, quiet: { from: '12:10', to: '13:00' } }), at('13:20')],
  ])('%s', (_name, place, due) => {
    expect(nextEscalation(place, NOW)?.getTime()).toBe(due);
  });
});
