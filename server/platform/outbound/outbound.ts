import { lookup as lookUp, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { DAY } from '#contract/core/time.ts';
import type { OutboundError } from '#contract/webhook/outbound.ts';
import type { Config } from '../config/config.ts';
import { bare, isPublic, problemWith } from './addresses.ts';

/* Connections to addresses that people or their browsers entered. No other module opens any (docs/rules.md#outgoing-calls). */

export interface OutboundCall {
  readonly url: string;
  /** Who it's for, such as an account. Each caller has a limited number of connections to a host. */
  readonly caller: string;
  /** Additional headers, set by the product, never by the person who entered the address. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** JSON by default. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call: a status, or why there is none. The receiver's body is discarded. */
export interface OutboundOutcome {
  readonly status?: number;
  readonly error?: OutboundError;
  /** How long it took (ms). */
  readonly duration: number;
  /** How long the receiver asks to wait before a retry (ms). */
  readonly retryAfter?: number;
}

export interface Outbound {
  /** Returns why a URL is never called, or undefined if it may be. Checks the URL only, without a lookup. */
  problemWith(url: string): OutboundError | undefined;
  /** Posts to a URL and returns the result. Throws only if `signal` aborts it. */
  post(call: OutboundCall): Promise<OutboundOutcome>;
}

/** Returns every IPv4 and IPv6 address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface OutboundOptions {
  readonly config: Config['outbound'];
  /** Replaces DNS, for tests. */
  readonly resolve?: Resolve;
  /** Replaces the trusted certificate authorities, for tests. */
  readonly ca?: string;
  readonly limits?: Partial<Record<keyof typeof LIMITS, number>>;
}

/** Times in ms. */
const LIMITS = {
  /** How long a call may resolve its name, connect, and take in all (ms). @limit outbound-time */
  resolving: 3_000,
  connecting: 5_000,
  total: 15_000,
  /** Bytes of a response that are read before it is cut off. @limit outbound-answer */
  answer: 64 * 1024,
  /** Connections to one host: an account's, and all. @limit outbound-host */
  perHost: 20,
  perHostInAll: 60,
} as const;

const USER_AGENT = 'Afterword-Webhooks/1';

export function openOutbound({ config, resolve = resolverFor(config), ca, limits: changes }: OutboundOptions): Outbound {
  const limits = { ...LIMITS, ...changes };
  const context = { config, resolve, ca, limits };
  const connections = new Map<string, number>();
  return {
    problemWith: (url) => problemWith(url, config),
    async post(call) {
      const start = performance.now();
      const outcome = await attempt(call);
      return { ...outcome, duration: Math.round(performance.now() - start) };
    },
  };

  async function attempt(call: OutboundCall): Promise<Omit<OutboundOutcome, 'duration'>> {
    const error = problemWith(call.url, config);
    if (error) return { error };
    const { hostname } = new URL(call.url);
    const callerKey = `${hostname} ${call.caller}`;
    if (countOf(callerKey) >= limits.perHost || countOf(hostname) >= limits.perHostInAll) return { error: 'busy' };
    for (const key of [callerKey, hostname]) connections.set(key, countOf(key) + 1);
    try {
      return await send(call, context);
    } catch (thrown) {
      call.signal?.throwIfAborted();
      return { error: errorFor(thrown) };
    } finally {
      for (const key of [callerKey, hostname]) release(key);
    }
  }

  function countOf(key: string): number {
    return connections.get(key) ?? 0;
  }

  function release(key: string): void {
    if (countOf(key) > 1) connections.set(key, countOf(key) - 1);
    else connections.delete(key);
  }
}

interface OutboundContext {
  readonly config: Config['outbound'];
  readonly resolve: Resolve;
  readonly ca: string | undefined;
  readonly limits: Readonly<Record<keyof typeof LIMITS, number>>;
}

async function send({ url, signal, ...call }: OutboundCall, context: OutboundContext): Promise<Omit<OutboundOutcome, 'duration'>> {
  const deadline = AbortSignal.timeout(context.limits.total);
  const abort = signal ? AbortSignal.any([deadline, signal]) : deadline;
  const target = new URL(url);
  const addresses = await checkedAddresses(target, context);
  const { statusCode: status = 0, headers } = await exchange(target, { ...call, addresses, abort }, context);
  const retryAfter = waitOf(headers['retry-after']);
  return { status, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Returns all addresses of the host. Throws an `OutboundFailure` if there are none or any isn't allowed. */
async function checkedAddresses({ hostname }: URL, { config, resolve, limits }: OutboundContext): Promise<readonly string[]> {
  const host = bare(hostname);
  const addresses = isIP(host) ? [host] : await within(limits.resolving, resolve(host), 'not-found');
  if (addresses.length === 0) throw new OutboundFailure('not-found');
  if (!config.allowPrivate && !addresses.every(isPublic)) throw new OutboundFailure('not-public');
  return addresses;
}

interface Exchange extends Pick<OutboundCall, 'headers' | 'body' | 'contentType'> {
  readonly addresses: readonly string[];
  readonly abort: AbortSignal;
}

/** Resolves with the answer's head once its body was read or cut off. */
function exchange(target: URL, call: Exchange, { ca, limits }: OutboundContext): Promise<IncomingMessage> {
  const isSecure = target.protocol === 'https:';
  return new Promise((settle, fail) => {
    const request = (isSecure ? https : http).request(target, { ...requestOptions(call), ...(ca !== undefined && { ca }) });
    const connecting = setTimeout(() => request.destroy(new OutboundFailure('timeout')), limits.connecting);
    request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting)));
    request.once('close', () => clearTimeout(connecting));
    let head: IncomingMessage | undefined;
    // Once the status has arrived, it's the result, however the body ends.
    request.on('error', (error) => (head ? settle(head) : fail(error)));
    request.once('response', (answer) => {
      head = answer;
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.answer) request.destroy();
      });
      answer.on('error', () => settle(answer));
      answer.once('close', () => settle(answer));
    });
    request.end(call.body);
  });
}

