import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/* Against what stands in for the provider's program in the browser: where it is there already, its loader asks nobody for it. */

const ID = `txn_${'a'.repeat(26)}`;
const SETTINGS = { theme: 'dark', allowLogout: false };

interface ToldOfCheckout {
  readonly name: string;
  readonly detail?: string;
}

interface Options {
  readonly eventCallback: (told: ToldOfCheckout) => void;
}

let [opensItself, shows] = [true, true];
let log: unknown[] = [];
let tell: Options['eventCallback'];

/** The loader keeps it once it was found, over all documents of this file. */
const program = {
  Initialized: false,
  Environment: { set: (name: string) => log.push(['environment', name]) },
  Initialize({ eventCallback, ...options }: Options) {
    tell = eventCallback;
    log.push(['initialize', options]);
    if (opensItself) show();
  },
  Checkout: {
    open(input: object) {
      log.push(['open', input]);
      show();
    },
    close: () => log.push(['close']),
  },
};

const show = () => void (shows && setTimeout(() => tell({ name: 'checkout.loaded' }), 100));
const opened = () => log.filter((entry) => (entry as unknown[])[0] === 'open').length;

/** A document of its own. */
async function load() {
  vi.resetModules();
  log = [];
  const { beginCheckout, reopenCheckout, useCheckout } = await import('./checkout.ts');
  return {
    begin: (setUp: object = { token: 'live_1', environment: 'production' }) =>
      beginCheckout({ setUp: setUp as never, transactionId: ID, theme: 'dark' }),
    reopen: reopenCheckout,
    at: () => useCheckout.getState().at,
    why: () => useCheckout.getState(),
  };
}

/** The program comes in its own time; then the clock goes on. */
async function pass(ms: number): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

let alerts: string[];
beforeEach(() => {
  alerts = [];
  [opensItself, shows] = [true, true];
  vi.stubGlobal('window', { PaddleBillingV1: program });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  const kept = new Map<string, string>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('alert', (text: string) => alerts.push(text));
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a checkout', () => {
  it('starts the program with a token or a seller, in our theme, for the email that it was made for', async () => {
    for (const [setUp, expected] of [
      [
        { token: 'test_1', environment: 'sandbox' },
        [
          ['environment', 'sandbox'],
          ['initialize', { token: 'test_1', checkout: { settings: SETTINGS } }],
        ],
      ],
      [{ seller: 7, environment: 'production' }, [['initialize', { seller: 7, checkout: { settings: SETTINGS } }]]],
    ] as const) {
      (await load()).begin(setUp);
      await pass(5_000);
      expect(log).toEqual(expected);
    }
  });

  it('that opens by itself is not opened twice, however often the page is drawn', async () => {
    const { begin, at } = await load();
    begin();
    begin();
    expect(at()).toBe('opening');
    await pass(60_000);
    expect([at(), opened(), log.length]).toEqual(['open', 0, 1]);
  });

  it('that does not is opened once', async () => {
    opensItself = false;
    const { begin, at } = await load();
    begin();
    begin();
    await pass(1_400);
    expect(opened()).toBe(0);
    await pass(60_000);
    expect([at(), opened()]).toEqual(['open', 1]);
    expect(log.at(-1)).toEqual(['open', { transactionId: ID, settings: SETTINGS }]);
  });

  it('that is slow is not opened twice; given up, where it never shows', async () => {
    shows = false;
    vi.stubGlobal('document', { querySelectorAll: () => [{ src: 'https://buy.paddle.com/checkout' }] });
    const { begin, at } = await load();
    begin();
    await pass(14_900);
    expect(at()).toBe('opening');
    await pass(200);
    expect([at(), opened()]).toEqual(['silent', 0]);
  });

  it('that was closed, or failed, can be opened again', async () => {
    const { begin, reopen, at, why } = await load();
    begin();
    await pass(2_000);
    tell({ name: 'checkout.payment.failed' });
    expect(at()).toBe('open');
    tell({ name: 'checkout.closed' });
    expect(at()).toBe('closed');
    reopen();
    expect([at(), opened()]).toEqual(['opening', 1]);
    await pass(20_000);
    expect(at()).toBe('open');
    tell({ name: 'checkout.error', detail: 'No such transaction.' });
    expect(why()).toEqual({ at: 'failed', why: 'No such transaction.' });
  });

  it('that was paid is thanked for once, and never asked for again in this tab', async () => {
    const first = await load();
    first.begin();
    await pass(2_000);
    tell({ name: 'checkout.completed' });
    tell({ name: 'checkout.completed' });
    await pass(0);
    tell({ name: 'checkout.closed' });
    expect([first.at(), alerts]).toEqual(['completed', ['Thank you for your payment!']]);
    expect(log.at(-1)).toEqual(['close']);
    const second = await load();
    second.begin();
    await pass(60_000);
    expect([second.at(), log, alerts.length]).toEqual(['completed', [], 1]);
  });
});
