import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { oldTown } from '#fixtures/business.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

interface FeedOptions {
  readonly viewport?: { width: number; height: number };
  readonly expected?: RegExp;
  readonly forcedColors?: 'active';
}

async function openFeed(address = '/', { viewport = DESKTOP, ...options }: FeedOptions = {}) {
  const visit = await journey.visit({ viewport, ...options });
  await visit.page.goto(address);
  await signIn(visit.page);
  await rows(visit.page).first().waitFor();
  return visit;
}

const send = (text: string, rating: 1 | 2 | 3 | 4 | 5 = 4) => journey.app.call('feedback', 'save', submission({ rating, text }));
/** Returns the focused element's label, else its id, else its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { ariaLabel, id, textContent, tagName } = document.activeElement ?? document.body;
    return tagName === 'BODY' ? 'body' : ariaLabel || id || textContent || tagName;
  });
const isCallOf = (route: Route, action: string): boolean => (route.request().postData() ?? '').includes(`"action":"${action}"`);

describe('new feedback', () => {
  it('appears at the top with the focus on it, and leaves the open detail alone', async () => {
    const { page, close } = await openFeed();
    const detailText = (await page.getByLabel('Feedback details').locator('dl').textContent()) ?? '';
    const first = (await rows(page).first().getAttribute('id')) ?? '';
    await page.getByRole('button', { name: 'Load 25 more' }).click();
    await expect.poll(() => rows(page).count()).toBe(50);
    await page.evaluate(() => scrollTo(0, 900));
    await send('The new terrace is lovely.');
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rows(page).first().textContent()).toContain('The new terrace is lovely.');
    expect(await rows(page).count()).toBe(51);
    await expect.poll(() => focused(page)).toBe(await rows(page).first().getAttribute('id'));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    expect(await page.locator('main a[aria-current]').getAttribute('id')).toBe(first);
    expect(await page.getByLabel('Feedback details').textContent()).toContain(detailText);
    await close();
  });

  it('is announced on its own line, so the button covers no row', async () => {
    const { page, close } = await openFeed('/', { viewport: PHONE });
    const before = await rows(page).first().boundingBox();
    await send('Quick and kind.');
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor();
    expect(await rows(page).first().boundingBox()).toEqual(before);
    const box = await pill.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(before?.y ?? 0);
    await close();
  });

  it('isn’t counted in the results until it is shown', async () => {
    const { page, close } = await openFeed();
    const results = page.getByLabel('List').getByRole('status').first();
    await expect.poll(() => results.textContent()).toMatch(/^\d+ results · Month$/);
    const before = await results.textContent();
    await send('Cold coffee.', 2);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await expect.poll(() => results.textContent()).toBe(before);
    await close();
  });
});

describe('the focus', () => {
  it('moves to the first newly loaded row', async () => {
    const { page, close } = await openFeed();
    await page.getByRole('button', { name: 'Load 25 more' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(50);
    await expect.poll(async () => focused(page)).toBe(await rows(page).nth(25).getAttribute('id'));
    await close();
  });

  it('stays on “Next feedback” while Enter is pressed repeatedly', async () => {
    const { page, close } = await openFeed();
    const ids = await rows(page).evaluateAll((links) => links.map(({ id }) => id));
    await page.getByRole('button', { name: 'Next feedback' }).focus();
    for (const at of [1, 2, 3]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('main a[aria-current]').getAttribute('id')).toBe(ids[at]);
      expect(await focused(page)).toBe('Next feedback');
    }
    await close();
  });

  it('returns to the row when Back or Escape closes the detail on a phone', async () => {
    const { page, close } = await openFeed('/', { viewport: PHONE });
    const row = rows(page).nth(2);
    const id = await row.getAttribute('id');
    for (const goBack of [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Back', exact: true }).click(),
    ]) {
      await row.click();
      await page.getByRole('dialog').getByText('Received').waitFor();
      await goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe(id);
      expect(new URL(page.url()).search).toBe('');
    }
    await close();
  });

  it('stays in a search that Escape clears, and moves from an empty one to the list', async () => {
    const { page, close } = await openFeed();
    await page.keyboard.press('/');
    await page.keyboard.type('coffee');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('coffee');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBeNull();
    expect(await focused(page)).toBe('Search feedback');
    await rows(page).nth(20).waitFor();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe(await rows(page).first().getAttribute('id'));
    await close();
  });
});

describe('the search box', () => {
  it.each([PHONE, DESKTOP])('stays in place while someone types, at $width px', async (viewport) => {
    const { page, close } = await openFeed('/', { viewport });
    if (viewport === PHONE) await page.getByRole('button', { name: 'Search', exact: true }).click();
    const box = page.getByLabel('Search feedback');
    await box.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await page.evaluate(() => scrollBy(0, -120));
    const position = async () =>
      box.evaluate((element) => {
        const { top: y, left, width } = element.getBoundingClientRect();
        return { y, left, width };
      });
    const before = await position();
    for (const text of ['c', 'coffee', 'coffee xyzzy', 'coffee', '']) {
      await box.fill(text);
      await expect.poll(() => new URL(page.url()).searchParams.get('q') ?? '').toBe(text);
      // The list, the summary and the comments may each be busy.
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      if (text.endsWith('xyzzy')) await page.getByText('No feedback matches.').waitFor();
      else await rows(page).first().waitFor();
      expect(await position(), text).toEqual(before);
    }
    await close();
  });

  it('highlights its words in the results', async () => {
    const { page, close } = await openFeed('/?q=COFFEE');
    await expect
      .poll(async () => new Set((await rows(page).locator('mark').allTextContents()).map((word) => word.toLowerCase())))
      .toEqual(new Set(['coffee']));
    await close();
  });
});

describe('switching the period', () => {
  it('dims the old numbers and rows until the new ones arrive', async () => {
    const { page, close } = await openFeed();
    const summary = page.getByLabel('Summary');
    const list = page.getByRole('list', { name: 'Feedback' });
    const releases: (() => void)[] = [];
    let isHolding = true;
    await page.getByRole('button', { name: 'Show trend' }).click();
    await expect.poll(() => summary.textContent()).toMatch(/on average.*Ratings by day/);
    // The chart is drawn after its width is measured.
    await summary.locator('svg text').first().waitFor();
    const before = await summary.textContent();
    const count = await rows(page).count();
    await page.route('**/api/data', async (route) => {
      if (isHolding && (isCallOf(route, 'list') || isCallOf(route, 'summary')))
        await new Promise<void>((resolve) => releases.push(resolve));
      await route.continue();
    });
    await page.getByText('Week', { exact: true }).click();
    await expect.poll(() => releases.length).toBeGreaterThanOrEqual(3);
    expect(await summary.textContent()).toBe(before);
    expect(await summary.getAttribute('aria-busy')).toBe('true');
    expect(await rows(page).count()).toBe(count);
    expect(await list.getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => list.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1);
    isHolding = false;
    for (const release of releases) release();
    await expect.poll(() => summary.textContent()).not.toBe(before);
    expect(await summary.textContent()).toMatch(/on average.*the week before/);
    await expect.poll(() => list.getAttribute('aria-busy')).toBeNull();
    await close();
  });

  it('keeps the rows when loading fails, and says which period they belong to', async () => {
    const { page, close } = await openFeed('/', { expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });
    const count = await rows(page).count();
    await page.context().setOffline(true);
    await page.getByText('Week', { exact: true }).click();
    await page.getByText('We couldn’t load “Week”. Still showing “Month”.').waitFor();
    await page.getByText('We couldn’t load the ratings for “Week”. Still showing “Month”.').waitFor();
    expect(await rows(page).count()).toBe(count);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('We couldn’t load “Week”').waitFor({ state: 'detached' });
    await page.getByText('the week before').waitFor();
    await close();
  });
});

