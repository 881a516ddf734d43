import type { FieldError, RefusalCode } from '#contract/core/errors.ts';
import type { Diagnostics } from '#contract/feedback/feedback.ts';
import { type Draft, isRating, type Origin } from '#contract/form/form-page.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { type Box, changedNow, type Entry, keep, mergeEntries, renew, settle, waiting } from './offline/outbox.ts';
import { timeoutAfter } from './timeout.ts';

/**
 * The result of sending answers.
 * accepted: stored by the server. kept: stored on this device, without a connection. away: stored on this device, while the server
 * can't be reached or can't store them. held: only in this page's memory. refused: the server will never accept them.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'kept' | 'away' | 'held' }
  | {
      readonly kind: 'refused';
      readonly reason: 'closed' | 'refused';
      readonly errors: readonly FieldError[];
      readonly drafts: readonly Draft[];
    };

type FinalOutcome = Extract<SendOutcome, { kind: 'accepted' | 'refused' }>;
/** The entry may or may not have arrived. */
type OpenOutcome = 'kept' | 'away';

/** The submission that answers belong to. */
export interface SentVisit extends Origin {
  readonly key: string;
  readonly userId?: string | undefined;
}

export interface SubmissionSender {
  /** Stores the answers and sends them. Resolves to the outcome after at most a few seconds. */
  send(visit: SentVisit, drafts: readonly Draft[]): Promise<SendOutcome>;
  /** Posts answers that still wait for an earlier request, because the page may close before their turn. */
  flush(): void;
  /** Sends answers that earlier visits left on this device. */
  sendEarlier(): void;
  stop(): void;
}

interface SenderOptions {
  readonly formId: string;
  /** The version that the page shows. */
  readonly formVersion: number;
  readonly language: LanguageTag;
  /** The key of the page's submission. */
  readonly key: string;
  readonly diagnostics: Diagnostics;
  readonly url?: string | undefined;
  readonly storage: Box | undefined;
  readonly makeKey: () => string;
  /** Called when this page's last waiting entry was accepted or refused. */
  readonly onSettled: (outcome: FinalOutcome) => void;
  /** Called when answers from an earlier visit were accepted. */
  readonly onEarlier: () => void;
  /** Called when a key's hour is over and its answers get another key. */
  readonly onRenewed: (key: string, newKey: string) => void;
}

/** How long one try to send feedback may take (ms). @limit sending */
const TIMEOUT = 10_000;
/** How long "Sending…" is shown before the page continues with the stored answers (ms). @limit sending */
const SENDING_SHOWN_FOR = 5_000;
/** The pauses between tries double from the first to the last (ms). @limit sending */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

export function createSender(options: SenderOptions): SubmissionSender {
  const { formId, formVersion, language, key, diagnostics, url, storage, makeKey, ...events } = options;
  /** Entries that the device can't store stay in memory while the page is open. */
  const memory = memoryBox();
  const boxes = storage ? [storage, memory] : [memory];
  /** The keys of this page's submissions. */
  const keys = new Set([key]);
  const inLine = createLine();
  const retries = openRetries(() => {
    for (const waitingKey of new Set(entries().map((entry) => entry.key))) void inLine(() => deliver(waitingKey));
  });

  return {
    async send(visit, drafts) {
      keys.add(visit.key);
      const entry = {
        ...visit,
        formId,
        formVersion,
        language,
        responses: drafts,
        diagnostics,
        url,
        kept: Date.now(),
        changed: changedNow(),
      };
      const isStored = storage !== undefined && keep(storage, entry);
      if (!isStored) keep(memory, entry);
      const openOutcome = (kind: OpenOutcome): SendOutcome => ({ kind: isStored ? kind : 'held' });
      if (!navigator.onLine) {
        retries.later();
        return openOutcome('kept');
      }
      const delivered = inLine(() => deliver(visit.key)).then((outcome) => (typeof outcome === 'string' ? openOutcome(outcome) : outcome));
      return Promise.race([delivered, after(SENDING_SHOWN_FOR).then(() => openOutcome('away'))]);
    },
    flush() {
      for (const submissionKey of keys) void deliver(submissionKey);
    },
    sendEarlier: retries.now,
    stop: retries.stop,
  };

  function entries(): Entry[] {
    return boxes.flatMap(waiting);
  }

  async function deliver(submissionKey: string): Promise<FinalOutcome | OpenOutcome> {
    const parts = entries()
      .filter((candidate) => candidate.key === submissionKey)
      .sort((a, b) => (a.changed ?? 0) - (b.changed ?? 0));
    if (parts.length === 0) return { kind: 'accepted' };
    const entry = parts.reduce(mergeEntries);
    const outcome = await post(entry);
    if (outcome === 'over' && entry.responses.some(isRating)) return renewKey(submissionKey);
    if (outcome === 'kept' || outcome === 'away') {
      retries.later();
      return outcome;
    }
    retries.reset();
    const final: FinalOutcome = outcome === 'over' ? refused('refused', [], entry.responses) : outcome;
    for (const part of parts) for (const box of boxes) settle(box, part, final.kind === 'accepted');
    notify(submissionKey, final);
    return final;
  }

  function notify(submissionKey: string, outcome: FinalOutcome): void {
    const isEarlier = !keys.has(submissionKey);
    if (isEarlier && outcome.kind === 'accepted') events.onEarlier();
    if (!isEarlier && !entries().some((entry) => keys.has(entry.key))) events.onSettled(outcome);
  }

  /** Sends answers that can no longer amend their submission as a new one. */
  function renewKey(expiredKey: string): Promise<FinalOutcome | OpenOutcome> {
    const newKey = makeKey();
    for (const box of boxes) renew(box, expiredKey, newKey);
    if (keys.has(expiredKey)) keys.add(newKey);
    events.onRenewed(expiredKey, newKey);
    return deliver(newKey);
  }
}

