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

describe('mergePersisted', () => {
  it('ignores unknown values', () => {
    for (const odd of [undefined, null, 3, 'x', { theme: 'pink', feedback: 7 }, { feedback: { userId: 1, at: NOW, items: [] } }]) {
      expect(mergePersisted(odd, INITIAL)).toEqual(INITIAL);
    }
  });

  it('restores the theme and the feedback', () => {
    expect(mergePersisted({ theme: 'dark', feedback: persisted(NOW - 1) }, INITIAL)).toEqual({
      theme: 'dark',
      chosen: 0,
      feedback: persisted(NOW - 1),
    });
  });

  it('keeps what changed since the start', () => {
    const changed: PersistedState = { theme: 'dark', chosen: NOW, feedback: persisted(NOW) };
    expect(mergePersisted({ theme: 'light', feedback: persisted(NOW - 5) }, changed)).toEqual(changed);
    expect(mergePersisted({ theme: 'light', feedback: persisted(NOW - 5) }, { ...changed, feedback: undefined }).feedback).toEqual(
      persisted(NOW - 5),
    );
  });

  it('drops feedback that has expired, to the millisecond', () => {
    expect(mergePersisted({ feedback: persisted(NOW - PERSISTED_FOR) }, INITIAL).feedback).toBeUndefined();
    expect(mergePersisted({ feedback: persisted(NOW - PERSISTED_FOR + 1) }, INITIAL).feedback).toBeDefined();
  });
});

describe('migratePersisted', () => {
  it('keeps only the theme of an earlier version', () => {
    for (const version of [0, 1])
      expect(migratePersisted({ theme: 'dark', feedback: persisted(NOW) }, version)).toEqual({
        theme: 'dark',
        chosen: 0,
        feedback: undefined,
      });
  });

  it('keeps everything of the current version', () => {
    const current = { theme: 'dark', chosen: NOW - 1, feedback: persisted(NOW) };
    expect(migratePersisted(current, 2)).toEqual(current);
  });
});

describe('persistFeedback', () => {
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

  it('stores one page, without contact data', () => {
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
  /** Opens a tab whose storage events reach other tabs after a delay, as between browser processes. */
  async function openTab() {
    vi.resetModules();
    let stored: string | null = null;
    let listener = (_: { key: string; newValue: string }): void => undefined;
    const written: string[] = [];
    const store = (_: string, value: string): void => {
      stored = value;
      written.push(value);
    };
    const activate = (): void => {
      vi.stubGlobal('localStorage', { getItem: () => stored, setItem: store });
    };
    activate();
    vi.stubGlobal('addEventListener', (_: string, added: typeof listener) => {
      listener = added;
    });
    const tab = await import('./persisted.ts');
    tab.followOtherTabs();
    return {
      written,
      state: tab.usePersisted.getState,
      run(work: (actions: typeof tab) => void): void {
        activate();
        work(tab);
      },
      receive(newValue = ''): void {
        activate();
        stored = newValue;
        listener({ key: tab.STORAGE_KEY, newValue });
      },
    };
  }
  afterEach(() => vi.unstubAllGlobals());

  it('agree on the latest theme, even if one writes feedback before it receives that theme', async () => {
    const [first, second] = [await openTab(), await openTab()];
    first.run(({ setTheme }) => setTheme('dark'));
    second.run((actions) => actions.persistFeedback('USER_dana', []));
    first.receive(second.written[0]);
    expect(first.state()).toMatchObject({ theme: 'dark', feedback: { userId: 'USER_dana' } });
    expect(first.written).toHaveLength(2);
    for (const value of first.written) second.receive(value);
    expect(second.state()).toMatchObject({ theme: 'dark', feedback: { userId: 'USER_dana' } });
    vi.advanceTimersByTime(1);
    second.run(({ setTheme }) => setTheme('light'));
    first.receive(second.written[1]);
    expect(first.state().theme).toBe('light');
    expect([first.written.length, second.written.length]).toEqual([2, 2]);
  });

  it('clear feedback together, and answer each other only with a theme', async () => {
    const [first, second] = [await openTab(), await openTab()];
    for (const tab of [first, second]) tab.run((actions) => actions.persistFeedback('USER_dana', []));
    first.receive(second.written[0]);
    second.receive(first.written[0]);
    second.run(({ clearFeedback }) => clearFeedback());
    first.receive(second.written[1]);
    expect(first.state().feedback).toBeUndefined();
    first.receive('{');
    expect([first.written.length, second.written.length]).toEqual([1, 2]);
  });
});

describe('single-key shortcuts', () => {
  const areOnWith = async (stored: Record<string, string>) => {
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

  it('stay off once switched off, also when stored under the earlier key', async () => {
    expect(await areOnWith({})).toBe(true);
    expect(await areOnWith({ afterword: JSON.stringify({ state: { keys: false }, version: 1 }) })).toBe(false);
    expect(await areOnWith({ 'afterword.shortcuts': JSON.stringify({ state: { areOn: false }, version: 0 }) })).toBe(false);
  });
});