describe('Back', () => {
  it('closes sheets on a phone before it leaves the page', async () => {
    const { page, close } = await openFeed('/', { viewport: PHONE });
    const address = page.url();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('dialog', { name: 'More' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    expect(await focused(page)).toBe('more');
    await page.getByRole('button', { name: 'Period: Month' }).click();
    const dates = page.getByRole('dialog', { name: 'Period' });
    await dates.waitFor();
    await page.goBack();
    await dates.waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Period: Month' }).click();
    // The dialog starts with the month that is shown.
    const [from, to] = [await dates.getByLabel('From').inputValue(), await dates.getByLabel('To', { exact: true }).inputValue()];
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(20 * DAY);
    await dates.getByRole('button', { name: 'Apply dates' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?from=${from}&to=${to}`);
    await dates.waitFor({ state: 'detached' });
    await page.goBack();
    await expect.poll(() => page.url()).toBe(address);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Rating').selectOption('Awful');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('?rating=1');
    expect(await focused(page)).toBe('Filters (1)');
    await page.goBack();
    await expect.poll(() => page.url()).toBe(address);
    await close();
  });

  it('doesn’t reopen a sheet whose link was followed', async () => {
    const { page, close } = await openFeed('/', { viewport: PHONE });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('link', { name: 'Users' }).click();
    await heading(page, 'Users').waitFor();
    await page.getByRole('button', { name: 'Invite user' }).click();
    await page.getByRole('dialog', { name: 'Invite user' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await heading(page, 'All feedback').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await close();
  });

  it('leaves every detail opened beside the list in one step', async () => {
    const { page, close } = await openFeed();
    for (const at of [3, 5, 7]) await rows(page).nth(at).click();
    await expect.poll(() => rows(page).nth(7).getAttribute('aria-current')).not.toBeNull();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await close();
  });
});

describe('a deleted property', () => {
  it('is reported as deleted after one request, not as a network problem', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    let requests = 0;
    page.on('request', (request) => {
      if ((request.postData() ?? '').includes('PROPERTY_GoneForGood1')) requests += 1;
    });
    await page.goto('/?property=PROPERTY_GoneForGood1');
    await signIn(page);
    await page.getByText('This property no longer exists.').waitFor();
    expect(await page.getByText('Check your connection').count()).toBe(0);
    expect(requests).toBeLessThanOrEqual(1);
    await page.getByRole('main').getByRole('link', { name: 'All feedback' }).click();
    await rows(page).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await close();
  });
});

describe('a theme', () => {
  it('chosen in one tab applies in the other', async () => {
    const { page, close } = await openFeed();
    const otherTab = await page.context().newPage();
    await otherTab.goto('/');
    await rows(otherTab).first().waitFor();
    await page.getByRole('button', { name: 'Use dark theme' }).click();
    await expect.poll(() => otherTab.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await otherTab.getByRole('button', { name: 'Use light theme' }).click();
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
    await close();
  });
});

describe('a flood while the page is open', () => {
  it('moves no row, and shows its notice after a reload', async () => {
    const { page, close } = await openFeed('/properties/old-town/feedback');
    const box = await rows(page).first().boundingBox();
    await Promise.all(
      Array.from({ length: 120 }, () =>
        journey.app.call('feedback', 'save', submission({ rating: 1 }, { form: formOf(oldTown.data.formId) })),
      ),
    );
    await page.getByRole('button', { name: '25+ new' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Awful/ }).textContent()).toMatch(/1\d\d/);
    expect(await rows(page).first().boundingBox()).toEqual(box);
    expect(await page.getByText('set aside').count()).toBe(0);
    await page.reload();
    await page.getByText(/answers are set aside/).waitFor();
    await close();
  });
});

describe('a phone with text twice as large', () => {
  it('keeps the account button and the toolbar on the screen', async () => {
    const { page, close } = await openFeed('/', { viewport: PHONE });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const part of [
      page.getByRole('button', { name: /your account/ }),
      page.getByRole('button', { name: 'Period: Month' }),
      page.getByRole('button', { name: 'More for this list' }),
      page.getByText('More', { exact: true }),
    ]) {
      const box = await part.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await close();
  });
});

describe('forced colors', () => {
  it('keep the selected period distinct, and apply to the bars', async () => {
    const { page, close } = await openFeed('/', { viewport: DESKTOP, forcedColors: 'active' });
    const background = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await background('Month')).not.toBe(await background('Week'));
    const bar = page.getByLabel('Summary').locator('svg rect').first();
    const text = await page.locator('h1').evaluate((element) => getComputedStyle(element).color);
    await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).fill)).toBe(text);
    await close();
  });
});

describe('right-to-left text', () => {
  it('runs from the right in the detail, and is isolated from its neighbors in the list', async () => {
    const { page, close } = await openFeed();
    await send('القهوة ممتازة');
    await page.getByRole('button', { name: /new/ }).click();
    await rows(page).first().click();
    const quote = page.getByLabel('Feedback details').locator('blockquote');
    await expect.poll(() => quote.textContent()).toBe('القهوة ممتازة');
    expect(await quote.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(
      await rows(page)
        .first()
        .locator('[dir=auto]')
        .evaluate((element) => getComputedStyle(element).unicodeBidi),
    ).toBe('isolate');
    await close();
  });
});
