import type { KioskContent } from '#contract/kiosk/kiosk.ts';
import { REPORT_EVERY } from '#contract/kiosk/kiosk-page.ts';
import { openAnswers } from './answers.ts';
import { type CallOutcome, call } from './api.ts';
import { openDatabase, type Pairing } from './database.ts';

/** What the page shows of its tablet. */
export interface KioskState {
  /** `ended`: the team revoked it. `unable`: the browser can't store answers. */
  readonly status: 'opening' | 'unpaired' | 'paired' | 'ended' | 'unable';
  readonly content?: KioskContent;
  /** Answers that wait for a delivery, and those that the server will never accept. */
  readonly waiting: number;
  readonly refused: number;
  readonly isConnected: boolean;
  /** When the server answered last (UTC ms). */
  readonly reached?: number;
  /** The newest version of the page. */
  readonly newest?: string;
}

export type Tablet = ReturnType<typeof openTablet>;

/** Stores answers, delivers them and reports, for as long as the page is open. */
export function openTablet(version: string) {
  const { set, ...shown } = openState();
  let pairing: Pairing | undefined;
  const database = openDatabase();
  const { deliver, count, ...answers } = openAnswers({ database, token: () => pairing?.token, note, show: set });
  void open();

  return {
    ...shown,
    /** Pairs this tablet. Returns what is wrong, if anything. */
    async pair(code: string): Promise<string | undefined> {
      const outcome = await call('pair', { code });
      note(outcome);
      if (outcome.kind === 'away') return 'No connection. Connect this tablet to the internet and try again.';
      if (outcome.kind === 'refused') return outcome.status === 404 ? 'This code is wrong, was used or has expired.' : outcome.message;
      const { token, content, revision } = outcome.answer;
      await adopt({ token, content, revision });
      // Browsers may delete what they store for a page, unless they are asked not to.
      await navigator.storage?.persist?.();
      void sync();
      return undefined;
    },
    ...answers,
    sync,
    /** Ends the pairing, and deletes what this tablet stores. */
    async leave(): Promise<void> {
      if (pairing) await call('leave', { token: pairing.token });
      await (await database).clear();
      pairing = undefined;
      await count();
      set({ status: 'unpaired' });
    },
  };

  async function open(): Promise<void> {
    try {
      pairing = await (await database).pairing();
      await count();
    } catch {
      return set({ status: 'unable' });
    }
    set(pairing ? { status: 'paired', content: pairing.content } : { status: 'unpaired' });
    setInterval(() => void sync(), REPORT_EVERY);
    addEventListener('online', () => void sync());
    addEventListener('offline', () => set({ isConnected: false }));
    await sync();
  }

  async function adopt(next: Pairing): Promise<void> {
    pairing = next;
    await (await database).setPairing(next);
    set({ status: 'paired', content: next.content });
  }

  /** Delivers what waits, then reports. */
  async function sync(): Promise<void> {
    await deliver();
    if (!pairing) return;
    const { token, revision } = pairing;
    const outcome = await call('report', { token, revision, version, waiting: shown.state().waiting });
    note(outcome);
    if (outcome.kind !== 'answered') return;
    set({ newest: outcome.answer.version });
    if (outcome.answer.changed && pairing?.token === token) await adopt({ token, ...outcome.answer.changed });
  }

  /** Notes whether the server was reached, and whether it still knows this tablet. */
  function note({ kind, ...outcome }: CallOutcome<'pair' | 'report' | 'deliver'>): void {
    set(kind === 'away' ? { isConnected: false } : { isConnected: true, reached: Date.now() });
    if ('code' in outcome && outcome.code === 'kiosk-gone') {
      pairing = undefined;
      void database.then((stored) => stored.endPairing());
      set({ status: 'ended' });
    }
  }
}

/** Stores what the page shows, and notifies it of changes. */
function openState() {
  const listeners = new Set<() => void>();
  let state: KioskState = { status: 'opening', waiting: 0, refused: 0, isConnected: navigator.onLine };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    set(changes: Partial<KioskState>): void {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
  };
}