const requestOptions = ({ addresses, headers, body, contentType = 'application/json', abort }: Exchange): https.RequestOptions => ({
  method: 'POST',
  // A separate connection, without agents that the environment could direct to a proxy.
  agent: false,
  lookup: lookupOf(addresses),
  signal: abort,
  headers: {
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'user-agent': USER_AGENT,
    accept: '*/*',
  },
});

class OutboundFailure extends Error {
  readonly reason: OutboundError;
  constructor(reason: OutboundError) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Returns a function that queries the name servers directly, because a system lookup blocks a thread of this process as long as a
 * slow name server takes. If private addresses are allowed, it uses the system's lookup, which includes local names.
 */
function resolverFor({ allowPrivate }: Config['outbound']): Resolve {
  if (allowPrivate) return async (name) => (await lookUp(name, { all: true })).map(({ address }) => address);
  return async (name) => {
    const resolver = new Resolver({ timeout: LIMITS.resolving / 2, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

async function within<T>(ms: number, work: Promise<T>, reason: OutboundError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutboundFailure(reason)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Connects to the addresses we checked, even if DNS has changed since; server name and host header keep the name. Node adds its error
 * listeners after `connect` returns, so without `setImmediate` an address that the kernel refuses at once would throw uncaught.
 */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const [first = ''] = addresses;
  return (_name, { all }, callback) =>
    setImmediate(() =>
      all
        ? callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        : callback(null, first, isIP(first)),
    );
}

const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'EBADNAME']);
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** Returns a code for an error, because system messages contain addresses, and TLS messages quote the receiver. */
function errorFor(thrown: unknown): OutboundError {
  if (thrown instanceof OutboundFailure) return thrown.reason;
  const { code = '', name } = thrown as NodeJS.ErrnoException;
  // None of several addresses could be reached.
  if (thrown instanceof AggregateError) return errorFor(thrown.errors[0]);
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  if (NOT_FOUND.has(code)) return 'not-found';
  if (UNREACHABLE.has(code)) return 'unreachable';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code) || code === 'EPROTO' ? 'insecure' : 'broken-off';
}

/** The longest `Retry-After` that is respected (ms). @limit webhook-tries */
const LONGEST_WAIT = DAY;

/** Returns the wait (ms) of a `Retry-After` in seconds or as a date (RFC 9110), up to a day. */
function waitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT);
}