/** Returns a function that runs one request after another, so that a later answer never overtakes an earlier one. */
function createLine() {
  let line: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = line.then(work);
    line = next.catch(() => undefined);
    return next;
  };
}

/** Runs again after a growing delay, and when the connection or the page comes back. */
function openRetries(run: () => void) {
  let delay = FIRST_RETRY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('online', now);
  document.addEventListener('visibilitychange', now);
  return {
    now,
    later() {
      timer ??= setTimeout(now, delay);
      delay = Math.min(delay * 2, LAST_RETRY);
    },
    reset() {
      delay = FIRST_RETRY;
    },
    stop() {
      clearTimeout(timer);
      removeEventListener('online', now);
      document.removeEventListener('visibilitychange', now);
    },
  };

  function now(): void {
    clearTimeout(timer);
    timer = undefined;
    run();
  }
}

/** Posts an entry. Returns `over` if its key's hour is over. Posting it again is always safe, as is an arrival after a later one. */
async function post({
  key,
  formId,
  formVersion,
  language,
  responses,
  changed,
  diagnostics,
  url,
  userId,
  at,
  test,
  ref,
}: Entry): Promise<FinalOutcome | OpenOutcome | 'over'> {
  const signal = timeoutAfter(TIMEOUT);
  try {
    const answer = await fetch('/api/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // JSON leaves out undefined fields.
      body: JSON.stringify({
        service: 'feedback',
        action: 'save',
        idempotencyKey: key,
        payload: { data: { formId, formVersion, language, responses, changed, diagnostics, url, userId, at, test, ref } },
      }),
      keepalive: true,
      signal,
    });
    return outcomeOf(await answer.json().catch(() => undefined), responses);
  } catch {
    return signal.aborted ? 'away' : 'kept';
  }
}

/** The refusals of `feedback.save` after which a retry is pointless. */
export const FINAL: readonly RefusalCode[] = [
  'bad-input',
  'bad-json',
  'not-json',
  'too-complex',
  'too-large',
  'form-closed',
  'amend-closed',
];

/** The visitor's answers in the request. An error elsewhere means that page and server have different versions, as during an upgrade. */
const ANSWERS = 'payload.data.responses';

/** A response of the server: an operation's result or a problem. */
interface ServerAnswer {
  readonly status?: unknown;
  readonly code?: RefusalCode;
  readonly errors?: FieldError[];
}

/**
 * Returns the outcome of a response. Only the server's own body counts, not the HTTP status: a proxy without a route, a firewall or a
 * hotel's network may respond in its place with 404, 403 or even 200, and no answer may be lost by that.
 */
function outcomeOf(answer: ServerAnswer | null | undefined, responses: readonly Draft[]): FinalOutcome | 'away' | 'over' {
  const { status, code, errors = [] } = answer ?? {};
  if (status === 'ok') return { kind: 'accepted' };
  if (code === 'amend-closed') return 'over';
  if (errors.length > 0 && !errors.some(({ path }) => path.startsWith(ANSWERS))) return 'away';
  if (status === 'not found' || code === 'form-closed') return refused('closed', errors, responses);
  return code && FINAL.includes(code) ? refused('refused', errors, responses) : 'away';
}

const refused = (reason: 'closed' | 'refused', errors: readonly FieldError[], drafts: readonly Draft[]): FinalOutcome => ({
  kind: 'refused',
  reason,
  errors,
  drafts,
});

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns storage in the page's memory, for browsers that store nothing. */
function memoryBox(): Box {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}
