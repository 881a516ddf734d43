import { pathToFileURL } from 'node:url';
import type { TeamLanguage } from '#contract/language/team.ts';

/** The dashboard's prerendered pages as HTML. `narrow` and `wide` are the demo's feed, for the two widths of a window. */
export type PrerenderedPages = Readonly<Record<'frame' | 'sign-in' | 'narrow' | 'wide', string>>;

interface Visit {
  readonly address: string;
  readonly isSignedOut?: boolean;
  readonly isWide?: boolean;
  /** UTC ms. */
  readonly at: number;
}

/** Two moments that differ in weekday, hour and half of the day. */
const [FIRST_TIME, SECOND_TIME] = [Date.UTC(2026, 0, 1, 9), Date.UTC(2026, 6, 13, 20, 40)];

/** What the demo's feed loads after its first render, or only if the list doesn't include it. */
const LATER = new Set([
  ...['feedback.summary', 'feedback.totals', 'feedback.count', 'feedback.head', 'feedback.get'],
  ...['notification.list', 'delivery.list', 'delivery.health', 'export.list'],
]);

/** Renders the pages in a language with the built dashboard/prerender.tsx. Throws if the demo's depend on the time, or are incomplete. */
export async function prerender(program: string, language: TeamLanguage): Promise<PrerenderedPages> {
  let visits = 0;
  return {
    frame: (await render({ address: '/', at: FIRST_TIME })).html,
    'sign-in': (await render({ address: '/', isSignedOut: true, at: FIRST_TIME })).html,
    narrow: await renderDemo({ isWide: false }),
    wide: await renderDemo({ isWide: true }),
  };

  async function renderDemo(window: { isWide: boolean }): Promise<string> {
    const [first, second] = [await timeless(FIRST_TIME), await timeless(SECOND_TIME)];
    if (first !== second) throw new Error('The demo’s document depends on the time of the build');
    return first;

    async function timeless(at: number): Promise<string> {
      const { html, pending } = await render({ address: '/demo', at, ...window });
      const missing = pending.filter((topic) => !LATER.has(topic));
      if (missing.length > 0) throw new Error(`dashboard/demo/first-render.ts doesn’t load ${missing.join(', ')}`);
      return withoutTimes(html, at);
    }
  }

  /** Renders a page with a new import of the program, which has its own state. */
  async function render({ address, isSignedOut = false, isWide = false, at }: Visit): Promise<{ html: string; pending: string[] }> {
    const clock = Date.now;
    Date.now = () => at;
    const browser = { location: new URL(address, 'http://localhost'), window: { matchMedia: () => ({ matches: isWide }) } };
    Object.assign(globalThis, browser);
    try {
      visits += 1;
      const { drawPage } = await import(`${pathToFileURL(program).href}?${language}${visits}`);
      return await drawPage({ address, isSignedOut, language });
    } finally {
      Date.now = clock;
      for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name);
    }
  }
}

const TIME = /<time((?: class="[^"]*")?) dateTime="([^"]*)"(?: title="([^"]*)")?>([^<]*)<\/time>/g;
const FEEDBACK_ID = /EXPERIENCE_\d{8}_(\d{13})_/g;

/** Replaces each time with its distance (ms) from the time of rendering and its format, for dashboard/start.ts to fill in. */
function withoutTimes(html: string, renderedAt: number): string {
  return html
    .replaceAll(TIME, (_time, attributes: string, iso: string, _title, text: string) => {
      const format = /\d{4}, /.test(text) ? 'exactly' : 'ago';
      return `<time${attributes} data-at="${Date.parse(iso) - renderedAt}" data-format="${format}"></time>`;
    })
    .replaceAll(FEEDBACK_ID, (_id, at: string) => `EXPERIENCE_${Number(at) - renderedAt}_`);
}
