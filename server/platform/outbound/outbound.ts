import { lookup as lookUp, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DAY } from '#contract/core/time.ts';
import type { OutboundError } from '#contract/webhook/outbound.ts';
import type { Config } from '../config/config.ts';

/* Connections to addresses that people or their browsers entered. No other module opens any (docs/limits.md#outbound). */

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

/** Times in ms. docs/limits.md#outbound. */
const LIMITS = {
  resolving: 3_000,
  connecting: 5_000,
  total: 15_000,
  /** Bytes of an answer that are read before it's cut off. */
  answer: 64 * 1024,
  /** Concurrent connections to one host, of one caller and of all. */
  perHost: 20,
  perHostInAll: 60,
} as const;

const USER_AGENT = 'Afterword-Webhooks/1';

export function openOutbound({ config, resolve = resolverFor(config), ca, limits: changes }: OutboundOptions): Outbound {
  const limits = { ...LIMITS, ...changes };
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
      return await send(call);
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

  async function send({ url, signal, ...call }: OutboundCall): Promise<Omit<OutboundOutcome, 'duration'>> {
    const deadline = AbortSignal.timeout(limits.total);
    const abort = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const target = new URL(url);
    const addresses = await checkedAddresses(target);
    const { statusCode: status = 0, headers } = await exchange(target, { ...call, addresses, abort });
    const retryAfter = waitOf(headers['retry-after']);
    return { status, ...(retryAfter !== undefined && { retryAfter }) };
  }

  /** Returns all addresses of the host. Throws an `OutboundFailure` if there are none or any isn't allowed. */
  async function checkedAddresses({ hostname }: URL): Promise<readonly string[]> {
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
  function exchange(
    target: URL,
    { addresses, headers, body, contentType = 'application/json', abort }: Exchange,
  ): Promise<IncomingMessage> {
    const { request } = target.protocol === 'https:' ? https : http;
    return new Promise((settle, fail) => {
      const sent = request(target, {
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
        ...(ca !== undefined && { ca }),
      });
      const connecting = setTimeout(() => sent.destroy(new OutboundFailure('timeout')), limits.connecting);
      sent.once('socket', (socket) =>
        socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      );
      sent.once('close', () => clearTimeout(connecting));
      let head: IncomingMessage | undefined;
      // Once the status has arrived, it's the result, however the body ends.
      sent.on('error', (error) => (head ? settle(head) : fail(error)));
      sent.once('response', (answer) => {
        head = answer;
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > limits.answer) sent.destroy();
        });
        answer.on('error', () => settle(answer));
        answer.once('close', () => settle(answer));
      });
      sent.end(body);
    });
  }
}

class OutboundFailure extends Error {
  readonly reason: OutboundError;
  constructor(reason: OutboundError) {
    super(reason);
    this.reason = reason;
  }
}

function problemWith(url: string, { allowPrivate, ports }: Config['outbound']): OutboundError | undefined {
  if (!URL.canParse(url)) return 'bad-address';
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'bad-address';
  if (username !== '' || password !== '' || hostname === '') return 'bad-address';
  if (allowPrivate) return undefined;
  if (port !== '' && !ports.includes(Number(port))) return 'bad-address';
  const host = bare(hostname);
  if (isIP(host)) return isPublic(host) ? undefined : 'not-public';
  return isPublicName(host) ? undefined : 'not-public';
}

/** Returns false for names of private networks: those without a dot, or below a domain that isn't on the internet. */
const isPublicName = (host: string): boolean =>
  host.includes('.') &&
  !host.endsWith('.') &&
  !/(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/.test(host);

/** Metadata services with a public-looking address, which reveal the machine's secrets. */
const METADATA = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Ranges within it that aren't on the internet: protocol assignments, documentation, and IPv4 translation. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));

/** Returns whether an address is a host on the public internet, not this machine, a private network or a multicast group. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || METADATA.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => parsed.match(range)));
}

/** Removes the brackets of an IPv6 address in a URL. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

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
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutboundFailure(reason)), ms);
  });
  try {
    return await Promise.race([work, late]);
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

const LONGEST_WAIT = DAY;

/** Returns the wait (ms) of a `Retry-After` in seconds or as a date (RFC 9110), up to a day. */
function waitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT);
}
