import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as paddle from '@paddle/paddle-node-sdk';
import { replaceFile } from '#server/disk/durable-file.ts';

/** Everything the stand-in stores, as it is written to its file. Records have the shape that the API sends. */
export interface PaddleState {
  /** The last timestamp that was issued (UTC ms). */
  latest: number;
  invoices: number;
  readonly products: Record<string, paddle.IProductResponse>;
  readonly prices: Record<string, paddle.IPriceResponse>;
  readonly customers: Record<string, paddle.ICustomerResponse>;
  readonly transactions: Record<string, paddle.ITransactionResponse>;
  readonly subscriptions: Record<string, paddle.ISubscriptionResponse>;
  /** The last four digits of the card that pays a subscription, by its id. */
  readonly cards: Record<string, string>;
  /** Oldest first. */
  readonly events: paddle.IEventsResponse[];
  deliveries: PendingDelivery[];
  readonly faults: Faults;
}

/** An event that the receiver hasn't accepted yet. */
export interface PendingDelivery {
  readonly event_id: string;
  tries: number;
  /** UTC ms of the machine's clock. */
  due: number;
}

/** Failures that tests can switch on. */
export interface Faults {
  declinesNextCharge: boolean;
  locksNextUpdate: boolean;
  holdsDeliveries: boolean;
  /** How the API behaves while it is down. */
  outage: 'refuses' | 'hangs' | null;
}

const emptyState = (): PaddleState => ({
  ...{ latest: 0, invoices: 0, products: {}, prices: {}, customers: {}, transactions: {}, subscriptions: {}, cards: {} },
  ...{ events: [], deliveries: [] },
  faults: { declinesNextCharge: false, locksNextUpdate: false, holdsDeliveries: false, outage: null },
});

export interface StateFile {
  readonly state: PaddleState;
  /** Writes the state and resolves once it is on disk. */
  readonly save: () => Promise<void>;
}

export async function openStateFile(file: string): Promise<StateFile> {
  await mkdir(path.dirname(file), { recursive: true });
  const state = await readState(file);
  let savedText = '';
  let lastWrite: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const text = JSON.stringify(state);
    if (text === savedText) return;
    await replaceFile(file, { text });
    savedText = text;
  }

  return {
    state,
    save() {
      lastWrite = lastWrite.catch(() => undefined).then(write);
      return lastWrite;
    },
  };
}

async function readState(file: string): Promise<PaddleState> {
  try {
    // Only this program writes the file, and only whole.
    return JSON.parse(await readFile(file, 'utf8')) as PaddleState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw error;
  }
}
