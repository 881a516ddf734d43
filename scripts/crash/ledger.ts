import { open } from 'node:fs/promises';

/** What visitors were told, kept outside the product: on disk for whoever reads it later, in memory for the audit. */
export interface Ledger {
  /** Notes an acknowledgement that has arrived. */
  acknowledged(entry: Acknowledged): void;
  readonly entries: ReadonlyMap<string, Acknowledged>;
  close(): Promise<void>;
}

export interface Acknowledged {
  readonly key: string;
  readonly id: string;
  readonly rating: number;
  /** How often it was sent until somebody answered. */
  readonly attempts: number;
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
