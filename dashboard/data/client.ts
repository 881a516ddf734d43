import type { Problem } from '#contract/core/errors.ts';
import type { DescribedOperation } from '#contract/core/operation.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../language.ts';
import { paths } from '../paths.ts';
import { BROKEN, CallError, isRefused } from './errors.ts';
import type { CallOperation, DataSource, LiveEvent } from './source.ts';
import { quietly } from './storage.ts';

/** The session, as the client needs it. */
export interface TokenProvider {
  /** Returns a valid access token, a new one with `fresh`; undefined while signed out. */
  token(fresh?: boolean): Promise<string | undefined>;
  /** Called when the server rejects this session, with its reason if it gives one. */
  ended(reason: string | undefined): void;
  /** Called when the account of this session is deleted. */
  deleted(): void;
}

/** How long a call may take (ms), and longer for each kilobyte that it sends. @limit dashboard-call */
const TIMEOUT = 15_000;
/** The slowest connection that a picture is sent over (bytes per ms). @limit dashboard-call */
const SLOWEST = 5;
const OFFLINE = translatable('We can’t reach the server. Check your connection.');

/** Creates the data source that calls the server. */
export function createServerSource(tokens: TokenProvider): DataSource {
  const call: CallOperation = async (service, action, input, signal) => {
    const sent = JSON.stringify({ service, action, ...(input as object) });
    const answer = await authorized((authorization) => {
      const timeout = AbortSignal.timeout(timeoutOf(sent));
      return send('/api/data', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: sent,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    });
    const body: unknown = await answer.json().catch(() => undefined);
    // A "not found" answer has status 404; every other status outside 2xx is a problem.
    if (answer.ok || (answer.status === 404 && isNotFound(body))) return body as never;
    const problem = problemError(answer, body);
    if (isRefused(problem, 'account-deleted')) tokens.deleted();
    throw problem;
  };
  return { id: 'server', call, listen: (onEvent) => listen(onEvent, authorized) };

  /** Renews an expired token once and sends the request again. */
  async function authorized(ask: (headers: Record<string, string>) => Promise<Response>): Promise<Response> {
    const first = await ask(headerOf(await tokens.token()));
    if (first.status !== 401) return first;
    // Read the body now: if the caller leaves while the token is renewed, the response is aborted.
    const reason = await reasonOf(first);
    const token = await tokens.token(true);
    const second = token === undefined ? first : await ask(headerOf(token));
    if (second.status === 401) tokens.ended(reason);
    return second;
  }
}

const timeoutOf = (body: string): number => TIMEOUT + Math.ceil(body.length / SLOWEST);

/** Returns why the server refused, from a copy, so that the caller can still read the body. */
async function reasonOf(refused: Response): Promise<string | undefined> {
  const body: unknown = await refused
    .clone()
    .json()
    .catch(() => undefined);
  return ((body ?? {}) as Partial<Problem>).detail;
}

const headerOf = (token: string | undefined): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** Sends a request; throws an offline `CallError` when the server can't be reached. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted && error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError(t(OFFLINE));
  }
}

const isNotFound = (body: unknown): boolean => (body as { status?: unknown } | undefined)?.status === 'not found';

function problemError({ status, headers }: Response, body: unknown): CallError {
  const { title, detail, code, errors, requestId } = (body ?? {}) as Partial<Problem>;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return new CallError(detail ?? title ?? t(BROKEN), { status, code: code ?? 'unknown', errors: errors ?? [], requestId, retryAfter });
}

/** Returns the public settings that the server put in the document; undefined if it didn't. */
export const configInDocument = (): PublicConfig | undefined =>
  quietly(() => JSON.parse(document.getElementById('config')?.textContent ?? '') as PublicConfig);

/** Returns the public settings, from the document or the server. Throws a `CallError`. */
export async function readPublicConfig(): Promise<PublicConfig> {
  const config = configInDocument();
  if (config) return config;
  const answer = await send('/api/config', { signal: AbortSignal.timeout(TIMEOUT) });
  if (!answer.ok) throw problemError(answer, await answer.json().catch(() => undefined));
  return (await answer.json()) as PublicConfig;
}

/** Returns the list of operations for the docs. Throws a `CallError`. */
export async function readOperations(): Promise<DescribedOperation[]> {
  const answer = await send('/api/operations', { signal: AbortSignal.timeout(TIMEOUT) });
  if (!answer.ok) throw problemError(answer, await answer.json().catch(() => undefined));
  return (await answer.json()) as DescribedOperation[];
}

/** Clears this site's browser cache. Not awaited: it can take seconds, and team data is never cached there. */
export function emptyCache(): void {
  send(paths.signOut, { method: 'POST', keepalive: true, signal: AbortSignal.timeout(TIMEOUT) }).catch(() => undefined);
}

/* ── Live: server-sent events over fetch, because EventSource can't send a token ── */

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;
/** Three heartbeats of the server (docs/limits.md#stream-beat): after this much silence (ms) the connection is dead. @limit live-silence */
const LONGEST_SILENCE = 60_000;

type Authorized = (ask: (headers: Record<string, string>) => Promise<Response>) => Promise<Response>;

function listen(onEvent: (event: LiveEvent) => void, authorized: Authorized): () => void {
  const stopped = new AbortController();
  void stayConnected();
  return () => stopped.abort();

  async function stayConnected(): Promise<void> {
    let delay = FIRST_RETRY;
    for (let attempt = 0; !stopped.signal.aborted; attempt += 1) {
      const silence = watchSilence();
      const signal = AbortSignal.any([stopped.signal, silence.signal]);
      try {
        const answer = await authorized((headers) => send('/api/live', { headers, signal }));
        if (!answer.ok || !answer.body) throw new CallError(t(OFFLINE), { status: answer.status });
        if (attempt > 0) onEvent({ name: 'missed' });
        delay = FIRST_RETRY;
        await readEvents(answer.body, { onEvent, onBytes: silence.restart });
      } catch (error) {
        if (error instanceof CallError && error.status === 401) return;
      } finally {
        silence.end();
      }
      // Spread the retries: when a process ends, every page reconnects at once.
      await pause(delay * (1 + Math.random()), stopped.signal);
      delay = Math.min(delay * 2, LAST_RETRY);
    }
  }
}

/** Returns a signal that aborts after too long a silence: a router can drop a connection without closing it. */
function watchSilence() {
  const silent = new AbortController();
  const wait = () => setTimeout(() => silent.abort(), LONGEST_SILENCE);
  let timer = wait();
  return {
    signal: silent.signal,
    restart(): void {
      clearTimeout(timer);
      timer = wait();
    },
    end: () => clearTimeout(timer),
  };
}

interface StreamHandlers {
  readonly onEvent: (event: LiveEvent) => void;
  /** Called for every chunk, heartbeats included. */
  readonly onBytes: () => void;
}

async function readEvents(body: ReadableStream<Uint8Array>, { onEvent, onBytes }: StreamHandlers): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const [...blocks] = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) emitBlock(block, onEvent);
  }
}

function emitBlock(block: string, onEvent: (event: LiveEvent) => void): void {
  const [, name] = /^event: ([\w.-]+)$/m.exec(block) ?? [];
  const [, data = '{}'] = /^data: (.*)$/m.exec(block) ?? [];
  // The server's stream sends events of the contract only.
  if (name !== undefined) onEvent({ ...(JSON.parse(data) as object), name } as LiveEvent);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
