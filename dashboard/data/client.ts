import type { Problem } from '#contract/core/errors.ts';
import type { DescribedOperation } from '#contract/core/operation.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { paths } from '../paths.ts';
import { BROKEN, CallError, isRefused } from './errors.ts';
import type { CallOperation, DataSource, LiveEvent } from './source.ts';
import { quietly } from './storage.ts';

/** What the client needs of the session. */
export interface TokenProvider {
  /** An access token that is still valid; `fresh` asks for a new one. Undefined when nobody is signed in. */
  token(fresh?: boolean): Promise<string | undefined>;
  /** Called when the server no longer knows this session, with why where it says so. */
  ended(why: string | undefined): void;
  /** Called when the account of this session is deleted. */
  deleted(): void;
}

const TIMEOUT = 15_000;
const OFFLINE = 'We can’t reach the server. Check your connection.';

/** The server as the dashboard's source of data. */
export function createServerSource(tokens: TokenProvider): DataSource {
  const call: CallOperation = async (service, action, input, signal) => {
    const answer = await authorized((authorization) =>
      send('/api/data', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ service, action, ...(input as object) }),
        signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]) : AbortSignal.timeout(TIMEOUT),
      }),
    );
    const body: unknown = await answer.json().catch(() => undefined);
    // An answer that says "not found" travels as a 404; everything else that is not 2xx is a problem.
    if (answer.ok || (answer.status === 404 && isNotFound(body))) return body as never;
    const problem = problemError(answer, body);
    if (isRefused(problem, 'account-deleted')) tokens.deleted();
    throw problem;
  };
  return { id: 'server', call, listen: (onEvent) => listen(onEvent, authorized) };

  /** A token that ran out meanwhile is renewed once. */
  async function authorized(ask: (headers: Record<string, string>) => Promise<Response>): Promise<Response> {
    const first = await ask(headerOf(await tokens.token()));
    if (first.status !== 401) return first;
    // At once: whoever asked may be gone when the token is known to be over, and what they were answered with them.
    const why = await whyOf(first);
    const token = await tokens.token(true);
    const second = token === undefined ? first : await ask(headerOf(token));
    if (second.status === 401) tokens.ended(why);
    return second;
  }
}

/** Why the server refused; what was answered can still be read. */
async function whyOf(refused: Response): Promise<string | undefined> {
  const body: unknown = await refused
    .clone()
    .json()
    .catch(() => undefined);
  return ((body ?? {}) as Partial<Problem>).detail;
}

const headerOf = (token: string | undefined): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** Asks, and throws a `CallError` that says so where nobody was reached. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted && error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError(OFFLINE);
  }
}

const isNotFound = (body: unknown): boolean => (body as { status?: unknown } | undefined)?.status === 'not found';

function problemError({ status, headers }: Response, body: unknown): CallError {
  const { title, detail, code, errors, requestId } = (body ?? {}) as Partial<Problem>;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return new CallError(detail ?? title ?? BROKEN, { status, code: code ?? 'unknown', errors: errors ?? [], requestId, retryAfter });
}

/** What a page may know before anyone signs in, as the server laid it into the document; undefined where it did not. */
export const configInDocument = (): PublicConfig | undefined =>
  quietly(() => JSON.parse(document.getElementById('config')?.textContent ?? '') as PublicConfig);

/** The same, asked for where it has to be. */
export async function readPublicConfig(): Promise<PublicConfig> {
  const laid = configInDocument();
  if (laid) return laid;
  const answer = await send('/api/config', { signal: AbortSignal.timeout(TIMEOUT) });
  if (!answer.ok) throw problemError(answer, await answer.json().catch(() => undefined));
  return (await answer.json()) as PublicConfig;
}

/** Reads the list of operations, which the documentation shows. */
export async function readOperations(): Promise<DescribedOperation[]> {
  const answer = await send('/api/operations', { signal: AbortSignal.timeout(TIMEOUT) });
  if (!answer.ok) throw problemError(answer, await answer.json().catch(() => undefined));
  return (await answer.json()) as DescribedOperation[];
}

/** Empties the browser's cache of this site. Nobody waits for it: that can take seconds, and what a team reads is not kept there. */
export function emptyCache(): void {
  send(paths.signOut, { method: 'POST', keepalive: true, signal: AbortSignal.timeout(TIMEOUT) }).catch(() => undefined);
}

/* ── Live: server-sent events over fetch, because EventSource cannot carry a token ── */

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;
/** Three of the server's beats (docs/limits.md#stream-beat): where none came, the way is gone, and nobody will ever say so. */
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
        if (!answer.ok || !answer.body) throw new CallError(OFFLINE, { status: answer.status });
        if (attempt > 0) onEvent({ name: 'missed' });
        delay = FIRST_RETRY;
        await readEvents(answer.body, { onEvent, onBytes: silence.heard });
      } catch (error) {
        if (error instanceof CallError && error.status === 401) return;
      } finally {
        silence.end();
      }
      // Spread, for all pages lose a process at the same moment.
      await pause(delay * (1 + Math.random()), stopped.signal);
      delay = Math.min(delay * 2, LAST_RETRY);
    }
  }
}

/** A signal that is aborted once nothing was heard for too long: a router that forgot a connection ends it without a word. */
function watchSilence() {
  const silent = new AbortController();
  const wait = () => setTimeout(() => silent.abort(), LONGEST_SILENCE);
  let timer = wait();
  return {
    signal: silent.signal,
    heard(): void {
      clearTimeout(timer);
      timer = wait();
    },
    end: () => clearTimeout(timer),
  };
}

interface Heard {
  readonly onEvent: (event: LiveEvent) => void;
  /** Called when anything came, a beat too. */
  readonly onBytes: () => void;
}

async function readEvents(body: ReadableStream<Uint8Array>, { onEvent, onBytes }: Heard): Promise<void> {
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
  // Written by the server's stream.
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
