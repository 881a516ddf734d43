import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LARGEST_PICTURE } from '#contract/user/user.ts';
import { createServerSource } from './client.ts';
import { messageOf } from './errors.ts';
import type { LiveEvent } from './source.ts';

/* The network is a stub that each test controls. */

interface TestStream {
  readonly signal: AbortSignal;
  send(text: string): void;
  end(): void;
}

/** Every requested stream, in order. */
let streams: TestStream[];
/** Stream requests get no response while this is true. */
let isUnanswered: boolean;
let received: LiveEvent['name'][];
let stop: () => void;

beforeEach(() => {
  [streams, received, isUnanswered, stop] = [[], [], false, () => undefined];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function answer(_address: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  const bytes = new TextEncoder();
  return new Promise((resolve, reject) => {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        streams.push({ signal, send: (text) => stream.enqueue(bytes.encode(text)), end: () => stream.close() });
        signal.onabort = () => (isUnanswered ? reject(signal.reason) : stream.error(signal.reason));
      },
    });
    if (!isUnanswered) resolve(new Response(body));
  });
}

function listen(): void {
  const source = createServerSource({ token: async () => 'token', ended: () => undefined, deleted: () => undefined });
  stop = source.listen(({ name }) => received.push(name));
}

/** Advances the clock (ms) and runs what is due. */
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Longer than the first pause before a page reconnects (ms). */
const PAUSE = 2_000;

it('a call has more time for a picture', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  vi.stubGlobal('fetch', async () => Response.json({ success: true }));
  const source = createServerSource({ token: async () => 'token', ended: () => undefined, deleted: () => undefined });
  for (const picture of ['', 'x'.repeat(LARGEST_PICTURE)]) await source.call('user', 'save', { payload: { data: { picture } } } as never);
  const [usual = 0, withPicture = 0] = timeouts.mock.calls.map(([ms]) => ms);
  expect(usual).toBeLessThan(16_000);
  // The server reads for up to 10 seconds, and answers within another 10.
  expect(withPicture).toBeGreaterThan(50_000);
});

describe('the live stream', () => {
  it('reconnects after a minute of silence and reports a gap', async () => {
    listen();
    await advance(30_000);
    streams[0]?.send(': beat\n\n');
    await advance(59_999);
    expect([streams.length, streams[0]?.signal.aborted]).toEqual([1, false]);
    await advance(1);
    expect(streams[0]?.signal.aborted).toBe(true);
    await advance(PAUSE);
    expect([streams.length, received]).toEqual([2, ['missed']]);
  });

  it('stays open while heartbeats arrive', async () => {
    listen();
    for (let beats = 0; beats < 10; beats += 1) {
      await advance(20_000);
      streams[0]?.send(': beat\n\n');
    }
    expect([streams.length, streams[0]?.signal.aborted, received]).toEqual([1, false, []]);
  });

  it('retries a request that gets no response', async () => {
    isUnanswered = true;
    listen();
    await advance(60_000);
    expect(streams[0]?.signal.aborted).toBe(true);
    await advance(PAUSE);
    expect(streams.length).toBe(2);
  });

  it('removes its abort listeners on every reconnect', async () => {
    const listeners = new Map<AbortSignal, number>();
    const counted = (by: 1 | -1) =>
      function (this: AbortSignal, ...given: Parameters<EventTarget['addEventListener']>): void {
        listeners.set(this, (listeners.get(this) ?? 0) + by);
        EventTarget.prototype[by === 1 ? 'addEventListener' : 'removeEventListener'].apply(this, given);
      };
    vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(counted(1));
    vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(counted(-1));
    listen();
    for (let times = 1; times <= 8; times += 1) {
      await advance(0);
      expect(streams.length).toBe(times);
      streams.at(-1)?.end();
      await advance(PAUSE);
    }
    expect(Math.max(...listeners.values())).toBeLessThan(4);
  });
});

describe('a response from a proxy', () => {
  it.each([500, 502, 504])('is reported as a server error, with status %i', async (status) => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad Gateway</h1>', { status }));
    const source = createServerSource({ token: async () => 'token', ended: () => undefined, deleted: () => undefined });
    stop = () => undefined;
    const error = await source.call('user', 'list', { accountId: 'ACCOUNT_HarborCoffee' }).catch((thrown: unknown) => thrown);
    expect(messageOf(error)).toBe('Something went wrong. Please try again.');
  });
});
