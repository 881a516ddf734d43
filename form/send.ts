import type { FieldError, RefusalCode } from '#contract/core/errors.ts';
import type { Diagnostics } from '#contract/feedback/feedback.ts';
import { type Draft, isRating, type Origin } from '#contract/form/form-page.ts';
import { mergeResponses } from '#contract/form/submission.ts';
import { type Box, type Entry, keep, renew, settle, waiting } from './outbox.ts';

/**
 * What became of answers that were handed in.
 * accepted: on disk at the server. kept: on this device, without a connection. away: on this device, and the server was not
 * reached or could not take it now. held: only as long as this page is open. refused: the server will never take them as they are.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'kept' | 'away' | 'held' }
  | { readonly kind: 'refused'; readonly message: string; readonly errors: readonly FieldError[]; readonly drafts: readonly Draft[] };

type Settled = Extract<SendOutcome, { kind: 'accepted' | 'refused' }>;
/** It is unknown whether an entry arrived. */
type Unsettled = 'kept' | 'away';

/** The submission that answers belong to. */
export interface SentVisit extends Origin {
  readonly key: string;
  readonly userId?: string | undefined;
}

export interface SubmissionSender {
  /** Keeps the answers, sends them, and resolves with the outcome after a few seconds at most. */
  send(visit: SentVisit, drafts: readonly Draft[]): Promise<SendOutcome>;
  /** Posts what still waits for an earlier request of this page: the page may be gone before its turn. */
  flush(): void;
  /** Sends what earlier visits left on this device. */
  sendEarlier(): void;
  stop(): void;
}

interface SenderOptions {
  readonly formId: string;
  /** The version that the page shows. */
  readonly formVersion: number;
  /** The submission that the page began with or goes on with. */
  readonly key: string;
  readonly diagnostics: Diagnostics;
  readonly url?: string | undefined;
  readonly storage: Box | undefined;
  readonly makeKey: () => string;
  /** Called when no entry of this page waits any more: the last was accepted or refused. */
  readonly onSettled: (outcome: Settled) => void;
  /** Called when what an earlier visit left was accepted. */
  readonly onEarlier: () => void;
  /** Called when a key's hour is over, and its answers go on under another. */
  readonly onRenewed: (key: string, renewed: string) => void;
}

const TIMEOUT = 10_000;
/** For how long a visitor waits in front of "Sending…" before the page goes on with what is kept. */
const SENDING_SHOWN_FOR = 5_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

export function createSender({ formId, formVersion, key, diagnostics, url, storage, makeKey, ...told }: SenderOptions): SubmissionSender {
  /** Entries that the device cannot store are kept in memory, as long as the page lives. */
  const memory = memoryBox();
  const boxes = storage ? [storage, memory] : [memory];
  /** The submissions of this page. */
  const own = new Set([key]);
  let delay = FIRST_RETRY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One request after another, so that a later answer never overtakes an earlier one. */
  let line: Promise<unknown> = Promise.resolve();
  const wake = () => retry();
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);

  return {
    async send(visit, drafts) {
      own.add(visit.key);
      const entry = { ...visit, formId, formVersion, responses: drafts, diagnostics, url, kept: Date.now() };
      const isKept = storage !== undefined && keep(storage, entry);
      if (!isKept) keep(memory, entry);
      const unsettled = (kind: Unsettled): SendOutcome => ({ kind: isKept ? kind : 'held' });
      if (!navigator.onLine) {
        retryLater();
        return unsettled('kept');
      }
      const delivered = inLine(() => deliver(visit.key)).then((outcome) => (typeof outcome === 'string' ? unsettled(outcome) : outcome));
      return Promise.race([delivered, after(SENDING_SHOWN_FOR).then(() => unsettled('away'))]);
    },
    flush() {
      for (const each of own) void deliver(each);
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
    for (const each of new Set(entries().map((entry) => entry.key))) void inLine(() => deliver(each));
  }

  function entries(): Entry[] {
    return boxes.flatMap(waiting);
  }

  function retryLater(): void {
    timer ??= setTimeout(retry, delay);
    delay = Math.min(delay * 2, LAST_RETRY);
  }

  async function deliver(which: string): Promise<Settled | Unsettled> {
    const [entry, ...later] = entries().filter((each) => each.key === which);
    if (!entry) return { kind: 'accepted' };
    const responses = later.reduce((all, each) => mergeResponses(all, each.responses), entry.responses);
    const outcome = await post({ ...entry, responses });
    if (outcome === 'over' && responses.some(isRating)) return renewed(which);
    if (outcome === 'kept' || outcome === 'away') {
      retryLater();
      return outcome;
    }
    delay = FIRST_RETRY;
    // Each as it stood when it was sent: an answer to the same question may have been replaced by a later one.
    for (const sent of [entry, ...later]) for (const box of boxes) settle(box, sent);
    const after: Settled = outcome === 'over' ? refused({}, responses) : outcome;
    tell(which, after);
    return after;
  }

  function tell(which: string, outcome: Settled): void {
    const isEarlier = !own.has(which);
    if (isEarlier && outcome.kind === 'accepted') told.onEarlier();
    if (!isEarlier && !entries().some((each) => own.has(each.key))) told.onSettled(outcome);
  }

  /** What can no longer be added to one submission is another of its own. */
  function renewed(which: string): Promise<Settled | Unsettled> {
    const another = makeKey();
    for (const box of boxes) renew(box, which, another);
    if (own.has(which)) own.add(another);
    told.onRenewed(which, another);
    return deliver(another);
  }
}

/** Posts an entry. Over: its key's hour is. Without a connection, or from a server that is away, posting it again is harmless. */
async function post({
  key,
  formId,
  formVersion,
  responses,
  diagnostics,
  url,
  userId,
  at,
  test,
}: Entry): Promise<Settled | Unsettled | 'over'> {
  try {
    const answer = await fetch('/api/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // What is undefined is left out.
      body: JSON.stringify({
        service: 'feedback',
        action: 'save',
        idempotencyKey: key,
        payload: { data: { formId, formVersion, responses, diagnostics, url, userId, at, test } },
      }),
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return outcomeOf(await answer.json().catch(() => undefined), responses);
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'away' : 'kept';
  }
}

/** The refusals of `feedback.save` that are the last word. */
export const FINAL: readonly RefusalCode[] = [
  'bad-input',
  'bad-json',
  'not-json',
  'too-complex',
  'too-large',
  'form-closed',
  'amend-closed',
];

/** What the server can answer, with any status: an operation's answer, or a problem. */
interface ServerAnswer {
  readonly status?: unknown;
  readonly code?: RefusalCode;
  readonly title?: string;
  readonly errors?: FieldError[];
}

/**
 * What an answer means. Only the server's own words count, whatever the status: between it and the visitor a proxy without a
 * route, a firewall or a hotel's network answers 404, 403 or even 200 in its place, and nothing may be lost by that.
 */
function outcomeOf(answer: ServerAnswer | null | undefined, responses: readonly Draft[]): Settled | 'away' | 'over' {
  const { status, code, ...problem } = answer ?? {};
  if (status === 'ok') return { kind: 'accepted' };
  if (code === 'amend-closed') return 'over';
  return status === 'not found' || (code && FINAL.includes(code)) ? refused(problem, responses) : 'away';
}

const CLOSED = 'This form is no longer open.';

function refused(problem: Pick<ServerAnswer, 'title' | 'errors'>, drafts: readonly Draft[]): Settled {
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
