import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feedback } from '#contract/feedback.ts';
import { KEPT_FOR, type Kept, keepFeedback, mergeKept, migrateKept, START, useKept } from './store.ts';

const NOW = Date.UTC(2026, 10, 21, 14);
const kept = (at: number) => ({ userId: 'USER_dana', at, items: [] });

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

describe('restoring what was kept', () => {
  it('takes nothing that nobody understands', () => {
    for (const odd of [
      undefined,
      null,
      3,
      'x',
      { theme: 'pink', keys: 'yes', feedback: 7 },
      { feedback: { userId: 1, at: NOW, items: [] } },
    ]) {
      expect(mergeKept(odd, START)).toEqual(START);
    }
  });

  it('takes the theme and the feedback of before', () => {
    expect(mergeKept({ theme: 'dark', feedback: kept(NOW - 1) }, START)).toEqual({ theme: 'dark', keys: true, feedback: kept(NOW - 1) });
  });

  it('keeps single keys off for whoever switched them off', () => {
    expect(mergeKept({ keys: false }, START).keys).toBe(false);
    expect(migrateKept({ keys: false }, 0).keys).toBe(false);
  });

  it('leaves alone what was changed since the start', () => {
    const changed: Kept = { theme: 'dark', keys: false, feedback: kept(NOW) };
    expect(mergeKept({ theme: 'light', keys: true, feedback: kept(NOW - 5) }, changed)).toEqual(changed);
    expect(mergeKept({ theme: 'light', feedback: kept(NOW - 5) }, { ...changed, feedback: undefined }).feedback).toEqual(kept(NOW - 5));
  });

  it('drops feedback once its time is over, to the millisecond', () => {
    expect(mergeKept({ feedback: kept(NOW - KEPT_FOR) }, START).feedback).toBeUndefined();
    expect(mergeKept({ feedback: kept(NOW - KEPT_FOR + 1) }, START).feedback).toBeDefined();
  });
});

describe('an earlier version', () => {
  it('keeps the theme, which never changed its shape, and nothing else', () => {
    expect(migrateKept({ theme: 'dark', feedback: kept(NOW) }, 0)).toEqual({ theme: 'dark', keys: true, feedback: undefined });
  });

  it('of today is taken whole', () => {
    expect(migrateKept({ theme: 'dark', feedback: kept(NOW) }, 1)).toEqual({ theme: 'dark', keys: true, feedback: kept(NOW) });
  });
});

describe('keeping', () => {
  const item = (place: number): Feedback => ({
    id: `EXPERIENCE_20261121_1795269600000_a${String(place).padStart(4, '0')}`,
    sk: 'EXPERIENCE',
    gs1sk: 'URGENT',
    data: {
      created: NOW,
      experience: 'STANDARD',
      accountId: 'ACCOUNT_Harbor',
      projectId: 'PROPERTY_Pier',
      formId: 'FORM_Pier04',
      formVersion: 1,
      rating: 1,
      kind: 'contact me',
      source: 'none',
      contact: { name: 'Ines Duarte', phone: '555-0142' },
      responses: [{ uuid: crypto.randomUUID(), block: 'ContactMe', response: { answer: 'Yes', name: 'Ines Duarte', phone: '555-0142' } }],
    },
  });

  it('never keeps how to reach a visitor, nor more than a page', () => {
    keepFeedback(
      'USER_dana',
      Array.from({ length: 40 }, (_, place) => item(place)),
    );
    const { feedback } = useKept.getState();
    expect(feedback).toMatchObject({ userId: 'USER_dana', at: NOW });
    expect(feedback?.items).toHaveLength(25);
    expect(JSON.stringify(feedback)).not.toMatch(/Ines|555/);
  });
});
