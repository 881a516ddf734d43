import type { KioskContent } from '#contract/kiosk/kiosk.ts';
import { MOST_DELIVERED, REPORT_EVERY } from '#contract/kiosk/kiosk-page.ts';
import { type CallOutcome, call } from './api.ts';
import { openDatabase, type Pairing, type TabletDatabase, type WaitingAnswer } from './database.ts';

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

/** An answer as it was given. */
export type GivenAnswer = Omit<WaitingAnswer, 'given' | 'key'>;

export type Tablet = ReturnType<typeof openTablet>;

/**
 * Stores answers, delivers them and reports, for as long as the page is open. An answer is delivered when its visitor is done, so that
 * its words arrive with it; one whose page was closed is delivered after the next start.
 */
export function openTablet(version: string) {
  const listeners = new Set<() => void>();
  let state: KioskState = { status: 'opening', waiting: 0, refused: 0, isConnected: navigator.onLine };
  let database: TabletDatabase | undefined;
  let pairing: Pairing | undefined;
  /** The current visitor's answer. */
  let current: { readonly place: number; readonly answer: WaitingAnswer } | undefined;
  let delivering: Promise<void> | undefined;
  void open();

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
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
    /** Stores a rating. It has arrived on the disk when this resolves. */
    async rate(given: GivenAnswer): Promise<void> {
      const answer = { ...given, key: crypto.randomUUID().replaceAll('-', ''), given: Date.now() };
      current = { answer, place: await stored().put(answer) };
      await count();
    },
    /** Adds words to the current visitor's rating. */
    async addWords(response: WaitingAnswer['responses'][number]): Promise<void> {
      if (!current) return;
      const answer = { ...current.answer, responses: [...current.answer.responses, response] };
      current = { answer, place: await stored().put(answer, current.place) };
    },
    /** Delivers the current visitor's answer, and starts the next visit. */
    finish(): void {
      current = undefined;
      void deliver();
    },
    sync,
    /** Ends the pairing, and deletes what this tablet stores. */
    async leave(): Promise<void> {
      if (pairing) await call('leave', { token: pairing.token });
      await stored().clear();
      pairing = undefined;
      await count();
      set({ status: 'unpaired' });
    },
  };

  async function open(): Promise<void> {
    try {
      database = await openDatabase();
      pairing = await database.pairing();
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

  function stored(): TabletDatabase {
    if (!database) throw new Error('The database isn’t open');
    return database;
  }

  function set(changes: Partial<KioskState>): void {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  async function count(): Promise<void> {
    set({ waiting: await stored().count(), refused: await stored().countRefused() });
  }

  async function adopt(next: Pairing): Promise<void> {
    pairing = next;
    await stored().setPairing(next);
    set({ status: 'paired', content: next.content });
  }

  /** Delivers what waits, then reports. */
  async function sync(): Promise<void> {
    await deliver();
    if (!pairing) return;
    const { token, revision } = pairing;
    const outcome = await call('report', { token, revision, version, waiting: state.waiting });
    note(outcome);
    if (outcome.kind !== 'answered') return;
    set({ newest: outcome.answer.version });
    if (outcome.answer.changed && pairing?.token === token) await adopt({ token, ...outcome.answer.changed });
  }

  /** Delivers in turn, so that no answer is sent twice at the same time. */
  function deliver(): Promise<void> {
    delivering = (delivering ?? Promise.resolve()).then(deliverAll).catch(() => undefined);
    return delivering;
  }

  async function deliverAll(): Promise<void> {
    let most = MOST_DELIVERED;
    while (pairing) {
      const oldest = (await stored().oldest(most + 1)).filter(([place]) => place !== current?.place).slice(0, most);
      if (oldest.length === 0) return;
      const outcome = await call('deliver', { token: pairing.token, answers: oldest.map(([, answer]) => agedNow(answer)) });
      note(outcome);
      if (outcome.kind === 'answered') {
        const { refused } = outcome.answer;
        await settle(oldest, ({ key }) => refused.includes(key));
      } else if (outcome.kind === 'refused' && outcome.status === 400) {
        // One that is wrong must not hold up the others.
        if (oldest.length === 1) await settle(oldest, () => true);
        most = 1;
      } else return;
    }
  }

  async function settle(
    oldest: readonly (readonly [number, WaitingAnswer])[],
    isRefused: (answer: WaitingAnswer) => boolean,
  ): Promise<void> {
    const refused = oldest.map(([, answer]) => answer).filter(isRefused);
    await stored().settle(
      oldest.map(([place]) => place),
      refused,
    );
    await count();
  }

  /** Notes whether the server was reached, and whether it still knows this tablet. */
  function note({ kind, ...outcome }: CallOutcome<'pair' | 'report' | 'deliver'>): void {
    set(kind === 'away' ? { isConnected: false } : { isConnected: true, reached: Date.now() });
    if ('code' in outcome && outcome.code === 'kiosk-gone') {
      pairing = undefined;
      void stored().endPairing();
      set({ status: 'ended' });
    }
  }
}

/** Returns an answer with its age instead of a time, because this tablet's clock may be wrong. */
function agedNow({ given, ...answer }: WaitingAnswer) {
  return { ...answer, age: Math.max(0, Date.now() - given) };
}
