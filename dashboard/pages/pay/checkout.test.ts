import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/* Uses a fake of the provider's browser program: the loader fetches nothing if the program is already present. */

const ID = `txn_${'a'.repeat(26)}`;
const SETTINGS = { theme: 'dark', allowLogout: false };

interface PaddleEvent {
  readonly name: string;
  readonly detail?: string;
}

interface Options {
  readonly eventCallback: (event: PaddleEvent) => void;
}

let [opensAutomatically, shows] = [true, true];
let log: unknown[] = [];
let emit: Options['eventCallback'];

/** The loader caches the program for every test of this file. */
const program = {
  Initialized: false,
  Environment: { set: (name: string) => log.push(['environment', name]) },
  Initialize({ eventCallback, ...options }: Options) {
    emit = eventCallback;
    log.push(['initialize', options]);
    if (opensAutomatically) show();
  },
  Checkout: {
    open(input: object) {
      log.push(['open', input]);
      show();
    },
    close: () => log.push(['close']),
  },
};

const show = () => void (shows && setTimeout(() => emit({ name: 'checkout.loaded' }), 100));
const opened = () => log.filter((entry) => (entry as unknown[])[0] === 'open').length;

/** Loads the module afresh, as a new document does. */
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

/** Waits for the program to load, then advances the clock. */
async function pass(ms: number): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

let alerts: string[];
beforeEach(() => {
  alerts = [];
  [opensAutomatically, shows] = [true, true];
  vi.stubGlobal('window', { PaddleBillingV1: program });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  const items = new Map<string, string>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('alert', (text: string) => alerts.push(text));
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a checkout', () => {
  it('starts the program with a token or a seller, in the current theme, with a fixed email', async () => {
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

  it('that opens automatically is not opened again', async () => {
    const { begin, at } = await load();
    begin();
    begin();
    expect(at()).toBe('opening');
    await pass(60_000);
    expect([at(), opened(), log.length]).toEqual(['open', 0, 1]);
  });

  it('that does not open automatically is opened once', async () => {
    opensAutomatically = false;
    const { begin, at } = await load();
    begin();
    begin();
    await pass(1_400);
    expect(opened()).toBe(0);
    await pass(60_000);
    expect([at(), opened()]).toEqual(['open', 1]);
    expect(log.at(-1)).toEqual(['open', { transactionId: ID, settings: SETTINGS }]);
  });

  it('that loads slowly is not opened again, and times out', async () => {
    shows = false;
    vi.stubGlobal('document', { querySelectorAll: () => [{ src: 'https://buy.paddle.com/checkout' }] });
    const { begin, at } = await load();
    begin();
    await pass(14_900);
    expect(at()).toBe('opening');
    await pass(200);
    expect([at(), opened()]).toEqual(['silent', 0]);
  });

  it('that was closed or failed can be reopened', async () => {
    const { begin, reopen, at, why } = await load();
    begin();
    await pass(2_000);
    emit({ name: 'checkout.payment.failed' });
    expect(at()).toBe('open');
    emit({ name: 'checkout.closed' });
    expect(at()).toBe('closed');
    reopen();
    expect([at(), opened()]).toEqual(['opening', 1]);
    await pass(20_000);
    expect(at()).toBe('open');
    emit({ name: 'checkout.error', detail: 'No such transaction.' });
    expect(why()).toEqual({ at: 'failed', why: 'No such transaction.' });
  });

  it('that was paid shows one thank-you, and doesn’t ask for payment again in this tab', async () => {
    const first = await load();
    first.begin();
    await pass(2_000);
    emit({ name: 'checkout.completed' });
    emit({ name: 'checkout.completed' });
    await pass(0);
    emit({ name: 'checkout.closed' });
    expect([first.at(), alerts]).toEqual(['completed', ['Thank you for your payment!']]);
    expect(log.at(-1)).toEqual(['close']);
    const second = await load();
    second.begin();
    await pass(60_000);
    expect([second.at(), log, alerts.length]).toEqual(['completed', [], 1]);
  });
});
