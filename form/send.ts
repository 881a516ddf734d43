import type { FieldError } from '#contract/errors.ts';
import type { Diagnostics } from '#contract/feedback.ts';
import type { Draft } from '#contract/form-page.ts';
import { mergeResponses } from '#contract/submission.ts';
import { type Box, type Entry, keep, settle, waiting } from './outbox.ts';

/**
 * What became of answers that were handed in.
 * accepted: on disk at the server. kept: on this device, to be sent later. held: only as long as this page is open.
 * refused: the server will never take them as they are.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'kept' | 'held' }
  | { readonly kind: 'refused'; readonly message: string; readonly errors: readonly FieldError[]; readonly drafts: readonly Draft[] };

type Settled = Exclude<SendOutcome, { kind: 'kept' | 'held' }>;

export interface SubmissionSender {
  /** Keeps the answers, sends them, and resolves with the outcome after a few seconds at most. */
  send(drafts: readonly Draft[]): Promise<SendOutcome>;
  /** Sends what earlier visits left on this device. */
  sendEarlier(): void;
  stop(): void;
}

interface SenderOptions {
  readonly formId: string;
  readonly key: string;
  readonly diagnostics: Diagnostics;
  readonly storage: Box | undefined;
  /** Called when no entry waits any more: the last was accepted or refused. */
  readonly onSettled: (outcome: Settled) => void;
}

const TIMEOUT = 10_000;
/** For how long a visitor waits in front of "Sending…" before the page goes on with what is kept. */
const SENDING_SHOWN_FOR = 5_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

export function createSender({ formId, key, diagnostics, storage, onSettled }: SenderOptions): SubmissionSender {
  /** Entries that the device cannot store are kept in memory, as long as the page lives. */
  const memory = memoryBox();
  const boxes = storage ? [storage, memory] : [memory];
  let delay = FIRST_RETRY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One request after another, so that a later answer never overtakes an earlier one. */
  let line: Promise<unknown> = Promise.resolve();
  const wake = () => retry();
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);

  return {
    async send(drafts) {
      const entry = { key, formId, responses: drafts, diagnostics, kept: Date.now() };
      const isKept = storage !== undefined && keep(storage, entry);
      if (!isKept) keep(memory, entry);
      const fallback: SendOutcome = { kind: isKept ? 'kept' : 'held' };
      if (!navigator.onLine) {
        retryLater();
        return fallback;
      }
      return Promise.race([inLine(() => deliver(key, fallback)), after(SENDING_SHOWN_FOR).then(() => fallback)]);
    },
    sendEarlier: retry,
    stop() {
      clearTimeout(timer);
      removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
    },
  };

  function inLine<T>(work: () => Promise<T>): Promise<T> {
    const next = line.then(work);
    line = next.catch(() => undefined);
    return next;
  }

  function retry(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const each of new Set(entries().map((entry) => entry.key))) void inLine(() => deliver(each, { kind: 'kept' }));
  }

  function entries(): Entry[] {
    return boxes.flatMap(waiting);
  }

  function retryLater(): void {
    timer ??= setTimeout(retry, delay);
    delay = Math.min(delay * 2, LAST_RETRY);
  }

  async function deliver(which: string, fallback: SendOutcome): Promise<SendOutcome> {
    const [entry, ...later] = entries().filter((each) => each.key === which);
    if (!entry) return { kind: 'accepted' };
    const responses = later.reduce((all, each) => mergeResponses(all, each.responses), entry.responses);
    const outcome = await post({ ...entry, responses });
    if (outcome === undefined) {
      retryLater();
      return fallback;
    }
    delay = FIRST_RETRY;
    // Each as it stood when it was sent: an answer to the same question may have been replaced by a later one.
    for (const sent of [entry, ...later]) for (const box of boxes) settle(box, sent);
    if (entries().length === 0) onSettled(outcome);
    return outcome;
  }
}

/** Posts an entry. Undefined: it is unknown whether it arrived; posting it again is harmless. */
async function post({ key, formId, responses, diagnostics }: Entry): Promise<Settled | undefined> {
  try {
    const answer = await fetch('/api/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        service: 'feedback',
        action: 'save',
        idempotencyKey: key,
        payload: { data: { formId, responses, ...(diagnostics && { diagnostics }) } },
      }),
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.ok) return { kind: 'accepted' };
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return undefined;
    return refused(await answer.json().catch(() => ({})), responses);
  } catch {
    return undefined;
  }
}

const CLOSED = 'This form is no longer open.';

function refused(problem: { title?: string; errors?: FieldError[] }, drafts: readonly Draft[]): Settled {
  return { kind: 'refused', message: problem.title ?? CLOSED, errors: problem.errors ?? [], drafts };
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A storage in the page's memory, for browsers that store nothing. */
function memoryBox(): Box {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}
