import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feedback } from '#contract/feedback/feedback.ts';
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
    for (const odd of [undefined, null, 3, 'x', { theme: 'pink', feedback: 7 }, { feedback: { userId: 1, at: NOW, items: [] } }]) {
      expect(mergePersisted(odd, INITIAL)).toEqual(INITIAL);
    }
  });

  it('takes the theme and the feedback of before', () => {
    expect(mergePersisted({ theme: 'dark', feedback: persisted(NOW - 1) }, INITIAL)).toEqual({
      theme: 'dark',
      chosen: 0,
      feedback: persisted(NOW - 1),
    });
  });

  it('leaves alone what was changed since the start', () => {
    const changed: PersistedState = { theme: 'dark', chosen: NOW, feedback: persisted(NOW) };
    expect(mergePersisted({ theme: 'light', feedback: persisted(NOW - 5) }, changed)).toEqual(changed);
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
    for (const version of [0, 1])
      expect(migratePersisted({ theme: 'dark', feedback: persisted(NOW) }, version)).toEqual({
        theme: 'dark',
        chosen: 0,
        feedback: undefined,
      });
  });

  it('of today is taken whole', () => {
    const today = { theme: 'dark', chosen: NOW - 1, feedback: persisted(NOW) };
    expect(migratePersisted(today, 2)).toEqual(today);
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
      status: 'new',
      tags: [],
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

describe('two tabs', () => {
  /** A tab whose storage tells the others later than it keeps what is written, as processes of a browser do. */
  async function openTab() {
    vi.resetModules();
    let stored: string | null = null;
    let listener = (_: { key: string; newValue: string }): void => undefined;
    const written: string[] = [];
    const keep = (_: string, value: string): void => {
      stored = value;
      written.push(value);
    };
    const here = (): void => {
      vi.stubGlobal('localStorage', { getItem: () => stored, setItem: keep });
    };
    here();
    vi.stubGlobal('addEventListener', (_: string, added: typeof listener) => {
      listener = added;
    });
    const tab = await import('./persisted.ts');
    tab.followOtherTabs();
    return {
      written,
      state: tab.usePersisted.getState,
      does(work: (actions: typeof tab) => void): void {
        here();
        work(tab);
      },
      hears(newValue = ''): void {
        here();
        stored = newValue;
        listener({ key: tab.STORAGE_KEY, newValue });
      },
    };
  }
  afterEach(() => vi.unstubAllGlobals());

  it('agree on the theme that was chosen last, also where one writes feedback before it has heard of it', async () => {
    const [one, other] = [await openTab(), await openTab()];
    one.does(({ setTheme }) => setTheme('dark'));
    other.does((actions) => actions.persistFeedback('USER_dana', []));
    one.hears(other.written[0]);
    expect(one.state()).toMatchObject({ theme: 'dark', feedback: { userId: 'USER_dana' } });
    expect(one.written).toHaveLength(2);
    for (const value of one.written) other.hears(value);
    expect(other.state()).toMatchObject({ theme: 'dark', feedback: { userId: 'USER_dana' } });
    vi.advanceTimersByTime(1);
    other.does(({ setTheme }) => setTheme('light'));
    one.hears(other.written[1]);
    expect(one.state().theme).toBe('light');
    expect([one.written.length, other.written.length]).toEqual([2, 2]);
  });

  it('forget together what was read, and answer each other with nothing but a theme', async () => {
    const [one, other] = [await openTab(), await openTab()];
    for (const tab of [one, other]) tab.does((actions) => actions.persistFeedback('USER_dana', []));
    one.hears(other.written[0]);
    other.hears(one.written[0]);
    other.does(({ clearFeedback }) => clearFeedback());
    one.hears(other.written[1]);
    expect(one.state().feedback).toBeUndefined();
    one.hears('{');
    expect([one.written.length, other.written.length]).toEqual([1, 2]);
  });
});

describe('single-key shortcuts', () => {
  const opened = async (stored: Record<string, string>) => {
    vi.resetModules();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored[name] ?? null,
      setItem: () => undefined,
      removeItem: () => undefined,
    });
    const { useSingleKeys } = await import('./shortcuts.ts');
    return useSingleKeys.getState().areOn;
  };
  afterEach(() => vi.unstubAllGlobals());

  it('stay off for whoever switched them off, be it where they were kept before', async () => {
    expect(await opened({})).toBe(true);
    expect(await opened({ afterword: JSON.stringify({ state: { keys: false }, version: 1 }) })).toBe(false);
    expect(await opened({ 'afterword.shortcuts': JSON.stringify({ state: { areOn: false }, version: 0 }) })).toBe(false);
  });
});
