import { lookup as lookUp, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DAY } from '#contract/core/time.ts';
import type { OutboundError } from '#contract/webhook/outbound.ts';
import type { Config } from '../config/config.ts';

/* Connections to addresses that people typed, or that their browsers handed over. No other module opens one (docs/limits.md#outbound). */

export interface OutboundCall {
  readonly url: string;
  /** For whom it is, such as an account: one has no more connections to a host than its share. */
  readonly caller: string;
  /** Beside those that are always the same. Fixed by the product, never by whoever typed the address. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** JSON, where it is not said. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a call: a status, or why there is none. What the receiver said is thrown away. */
export interface OutboundOutcome {
  readonly status?: number;
  readonly error?: OutboundError;
  /** How long it took (ms). */
  readonly duration: number;
  /** For how long the receiver asks to be left alone (ms). */
  readonly retryAfter?: number;
}

export interface Outbound {
  /** Why an address is never called, as far as it says by itself; undefined where it may be. Looks nothing up. */
  problemWith(url: string): OutboundError | undefined;
  /** Posts to an address and gives back what came of it; throws only where `signal` ends it. */
  post(call: OutboundCall): Promise<OutboundOutcome>;
}

/** Every address of a name, of both families. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface OutboundOptions {
  readonly config: Config['outbound'];
  /** In place of the domain name system, for tests. */
  readonly resolve?: Resolve;
  /** A certificate authority to trust in place of the usual ones, for tests. */
  readonly ca?: string;
  readonly limits?: Partial<Record<keyof typeof LIMITS, number>>;
}

/** Times in ms. docs/limits.md#outbound. */
const LIMITS = {
  resolving: 3_000,
  connecting: 5_000,
  total: 15_000,
  /** Bytes that are read of an answer before it is cut. */
  answer: 64 * 1024,
  /** Connections to one host at a time: of one caller, and of all. */
  perHost: 20,
  perHostInAll: 60,
} as const;

const USER_AGENT = 'Afterword-Webhooks/1';

export function openOutbound({ config, resolve = resolverFor(config), ca, limits: given }: OutboundOptions): Outbound {
  const limits = { ...LIMITS, ...given };
  const underWay = new Map<string, number>();
  return {
    problemWith: (url) => problemWith(url, config),
    async post(call) {
      const begun = performance.now();
      const outcome = await tried(call);
      return { ...outcome, duration: Math.round(performance.now() - begun) };
    },
  };

  async function tried(call: OutboundCall): Promise<Omit<OutboundOutcome, 'duration'>> {
    const error = problemWith(call.url, config);
    if (error) return { error };
    const { hostname } = new URL(call.url);
    const own = `${hostname} ${call.caller}`;
    if (countOf(own) >= limits.perHost || countOf(hostname) >= limits.perHostInAll) return { error: 'busy' };
    for (const one of [own, hostname]) underWay.set(one, countOf(one) + 1);
    try {
      return await answeredBy(call);
    } catch (thrown) {
      call.signal?.throwIfAborted();
      return { error: wordFor(thrown) };
    } finally {
      for (const one of [own, hostname]) release(one);
    }
  }

  function countOf(one: string): number {
    return underWay.get(one) ?? 0;
  }

  function release(one: string): void {
    if (countOf(one) > 1) underWay.set(one, countOf(one) - 1);
    else underWay.delete(one);
  }

  async function answeredBy({ url, signal, ...call }: OutboundCall): Promise<Omit<OutboundOutcome, 'duration'>> {
    const deadline = AbortSignal.timeout(limits.total);
    const ended = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const target = new URL(url);
    const addresses = await checkedAddresses(target);
    const { statusCode: status = 0, headers: given } = await exchanged(target, { ...call, addresses, ended });
    const retryAfter = waitOf(given['retry-after']);
    return { status, ...(retryAfter !== undefined && { retryAfter }) };
  }

  /** All addresses of the host, each of them allowed. An address stands for itself, however it was spelled. */
  async function checkedAddresses({ hostname }: URL): Promise<readonly string[]> {
    const host = bare(hostname);
    const addresses = isIP(host) ? [host] : await within(limits.resolving, resolve(host), 'not-found');
    if (addresses.length === 0) throw new OutboundFailure('not-found');
    if (!config.allowPrivate && !addresses.every(isPublic)) throw new OutboundFailure('not-public');
    return addresses;
  }

  interface Exchange extends Pick<OutboundCall, 'headers' | 'body' | 'contentType'> {
    readonly addresses: readonly string[];
    readonly ended: AbortSignal;
  }

  /** Resolves with the answer's head when its body was read, or enough of it. */
  function exchanged(
    target: URL,
    { addresses, headers, body, contentType = 'application/json', ended }: Exchange,
  ): Promise<IncomingMessage> {
    const { request } = target.protocol === 'https:' ? https : http;
    return new Promise((resolved, rejected) => {
      const sent = request(target, {
        method: 'POST',
        // A connection of its own, past the agents that the environment could point at a proxy.
        agent: false,
        lookup: lookupOf(addresses),
        signal: ended,
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
      // Once the status has come, that is the answer, however the body ends or is cut.
      sent.on('error', (error) => (head ? resolved(head) : rejected(error)));
      sent.once('response', (answer) => {
        head = answer;
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > limits.answer) sent.destroy();
        });
        answer.on('error', () => resolved(answer));
        answer.once('close', () => resolved(answer));
      });
      sent.end(body);
    });
  }
}

