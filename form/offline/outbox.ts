import type { Diagnostics } from '#contract/feedback/feedback.ts';
import type { Draft, Origin } from '#contract/form/form-page.ts';
import { mergeResponses } from '#contract/form/submission.ts';
import type { LanguageTag } from '#contract/language/languages.ts';

/** A submission stored on this device until the server accepts it, with its newest answer to each block. */
export interface Entry extends Origin {
  readonly key: string;
  readonly formId: string;
  readonly formVersion?: number;
  readonly language?: LanguageTag;
  readonly responses: readonly Draft[];
  readonly diagnostics?: Diagnostics;
  /** The page's address without query and fragment. */
  readonly url?: string | undefined;
  /** The visitor's id in the business's link. */
  readonly userId?: string | undefined;
  /** When the entry was first stored (UTC ms). */
  readonly kept: number;
  /** When its answers were last changed (`changedNow`). Entries of earlier versions have none. */
  readonly changed?: number | undefined;
}

/** Returns this moment for an entry's `changed` (UTC ms). The device's clock may go back, and the page's stands still while it sleeps. */
export const changedNow = (): number => Math.max(Date.now(), Math.round(performance.timeOrigin + performance.now()));

/** Storage for entries: the browser's, or the page's memory. */
export type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The early script writes here too (early.ts). */
export const OUTBOX = 'afterword.outbox';
/** The last mail link on this device, with its key and when it was used (mail.ts). */
export const USED_MAIL = 'afterword.mail';
/** How long unaccepted feedback stays on the device (ms). @limit kept-for */
const LIFETIME = 90 * 86_400_000;

/** Returns all waiting entries, oldest first. */
export function waiting(storage: Box): Entry[] {
  try {
    const entries: unknown = JSON.parse(storage.getItem(OUTBOX) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Stores an entry, merged into an existing one. Returns false if the device can't store it. */
export function keep(storage: Box, entry: Entry): boolean {
  const entries = waiting(storage);
  const before = entries.find(({ key }) => key === entry.key);
  const merged = before ? mergeEntries(before, entry) : entry;
  return write(storage, [...entries.filter(({ key }) => key !== entry.key), merged]);
}

/** Returns an entry with a later one of the same submission added. */
export const mergeEntries = (before: Entry, { responses, changed }: Entry): Entry => ({
  ...before,
  responses: mergeResponses(before.responses, responses),
  changed,
});

/** Removes answers that the server accepted or refused. An accepted entry that has changed since then stays, to be sent again as a whole. */
export function settle(storage: Box, { key, responses, changed }: Pick<Entry, 'key' | 'responses' | 'changed'>, isAccepted: boolean): void {
  const sent = new Set(responses.map((draft) => JSON.stringify(draft)));
  const remaining = waiting(storage).map((entry) =>
    entry.key !== key || (isAccepted && entry.changed !== changed)
      ? entry
      : { ...entry, responses: entry.responses.filter((draft) => !sent.has(JSON.stringify(draft))) },
  );
  write(
    storage,
    remaining.filter((entry) => entry.responses.length > 0),
  );
}

/** Gives an entry another key, which makes it a new submission. Another face of the mail that led to it changes the new one. */
export function renew(storage: Box, key: string, newKey: string): void {
  write(
    storage,
    waiting(storage).map((entry) => (entry.key === key ? { ...entry, key: newKey } : entry)),
  );
  try {
    const used = JSON.parse(storage.getItem(USED_MAIL) ?? '{}');
    if (used.key === key) storage.setItem(USED_MAIL, JSON.stringify({ ...used, key: newKey, since: Date.now() }));
  } catch {
    // Without storage, each face of a mail is another answer.
  }
}

function write(storage: Box, entries: readonly Entry[]): boolean {
  try {
    if (entries.length === 0) storage.removeItem(OUTBOX);
    else storage.setItem(OUTBOX, JSON.stringify(entries));
    return true;
  } catch {
    return false;
  }
}

function isEntry(value: unknown): value is Entry {
  const { key, formId, responses, kept } = (value ?? {}) as Partial<Entry>;
  const isComplete = typeof key === 'string' && typeof formId === 'string' && Array.isArray(responses) && typeof kept === 'number';
  return isComplete && Date.now() - kept < LIFETIME;
}
