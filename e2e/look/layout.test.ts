import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { submission } from '../../test/support/submission.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE, settled } from '../support/journey.ts';

/* The top edge of each screen's content, which doesn't move after the first frame (docs/decisions/0005-the-dashboard.md). */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
  // A new business in its trial, with setup steps left.
  await journey.app.stored("update account set created = now(); update property set service = '[]'");
  await journey.app.stored('update subscription set trial_ends_at = $1', [new Date(Date.now() + 20 * DAY)]);
});
afterAll(() => journey.stop());

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** The processor is slowed down by this factor, so that screens load in visible steps. */
const SLOWDOWN = 4;
const MOST_SHIFT = 0.02;
/** A team's feed with its scripts, data and headers, compressed, until something is touched (bytes). @limit team-weight */
const MOST_BYTES = 290_000;
/** What loads so long after the start, or on the first touch, isn't part of the first load (ms). */
const STARTS_FOR = 5_000;

/** Signs in, and adds up the layout shifts of each document. */
async function open(viewport: typeof PHONE) {
  const visit = await journey.visit({ viewport });
  const { page } = visit;
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) window.layoutShift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await signIn(page);
  await rows(page).first().waitFor();
  return visit;
}

/** Waits until the page has a heading, and nothing more loads or moves. The live stream never ends, so the network isn't idle. */
async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await settled(page);
  let requests = -1;
  const isQuiet = async (): Promise<boolean> => {
    const before = requests;
    requests = await page.evaluate(() => performance.getEntriesByType('resource').length);
    return requests === before;
  };
  await expect.poll(isQuiet, { interval: 500 }).toBe(true);
}

const shiftOf = (page: Page): Promise<number> => page.evaluate(() => window.layoutShift);
const top = async (page: Page): Promise<number> => (await rows(page).first().boundingBox())?.y ?? Number.NaN;

describe.each([
  { name: 'a phone', viewport: PHONE, firstRow: 260 },
  { name: 'a desk', viewport: DESKTOP, firstRow: 300 },
])('on $name', ({ viewport, firstRow }) => {
  let page: Page;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ page, close } = await open(viewport));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  });
  // A slowed page keeps the processor busy for as long as it is open.
  afterAll(() => close());
  async function expectStill(path: string): Promise<void> {
    await page.goto(path);
    await loaded(page);
    expect(await shiftOf(page)).toBeLessThan(MOST_SHIFT);
  }

  it('the first row begins near the top, with the trial’s notice and setup steps left', async () => {
    await page.goto('/');
    await page.getByText('left in your free trial').waitFor();
    await page.getByRole('button', { name: /steps? left/ }).waitFor();
    expect(await top(page)).toBeLessThan(firstRow);
  });

  it('the first load stays small', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Page.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    // However slow the machine is, the start doesn't end.
    const { identifier } = await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `{ const { setTimeout } = window; window.setTimeout = (run, ms, ...rest) => (ms === ${STARTS_FOR} ? 0 : setTimeout(run, ms, ...rest)); }`,
    });
    // By request, because a busy server's answer is asked for again. The answers of the page before have no name.
    const [names, sizes] = [new Map<string, string>(), new Map<string, number>()];
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, `${request.url} ${request.postData}`));
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const name = names.get(requestId);
      if (name !== undefined) sizes.set(name, encodedDataLength);
    });
    try {
      await page.goto('/');
      await rows(page).first().waitFor();
      // A desk also opens the first row.
      if (viewport === DESKTOP) await page.getByLabel('Comment', { exact: true }).waitFor();
      await loaded(page);
    } finally {
      await devtools.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
      await devtools.detach();
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(MOST_BYTES / 2);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it.each([
    '/',
    '/urgent',
    '/overview',
    '/properties',
    '/properties/pier-4/feedback',
    '/properties/pier-4/configuration',
    '/account/user-management',
    '/account/administration',
    '/account/brand',
    '/properties/pier-4/configuration?tab=share',
  ])('nothing moves while %s loads, with the stored rows and without', async (path) => {
    await expectStill(path);
    await page.evaluate(() => localStorage.removeItem('afterword'));
    await expectStill(path);
  });

  it.each([
    '/account/webhooks',
    '/account/api-keys',
    '/account/deliveries',
    '/account/topics',
    '/profile',
    '/properties/pier-4/overview',
    ...['requests', 'notifications', 'services', 'privacy', 'danger'].map((tab) => `/properties/pier-4/configuration?tab=${tab}`),
  ])('nothing moves while %s loads', (path) => expectStill(path));

  it('nothing moves when feedback arrives, an item opens, and it is done', async () => {
    await page.goto('/');
    await loaded(page);
    await journey.app.call('feedback', 'save', submission({ rating: 1, text: 'Nobody came.' }));
    await page.getByRole('button', { name: /new/ }).waitFor();
    await rows(page).nth(2).click();
    await page.getByRole('heading', { name: 'Comments' }).waitFor();
    await loaded(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Marked as done.').waitFor();
    expect(await shiftOf(page)).toBeLessThan(MOST_SHIFT);
  });

  it('a message covers no field and no button', async () => {
    // A retry finds the row as the first attempt left it.
    await journey.app.stored(`update feedback set status = 'new' where status = 'waiting'`);
    await page.goto('/');
    // Not the row of the other viewport, whose status is set already.
    await rows(page)
      .nth(viewport === PHONE ? 3 : 7)
      .click();
    await page.getByLabel('Comment', { exact: true }).fill('Calling her.');
    await page.getByLabel('Status').selectOption('waiting');
    const message = page.locator('[class*=toast]').filter({ hasText: 'Marked as waiting.' });
    await message.waitFor();
    await page.getByLabel('Comment', { exact: true }).focus();
    const covered = await message.evaluate((toast) => {
      const box = toast.getBoundingClientRect();
      return (
        [...document.querySelectorAll('button, input, select, textarea')]
          // Targets behind a sheet can't be pressed anyway.
          .filter((part) => !toast.contains(part) && (!document.querySelector('[role=dialog]') || part.closest('[role=dialog]')))
          .filter((part) => {
            const { left, right, top: upper, bottom } = part.getBoundingClientRect();
            const [x, y] = [
              (Math.max(left, box.left) + Math.min(right, box.right)) / 2,
              (Math.max(upper, box.top) + Math.min(bottom, box.bottom)) / 2,
            ];
            const meets = left < box.right && right > box.left && upper < box.bottom && bottom > box.top;
            return (
              meets &&
              document
                .elementsFromPoint(x, y)
                .filter((each) => !toast.contains(each))
                .slice(0, 3)
                .includes(part)
            );
          })
          .map((part) => part.outerHTML.slice(0, 80))
      );
    });
    expect(covered).toEqual([]);
  });
});

it('done offers the next item', async () => {
  const { page, close } = await open(DESKTOP);
  const ids = await rows(page).evaluateAll((links) => links.map(({ id }) => id));
  await rows(page).nth(5).click();
  const detail = page.getByLabel('Feedback details');
  await detail.getByRole('button', { name: 'Done' }).click();
  await detail.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(ids[6]);
  await detail.getByRole('button', { name: 'Done' }).waitFor();
  await close();
});
