import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KioskAnswer, KioskContent } from '#contract/kiosk/kiosk.ts';

/* What a tablet stores: its pairing, and answers that wait. */

/** The pairing with a kiosk, and what it shows. */
export interface Pairing {
  readonly token: string;
  readonly content: KioskContent;
  readonly revision: string;
}

/** An answer that waits. */
export type WaitingAnswer = Omit<KioskAnswer, 'age'> & TapTime;

/** The time of a tap by this tablet's clock (UTC ms), and by that of its page, which nobody corrects. */
export interface TapTime {
  readonly given: number;
  /** `performance.timeOrigin` and `performance.now()`. Answers of earlier versions have none. */
  readonly page?: readonly [origin: number, passed: number];
}

/** A stored answer, with its place in the order. */
export type PlacedAnswer = readonly [place: number, answer: WaitingAnswer];

interface Tables extends DBSchema {
  readonly pairing: { readonly key: 'pairing'; readonly value: Pairing };
  /** In the order of the taps. */
  readonly waiting: { readonly key: number; readonly value: WaitingAnswer };
  /** Answers that the server will never accept. */
  readonly refused: { readonly key: string; readonly value: WaitingAnswer };
}

/** `resolve` of a write waits for the disk: a tablet may lose its power at any time. */
const ON_DISK = { durability: 'strict' } as const;
const KEY = 'pairing';

export type TabletDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** Opens the database. A browser may close it at any time, so work that fails is repeated once on a new connection. */
export async function openDatabase() {
  let connection = connect();
  await connection;
  return {
    pairing: () => run((database) => database.get('pairing', KEY)),
    setPairing: (pairing: Pairing) => run((database) => database.put('pairing', pairing, KEY)),
    endPairing: () => run((database) => database.delete('pairing', KEY)),
    /** Deletes everything. */
    clear: (): Promise<void> =>
      run(async (database) => {
        const change = database.transaction(['pairing', 'waiting', 'refused'], 'readwrite', ON_DISK);
        await Promise.all([...change.objectStoreNames].map((name) => change.objectStore(name).clear()));
        await change.done;
      }),
    /** Stores an answer, and returns its place in the order. With a place, it replaces the answer there. */
    put: (answer: WaitingAnswer, place?: number): Promise<number> =>
      run(async (database) => {
        const change = database.transaction('waiting', 'readwrite', ON_DISK);
        const [stored] = await Promise.all([change.store.put(answer, place), change.done]);
        return stored;
      }),
    count: () => run((database) => database.count('waiting')),
    countRefused: () => run((database) => database.count('refused')),
    /** Returns the oldest answers, with their places. */
    oldest: (most: number): Promise<PlacedAnswer[]> =>
      run(async (database) => {
        const { store } = database.transaction('waiting');
        const [places, answers] = await Promise.all([store.getAllKeys(null, most), store.getAll(null, most)]);
        return answers.flatMap((answer, index) => (places[index] === undefined ? [] : [[places[index], answer] as const]));
      }),
    /** Removes delivered answers, and keeps those that were refused apart. */
    settle: (delivered: readonly PlacedAnswer[], isRefused: (answer: WaitingAnswer) => boolean): Promise<void> =>
      run(async (database) => {
        const change = database.transaction(['waiting', 'refused'], 'readwrite', ON_DISK);
        const [waiting, apart] = [change.objectStore('waiting'), change.objectStore('refused')];
        const refused = delivered.filter(([, answer]) => isRefused(answer));
        const moved = [...delivered.map(([place]) => waiting.delete(place)), ...refused.map(([, answer]) => apart.put(answer))];
        await Promise.all([...moved, change.done]);
      }),
  };

  async function run<T>(work: (database: IDBPDatabase<Tables>) => Promise<T>): Promise<T> {
    const used = connection;
    try {
      return await work(await used);
    } catch {
      if (connection === used) connection = reconnect(used);
      return work(await connection);
    }
  }
}

/** Opens a new connection in place of one, or the page again if the browser refuses it. */
function reconnect(former: ReturnType<typeof connect>) {
  former.then((database) => database.close()).catch(() => undefined);
  const connection = connect();
  connection.catch(() => location.reload());
  return connection;
}

const connect = async () =>
  openDB<Tables>('afterword-kiosk', 1, {
    upgrade(upgraded) {
      upgraded.createObjectStore('pairing');
      upgraded.createObjectStore('waiting', { autoIncrement: true });
      upgraded.createObjectStore('refused', { keyPath: 'key' });
    },
  });
