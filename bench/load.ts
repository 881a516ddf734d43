import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from './measure.ts';

/** What the clients measured. Times in ms. */
interface SentLoad {
  readonly answers: number;
  /** Answers per second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

interface SentLoadOptions {
  readonly connections: number;
  readonly ms: number;
  /** Returns the next request, whole. */
  readonly requestOf: () => string;
}

/**
 * Sends requests for some time over connections that each wait for an answer before they send the next. Writes to sockets, because an
 * HTTP client takes two to four times the processor time, on the processors that it shares with the product. Throws if one isn't
 * answered with 200.
 */
export async function sendRequests(address: string, { connections, ms, requestOf }: SentLoadOptions): Promise<SentLoad> {
  const durations: number[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, () => sendInTurn(address, { until: started + ms, requestOf, durations })));
  return {
    answers: durations.length,
    rate: (durations.length / (performance.now() - started)) * 1000,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
  };
}

interface SendingConnection extends Pick<SentLoadOptions, 'requestOf'> {
  readonly until: number;
  readonly durations: number[];
}

async function sendInTurn(address: string, { until, requestOf, durations }: SendingConnection): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let [sent, rest] = [0, 0];
  const send = () => {
    sent = performance.now();
    socket.write(requestOf());
  };
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    const size = rest || sizeOf(chunk);
    if (size === undefined) return socket.destroy(new Error(`Answered with ${chunk.toString('latin1', 0, 200)}`));
    rest = size - chunk.length;
    if (rest > 0) return;
    const now = performance.now();
    durations.push(now - sent);
    if (now < until) send();
    else socket.destroy();
  });
  socket.on('end', () => socket.destroy(new Error('The connection was closed')));
  await once(socket, 'close');
}

/** Returns the size in bytes of an answer that begins with this chunk; undefined for an error. */
function sizeOf(chunk: Buffer): number | undefined {
  const head = /^HTTP\/1\.1 200 .*?\r\n\r\n/s.exec(chunk.toString('latin1'))?.[0];
  const length = head && /^content-length: (\d+)/im.exec(head)?.[1];
  return head && length ? head.length + Number(length) : undefined;
}

/** Returns a request to POST JSON. */
export function postOf(path: string, body: unknown, headers: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(body);
  return (
    requestOf(`POST ${path}`, { ...headers, 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(json)}` }) + json
  );
}

/** Returns a request without a body; `line` is its method and path. */
export function requestOf(line: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}
