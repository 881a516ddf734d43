import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feedback } from '#contract/feedback.ts';
import {
  INITIAL,
  mergePersisted,
  migratePersisted,
  PERSISTED_FOR,
  type PersistedState,
  persistFeedback,
  usePersisted,
} from './persisted.ts';

const NOW = Date.UTC(2026, 10, 21, 14);
const persisted = (at: number) => ({ userId: 'USER_dana', at, items: [] });

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

describe('restoring what was persisted', () => {
  it('takes nothing that nobody understands', () => {
    for (const odd of [
      undefined,
      null,
      3,
      'x',
      { theme: 'pink', keys: 'yes', feedback: 7 },
      { feedback: { userId: 1, at: NOW, items: [] } },
    ]) {
      expect(mergePersisted(odd, INITIAL)).toEqual(INITIAL);
    }
  });

  it('takes the theme and the feedback of before', () => {
    expect(mergePersisted({ theme: 'dark', feedback: persisted(NOW - 1) }, INITIAL)).toEqual({
      theme: 'dark',
      keys: true,
      feedback: persisted(NOW - 1),
    });
  });

  it('keeps single keys off for whoever switched them off', () => {
    expect(mergePersisted({ keys: false }, INITIAL).keys).toBe(false);
    expect(migratePersisted({ keys: false }, 0).keys).toBe(false);
  });

  it('leaves alone what was changed since the start', () => {
    const changed: PersistedState = { theme: 'dark', keys: false, feedback: persisted(NOW) };
    expect(mergePersisted({ theme: 'light', keys: true, feedback: persisted(NOW - 5) }, changed)).toEqual(changed);
    expect(mergePersisted({ theme: 'light', feedback: persisted(NOW - 5) }, { ...changed, feedback: undefined }).feedback).toEqual(
      persisted(NOW - 5),
    );
  });

  it('drops feedback once its time is over, to the millisecond', () => {
    expect(mergePersisted({ feedback: persisted(NOW - PERSISTED_FOR) }, INITIAL).feedback).toBeUndefined();
    expect(mergePersisted({ feedback: persisted(NOW - PERSISTED_FOR + 1) }, INITIAL).feedback).toBeDefined();
  });
});

describe('an earlier version', () => {
  it('keeps the theme, which never changed its shape, and nothing else', () => {
    expect(migratePersisted({ theme: 'dark', feedback: persisted(NOW) }, 0)).toEqual({ theme: 'dark', keys: true, feedback: undefined });
  });

  it('of today is taken whole', () => {
    expect(migratePersisted({ theme: 'dark', feedback: persisted(NOW) }, 1)).toEqual({
      theme: 'dark',
      keys: true,
      feedback: persisted(NOW),
    });
  });
});

describe('keeping', () => {
  const item = (index: number): Feedback => ({
    id: `EXPERIENCE_20261121_1795269600000_a${String(index).padStart(4, '0')}`,
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
    persistFeedback(
      'USER_dana',
      Array.from({ length: 40 }, (_, index) => item(index)),
    );
    const { feedback } = usePersisted.getState();
    expect(feedback).toMatchObject({ userId: 'USER_dana', at: NOW });
    expect(feedback?.items).toHaveLength(25);
    expect(JSON.stringify(feedback)).not.toMatch(/Ines|555/);
  });
});
