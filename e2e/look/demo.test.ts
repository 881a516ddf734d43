import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heading, rows } from '../support/dashboard.ts';
import {
  DESKTOP,
  expectNoFinding,
  holdScripts,
  hydrated,
  type Journey,
  openJourney,
  PHONE,
  picture,
  visitUnhydrated,
} from '../support/journey.ts';
import { EACH_LOOK } from '../support/looks.ts';

/* The demo’s prerendered feed before React hydrates it (docs/decisions/0005-the-dashboard.md). */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const first = (page: Page) => rows(page).first();
const search = (page: Page) => page.getByLabel('Search feedback');

describe('before the scripts load', () => {
  it.each(EACH_LOOK)('paints the same rows on a %s as after hydration', async (_device, viewport, theme) => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo', { viewport, theme });
    await first(page).waitFor();
    await expectNoFinding(page);
    await picture(page, `demo-ahead-${viewport.width}-${theme}`);
    const box = await first(page).boundingBox();
    // Relative times may change within the test.
    const rest = { mask: [page.locator('time')], clip: { x: 0, y: box?.y ?? 0, width: Math.min(600, viewport.width), height: 160 } };
    const before = await page.screenshot(rest);
    const row = await first(page).elementHandle();
    await hydrate();
    expect(await row?.evaluate(({ isConnected }) => isConnected)).toBe(true);
    await page.waitForLoadState('networkidle');
    expect(await first(page).boundingBox()).toEqual(box);
    await expect.poll(async () => (await page.screenshot(rest)).equals(before)).toBe(true);
    await close();
  });

  it.each(['Asia/Tokyo', 'America/St_Johns'])('shows times in the reader’s time zone, %s', async (timezoneId) => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo', { timezoneId, viewport: DESKTOP });
    const rowsShown = () =>
      page
        .locator('#dashboard a[id^=EXPERIENCE]')
        .evaluateAll((all) =>
          all.slice(0, 12).map((row) => [row.id, row.getAttribute('href'), row.querySelector('time')?.dateTime, row.textContent]),
        );
    const moments = (all: Awaited<ReturnType<typeof rowsShown>>) => all.map(([, , iso]) => Date.parse(String(iso)));
    const before = await rowsShown();
    expect(Date.now() - Math.max(...moments(before))).toBeLessThan(13 * 60_000);
    expect(before.map(([, , , words]) => words).join()).toMatch(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d\d:\d\d/);
    await hydrate();
    // Minutes may differ between the two readings.
    const minutes = /\d+ m(?=\D)/g;
    expect(JSON.stringify(await rowsShown()).replace(minutes, '')).toBe(JSON.stringify(before).replace(minutes, ''));
    await close();
  });

  it.each([
    [
      'a row',
      PHONE,
      (page: Page) => rows(page).nth(1),
      (page: Page) => page.getByRole('dialog').getByRole('heading', { name: 'Good visit' }),
    ],
    ['another page', PHONE, (page: Page) => page.getByRole('link', { name: /waiting Urgent/ }), (page: Page) => heading(page, 'Urgent')],
    [
      'a period',
      DESKTOP,
      (page: Page) => page.getByText('Week', { exact: true }),
      (page: Page) => page.getByRole('radio', { name: 'Week', checked: true }),
    ],
  ] as const)('opens %s pressed before hydration', async (_what, viewport, control, shown) => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo', { viewport });
    await control(page).click();
    await hydrate();
    await shown(page).waitFor({ state: 'attached' });
    await close();
  });

  it('keeps the cursor of a person who is typing, and searches for the text', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo', { viewport: DESKTOP });
    await search(page).click();
    await page.keyboard.type('milk');
    await hydrate();
    await page.keyboard.type(' ten');
    expect(await search(page).inputValue()).toBe('milk ten');
    await page.waitForURL(/q=milk\+ten/);
    await rows(page).getByText('They ran out of oat milk at ten in the morning.').first().waitFor();
    await close();
  });

  it('applies a choice from a select', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo', { viewport: DESKTOP });
    await page.getByLabel('Status', { exact: true }).selectOption('Waiting');
    await hydrate();
    await first(page).getByText('Waiting', { exact: true }).waitFor();
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('waiting');
    await close();
  });

  it('links to the sign-in page when registration is closed', async () => {
    const visit = await journey.visit();
    const release = await holdScripts(visit.page);
    await visit.page.route('**/demo', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace('"registration":"open"', '"registration":"closed"') });
    });
    await visit.page.goto('/demo', { waitUntil: 'commit' });
    const link = visit.page.getByRole('note').getByRole('link');
    expect([await link.textContent(), await link.getAttribute('href')]).toEqual(['Sign in', '/']);
    release();
    await hydrated(visit.page, 'main h1');
    expect([await link.textContent(), await link.getAttribute('href')]).toEqual(['Sign in', '/']);
    await visit.close();
  });

  it('appears only at the feed’s plain address', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/demo?rating=1');
    await page.locator('[aria-busy=true]').first().waitFor();
    expect(await rows(page).count()).toBe(0);
    await hydrate();
    await first(page).waitFor();
    await close();
  });
});
