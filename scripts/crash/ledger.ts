import { open } from 'node:fs/promises';

/** The acknowledgements that visitors received, stored outside the product: in memory for the audit, on disk to read later. */
export interface Ledger {
  /** Records an acknowledgement. */
  acknowledged(entry: Acknowledged): void;
  readonly entries: ReadonlyMap<string, Acknowledged>;
  close(): Promise<void>;
}

export interface Acknowledged {
  readonly key: string;
  readonly id: string;
  readonly rating: number;
  /** How often it was sent until it was acknowledged. */
  readonly attempts: number;
  /** Time from the first attempt to the acknowledgement (ms). */
  readonly duration: number;
}

export async function openLedger(file: string): Promise<Ledger> {
  const handle = await open(file, 'a');
  const entries = new Map<string, Acknowledged>();
  let writing: Promise<unknown> = Promise.resolve();
  return {
    entries,
    acknowledged(entry) {
      entries.set(entry.key, entry);
      writing = writing.then(() => handle.appendFile(`${JSON.stringify(entry)}\n`));
    },
    async close() {
      await writing;
      await handle.close();
    },
  };
}
