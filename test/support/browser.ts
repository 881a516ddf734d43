import { vi } from 'vitest';

/** A browser storage in memory that throws QuotaExceededError when a value is too long. */
export class TestStorage {
  readonly #items = new Map<string, string>();
  readonly #quota: number;

  constructor(quota = Infinity) {
    this.#quota = quota;
  }
  getItem(name: string): string | null {
    return this.#items.get(name) ?? null;
  }
  removeItem(name: string): void {
    this.#items.delete(name);
  }
  setItem(name: string, value: string): void {
    if (value.length > this.#quota) throw new DOMException('It is full', 'QuotaExceededError');
    this.#items.set(name, value);
  }
}

/** A stubbed browser, whose network and visibility a test changes. */
export interface TestBrowser {
  isOnline: boolean;
  /** Brings the network back. */
  goOnline(): void;
  /** Makes the page visible again. */
  show(): void;
}

/** Stubs the globals of a browser until `vi.unstubAllGlobals()`, with requests sent to the server at `address`. */
export function stubBrowser(address: string): TestBrowser {
  const [page, document] = [new EventTarget(), new EventTarget()];
  const browser: TestBrowser = {
    isOnline: true,
    goOnline() {
      browser.isOnline = true;
      page.dispatchEvent(new Event('online'));
    },
    show: () => void document.dispatchEvent(new Event('visibilitychange')),
  };
  const { fetch } = globalThis;
  vi.stubGlobal('document', document);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('navigator', {
    get onLine() {
      return browser.isOnline;
    },
  });
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => fetch(new URL(path, address), init));
  return browser;
}
