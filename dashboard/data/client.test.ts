import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServerSource } from './client.ts';
import { messageOf } from './errors.ts';
import type { LiveEvent } from './source.ts';

/* Over a network that a test holds in its hands. */

interface TestStream {
  readonly signal: AbortSignal;
  say(text: string): void;
  end(): void;
}

/** Every stream that was asked for, in order. */
let streams: TestStream[];
/** Whether a stream is asked for and nobody answers. */
let isUnanswered: boolean;
let heard: LiveEvent['name'][];
let stop: () => void;

beforeEach(() => {
  [streams, heard, isUnanswered] = [[], [], false];
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
        streams.push({ signal, say: (text) => stream.enqueue(bytes.encode(text)), end: () => stream.close() });
        signal.onabort = () => (isUnanswered ? reject(signal.reason) : stream.error(signal.reason));
      },
    });
    if (!isUnanswered) resolve(new Response(body));
  });
}

function listen(): void {
  const source = createServerSource({ token: async () => 'token', ended: () => undefined, deleted: () => undefined });
  stop = source.listen(({ name }) => heard.push(name));
}

/** So much of the page's time passes (ms), and whatever is due is done. */
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Longer than the first pause before a page connects anew (ms). */
const PAUSE = 2_000;

describe('the stream of what happens', () => {
  it('is given up where it is silent for a minute, and what was missed is read anew', async () => {
    listen();
    await passed(30_000);
    streams[0]?.say(': beat\n\n');
    await passed(59_999);
    expect([streams.length, streams[0]?.signal.aborted]).toEqual([1, false]);
    await passed(1);
    expect(streams[0]?.signal.aborted).toBe(true);
    await passed(PAUSE);
    expect([streams.length, heard]).toEqual([2, ['missed']]);
  });

  it('stays as long as it beats', async () => {
    listen();
    for (let beats = 0; beats < 10; beats += 1) {
      await passed(20_000);
      streams[0]?.say(': beat\n\n');
    }
    expect([streams.length, streams[0]?.signal.aborted, heard]).toEqual([1, false, []]);
  });

  it('is given up where nobody answers', async () => {
    isUnanswered = true;
    listen();
    await passed(60_000);
    expect(streams[0]?.signal.aborted).toBe(true);
    await passed(PAUSE);
    expect(streams.length).toBe(2);
  });

  it('leaves nothing behind however often it is connected anew', async () => {
    const waiting = new Map<AbortSignal, number>();
    const counted = (by: 1 | -1) =>
      function (this: AbortSignal, ...given: Parameters<EventTarget['addEventListener']>): void {
        waiting.set(this, (waiting.get(this) ?? 0) + by);
        EventTarget.prototype[by === 1 ? 'addEventListener' : 'removeEventListener'].apply(this, given);
      };
    vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(counted(1));
    vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(counted(-1));
    listen();
    for (let times = 1; times <= 8; times += 1) {
      await passed(0);
      expect(streams.length).toBe(times);
      streams.at(-1)?.end();
      await passed(PAUSE);
    }
    expect(Math.max(...waiting.values())).toBeLessThan(4);
  });
});

describe('an answer that no service of ours gave', () => {
  it.each([500, 502, 504])('is a failure of the server and not of the connection, with status %i', async (status) => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad Gateway</h1>', { status }));
    const source = createServerSource({ token: async () => 'token', ended: () => undefined, deleted: () => undefined });
    stop = () => undefined;
    const error = await source.call('user', 'list', { accountId: 'ACCOUNT_HarborCoffee' }).catch((thrown: unknown) => thrown);
    expect(messageOf(error)).toBe('Something went wrong. Please try again.');
  });
});