class OutboundFailure extends Error {
  readonly word: OutboundError;
  constructor(word: OutboundError) {
    super(word);
    this.word = word;
  }
}

/* ── Which addresses may be called ── */

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

/** Names that mean something on a network of one's own: without a dot, or below a domain that the internet does not have. */
const isPublicName = (host: string): boolean =>
  host.includes('.') &&
  !host.endsWith('.') &&
  !/(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/.test(host);

/** Addresses that are written like any other, and answer the machine's own secrets. */
const METADATA = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Below that, and not of the internet: protocol assignments, documentation, and what is translated to IPv4. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));

/** Whether an address is a host's on the public internet, and cannot be this machine, its neighbours or a group. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || METADATA.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => parsed.match(range)));
}

/** An IPv6 address stands in brackets in a URL. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/* ── Looking names up ── */

/**
 * Asks the name servers themselves: the operating system's own look-up holds a thread of this process for as long as a stranger's
 * name server likes. Where private addresses are allowed, names of this machine count as well.
 */
function resolverFor({ allowPrivate }: Config['outbound']): Resolve {
  if (allowPrivate) return async (name) => (await lookUp(name, { all: true })).map(({ address }) => address);
  return async (name) => {
    const resolver = new Resolver({ timeout: LIMITS.resolving / 2, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

async function within<T>(ms: number, work: Promise<T>, word: OutboundError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutboundFailure(word)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Connects to the addresses we checked, even if DNS has changed since; server name and host header stay the name's. Node adds its error
 * listeners after `connect` returns, so an address that the kernel refuses at once would throw uncaught if this called back at once.
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

/* ── What came of it ── */

const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'EBADNAME']);
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** Our own word for an error. Messages of the system name addresses, and those of TLS quote the receiver. */
function wordFor(thrown: unknown): OutboundError {
  if (thrown instanceof OutboundFailure) return thrown.word;
  const { code = '', name } = thrown as NodeJS.ErrnoException;
  // Several addresses were tried, and none was reached.
  if (thrown instanceof AggregateError) return wordFor(thrown.errors[0]);
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  if (NOT_FOUND.has(code)) return 'not-found';
  if (UNREACHABLE.has(code)) return 'unreachable';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code) || code === 'EPROTO' ? 'insecure' : 'broken-off';
}

const LONGEST_WAIT = DAY;

/** `Retry-After` in seconds or as a date (RFC 9110), up to a day. */
function waitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : /^[A-Z][a-z]{2}, /.test(given) ? Date.parse(given) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT);
}
