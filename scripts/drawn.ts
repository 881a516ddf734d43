import { pathToFileURL } from 'node:url';

/** Pages of the dashboard as HTML, by name; of the demo's feed that of a narrow and of a wide window. */
export type DrawnPages = Readonly<Record<'frame' | 'sign-in' | 'narrow' | 'wide', string>>;

interface Visit {
  readonly address: string;
  readonly isSignedOut?: boolean;
  readonly isWide?: boolean;
  /** UTC ms. */
  readonly at: number;
}

/** Two moments that differ in weekday, hour and half of the day. */
const [ONE, OTHER] = [Date.UTC(2026, 0, 1, 9), Date.UTC(2026, 6, 13, 20, 40)];

/** What the demo's feed loads once its first drawing is there, and what it would load only if the list didn't have it. */
const LATER = new Set([
  ...['feedback.summary', 'feedback.totals', 'feedback.count', 'feedback.head', 'feedback.get'],
  ...['notification.list', 'delivery.list', 'delivery.health', 'export.list'],
]);

/** Draws the pages with a built dashboard/prerender.tsx. Throws where the demo's would be wrong at another moment, or incomplete. */
export async function drawEach(program: string): Promise<DrawnPages> {
  let visits = 0;
  return {
    frame: (await draw({ address: '/', at: ONE })).html,
    'sign-in': (await draw({ address: '/', isSignedOut: true, at: ONE })).html,
    narrow: await drawDemo({ isWide: false }),
    wide: await drawDemo({ isWide: true }),
  };

  async function drawDemo(window: { isWide: boolean }): Promise<string> {
    const [one, other] = [await timeless(ONE), await timeless(OTHER)];
    if (one !== other) throw new Error('The demo’s document would show a moment that has passed');
    return one;

    async function timeless(at: number): Promise<string> {
      const { html, pending } = await draw({ address: '/demo', at, ...window });
      const missing = pending.filter((topic) => !LATER.has(topic));
      if (missing.length > 0) throw new Error(`dashboard/demo/first-render.ts doesn’t load ${missing.join(', ')}`);
      return withoutMoments(html, at);
    }
  }

  /** Each import of the program is another visit, with a state of its own. */
  async function draw({ address, isSignedOut = false, isWide = false, at }: Visit): Promise<{ html: string; pending: string[] }> {
    const clock = Date.now;
    Date.now = () => at;
    const browser = { location: new URL(address, 'http://localhost'), window: { matchMedia: () => ({ matches: isWide }) } };
    Object.assign(globalThis, browser);
    try {
      visits += 1;
      const { drawPage } = await import(`${pathToFileURL(program).href}?${visits}`);
      return await drawPage({ address, isSignedOut });
    } finally {
      Date.now = clock;
      for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name);
    }
  }
}

const MOMENT = /<time((?: class="[^"]*")?) dateTime="([^"]*)"(?: title="([^"]*)")?>([^<]*)<\/time>/g;
const FEEDBACK_ID = /EXPERIENCE_\d{8}_(\d{13})_/g;

/** Writes each moment as its distance (ms) from the one drawn at and the format of its text, for dashboard/start.ts to fill in. */
function withoutMoments(html: string, drawnAt: number): string {
  return html
    .replaceAll(MOMENT, (_time, look: string, iso: string, _title, text: string) => {
      const format = /^\d{1,2} \w+ \d{4}, /.test(text) ? 'exactly' : 'ago';
      return `<time${look} data-at="${Date.parse(iso) - drawnAt}" data-format="${format}"></time>`;
    })
    .replaceAll(FEEDBACK_ID, (_id, at: string) => `EXPERIENCE_${Number(at) - drawnAt}_`);
}
