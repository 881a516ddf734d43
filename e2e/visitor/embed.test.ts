import type { Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placementOf } from '#contract/core/ids.ts';
import { till } from '#fixtures/business.ts';
import { type CustomerSite, openCustomer } from '../support/customer.ts';
import { hasFocus } from '../support/dashboard.ts';
import { FORM, isLive } from '../support/form.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, picture } from '../support/journey.ts';

/* Forms in a customer's website, and faces in a mail. */

let journey: Journey;
let customer: CustomerSite;
beforeAll(async () => {
  journey = await openJourney();
  customer = await openCustomer(pagesFor(journey.address));
});
afterAll(async () => {
  await customer.stop();
  await journey.stop();
});
beforeEach(() => journey.app.stored('delete from feedback'));

const AT = `at=${placementOf(till.id)}`;

/** A customer's pages that use the product at this address, the first ones under a strict policy. */
function pagesFor(product: string) {
  const script = `<script async src="${product}/embed.js"></script>`;
  const link = (look: string) => `<a href="${product}${FORM}?${AT}" data-afterword="${look}">Rate your visit</a>`;
  // An image without a text, one with it, and a link with a name of its own.
  const pictures = (look: string) =>
    ['>Rate', ' aria-label="Rate this"><img alt="">', '><img alt="Rate us">', '><img alt="">']
      .map((content) => `<a href="${product}${FORM}" data-afterword="${look}"${content}</a>`)
      .join('');
  const around = (content: string) => `<main><h1>Harbor Coffee</h1><p>Open daily.</p>${content}<p>See you soon.</p></main>`;
  const strict = (frames: string) => ({
    'content-security-policy': `default-src 'none'; script-src ${product}; img-src data:; frame-src ${frames}; require-trusted-types-for 'script'; trusted-types 'none'`,
    'cross-origin-embedder-policy': 'require-corp',
  });
  return {
    '/inline': { body: around(link('inline') + script), headers: strict(product) },
    '/button': { body: around(link('button') + script), headers: strict(product) },
    '/pictures': { body: around(pictures('inline') + pictures('button') + script), headers: strict(product) },
    '/twice': { body: around(script + link('button') + link('inline') + script), headers: strict(product) },
    '/forbidden': { body: around(link('inline') + link('button') + script), headers: strict("'none'") },
    '/dark': { body: `<style>html{background:#111;color:#eee}</style>${around(link('inline') + script)}` },
    '/hostile': {
      body: around(
        `<a href="https://elsewhere.example/feedback/x" data-afterword="inline">Other</a>${link('inline')}${script}<iframe title="Advert" src="/advert"></iframe>`,
      ),
    },
    '/advert': { body: '<p>Advert</p>' },
    '/framed': { body: `<iframe title="Form" src="${product}${FORM}"></iframe>` },
  };
}

const stored = () => journey.app.stored<{ rating: number; tool_id: string | null }>('select rating, tool_id from feedback order by id');
const ratings = async () => (await stored()).map(({ rating }) => rating);
const openings = async () => {
  const [row] = await journey.app.stored<{ openings: number }>('select coalesce(sum(count), 0)::integer as openings from view');
  return row?.openings;
};

const frameIn = (page: Page): FrameLocator => page.frameLocator('iframe[title="Rate your visit"]');
const rootIn = (page: Page) => frameIn(page).locator(':root');
const heightOf = (page: Page): Promise<number> =>
  page.locator('iframe[title="Rate your visit"]').evaluate((frame) => frame.getBoundingClientRect().height);
const form = (page: Page): Frame => {
  const frame = page.frames().find((each) => each.url().includes('embed=1'));
  if (!frame) throw new Error('The page has no form');
  return frame;
};

/** Expects the frame to be as high as its content, without a scroll bar. */
const expectFit = (page: Page) =>
  expect
    .poll(async () => {
      const { box, hidden } = await rootIn(page).evaluate((root) => ({
        box: Math.ceil(root.getBoundingClientRect().height),
        hidden: root.scrollHeight - innerHeight,
      }));
      return [box - (await heightOf(page)), hidden];
    })
    .toEqual([0, 0]);

describe('an inline form', () => {
  it.each([320, 375, 768, 1440])('is as high as each of its steps at %i px', async (width) => {
    const { page, close } = await journey.visit({ viewport: { width, height: 800 } });
    await page.goto(`${customer.address}/inline`);
    const frame = frameIn(page);
    await frame.getByRole('radio', { name: 'Bad' }).click();
    await frame.getByText('Thanks, that’s saved.').waitFor();
    expect(await page.getByRole('link', { name: 'Rate your visit' }).count()).toBe(0);
    await expectFit(page);
    const first = await heightOf(page);
    await expectAccessible(page);
    await picture(page, `embed-inline-${width}`);
    await frame.getByRole('radio', { name: 'Yes' }).click();
    await frame.getByLabel('Email').waitFor();
    await expect.poll(() => heightOf(page)).toBeGreaterThan(first);
    await expectFit(page);
    await picture(page, `embed-inline-${width}-contact`);
    await frame.getByRole('radio', { name: 'No' }).click();
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { name: /sorry/ }).waitFor();
    await expect.poll(() => heightOf(page)).toBeLessThan(first);
    await expectFit(page);
    expect(await frame.locator('.next').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, `embed-inline-${width}-done`);
    expect(await stored()).toEqual([{ rating: 2, tool_id: till.id }]);
    expect(await page.context().cookies()).toEqual([]);
    expect(await form(page).evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    await close();
  });

  it('stays in another language, and opens other pages in a new tab', async () => {
    const { page, close } = await journey.visit();
    await page.goto(`${customer.address}/inline`);
    const frame = frameIn(page);
    await frame.locator('.languages summary').click();
    await frame.getByRole('link', { name: 'Deutsch' }).click();
    await frame.getByRole('heading', { name: 'Wie war Ihr Besuch?' }).waitFor();
    await expectFit(page);
    const privacy = frame.getByRole('link', { name: 'Datenschutz' }).last();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), privacy.click()]);
    await tab.waitForURL('**/privacy?lang=de');
    await frame.getByRole('heading', { name: 'Wie war Ihr Besuch?' }).waitFor();
    await close();
  });

  it('works where the browser forbids storage', async () => {
    const { page, close } = await journey.visit();
    await page.addInitScript(() => {
      const forbid = () => {
        throw new DOMException('Forbidden', 'SecurityError');
      };
      for (const name of ['localStorage', 'sessionStorage', 'caches']) Object.defineProperty(window, name, { get: forbid });
      Object.defineProperty(navigator, 'serviceWorker', { get: forbid });
    });
    await page.goto(`${customer.address}/inline`);
    await frameIn(page).getByRole('radio', { name: 'Great' }).click();
    await frameIn(page).getByText('Thanks, that’s saved.').waitFor();
    await frameIn(page).getByRole('button', { name: 'Send' }).click();
    await frameIn(page).getByRole('heading', { name: 'Thank you!' }).waitFor();
    expect(await ratings()).toEqual([5]);
    await close();
  });

  it.each([
    { around: '/dark', colorScheme: 'light', theme: 'dark' },
    { around: '/inline', colorScheme: 'dark', theme: 'light' },
  ] as const)('is $theme at $around on a $colorScheme device', async ({ around, colorScheme, theme }) => {
    const { page, close } = await journey.visit({ colorScheme });
    await page.goto(customer.address + around);
    await frameIn(page).getByRole('radio', { name: 'Great' }).waitFor();
    expect(await rootIn(page).getAttribute('data-theme')).toBe(theme);
    await expectFit(page);
    await expectAccessible(page);
    await picture(page, `embed-inline-375-${theme}-on-${colorScheme}`);
    await close();
  });

  it('ignores messages of others, and what isn’t a height', async () => {
    const { page, close } = await journey.visit();
    await page.goto(`${customer.address}/hostile`);
    await frameIn(page).getByRole('radio', { name: 'Great' }).waitFor();
    await expectFit(page);
    // Notes the frame's height after each message, whose listener runs after the script's.
    const heights = await page.evaluateHandle(() => {
      const frame = document.querySelector<HTMLElement>('iframe[title="Rate your visit"]');
      const seen: unknown[] = [];
      addEventListener('message', () => seen.push(frame?.style.height));
      return seen;
    });
    const before = await heightOf(page);
    await page.evaluate(() => postMessage({ afterword: 3_000 }, '*'));
    const advert = page.frames().find((frame) => frame.url().endsWith('/advert'));
    await advert?.evaluate(() => parent.postMessage({ afterword: 3_000 }, '*'));
    const send = (message: unknown) => form(page).evaluate((data) => parent.postMessage(data, '*'), message);
    const ignored = [
      null,
      'x',
      3_000,
      {},
      ...['3000', Number.NaN, Number.POSITIVE_INFINITY, null, 'close'].map((afterword) => ({ afterword })),
    ];
    for (const message of ignored) await send(message);
    await expect.poll(() => heights.jsonValue()).toEqual(Array(ignored.length + 2).fill(`${before}px`));
    await send({ afterword: 1e9 });
    await expect.poll(() => heightOf(page)).toBe(4_000);
    await send({ afterword: -5 });
    await expect.poll(() => heightOf(page)).toBe(80);
    expect(await page.getByRole('link', { name: 'Other' }).count()).toBe(1);
    await close();
  });

  it('is named after its link, the picture in it, or what it is', async () => {
    const { page, close } = await journey.visit();
    await page.goto(`${customer.address}/pictures`);
    const names = ['Rate', 'Rate this', 'Rate us', 'Feedback'];
    const frames = page.locator('iframe');
    await expect.poll(() => frames.evaluateAll((list) => list.map((frame) => (frame as HTMLIFrameElement).title))).toEqual(names);
    await page.locator('[data-afterword=button]').nth(2).click();
    await page.getByRole('dialog', { name: 'Rate us' }).waitFor();
    await close();
  });

  it('gives way to its link where the page’s policy forbids the frame', async () => {
    const { page, close } = await journey.visit({ expected: /frame-src/ });
    await page.goto(`${customer.address}/forbidden`);
    const links = page.getByRole('link', { name: 'Rate your visit' });
    await expect.poll(() => page.locator('[data-afterword-shown]').count()).toBe(2);
    await links.last().click();
    await page.waitForURL(`${journey.address}${FORM}?${AT}`);
    await close();
  });

  it('is never a page that was opened otherwise', async () => {
    const { page, close } = await journey.visit({ expected: /frame-ancestors/ });
    await page.goto(`${customer.address}/framed`);
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-error'))).toBe(true);
    await close();
  });
});

describe('a button', () => {
  const shown = (page: Page) => page.locator('[data-afterword-shown]').first().waitFor();

  it('opens the form in a dialog, by mouse and keyboard', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const before = await openings();
    await page.goto(`${customer.address}/button`);
    await shown(page);
    expect(page.frames()).toHaveLength(1);
    const link = page.getByRole('link', { name: 'Rate your visit' });
    const dialog = page.getByRole('dialog', { name: 'Rate your visit' });
    const button = dialog.getByRole('button', { name: 'Close' });
    const expectClosed = async () => {
      await dialog.waitFor({ state: 'hidden' });
      expect(await hasFocus(link)).toBe(true);
    };
    await link.click();
    await frameIn(page).getByRole('radio', { name: 'Good' }).waitFor();
    await expectFit(page);
    await expectAccessible(page);
    await picture(page, 'embed-dialog-1440');
    expect(await button.boundingBox()).toMatchObject({ width: 44, height: 44 });
    await button.click();
    await expectClosed();

    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expectClosed();

    await link.click();
    await frameIn(page).getByRole('radio', { name: 'Good' }).click();
    await frameIn(page).getByText('Thanks, that’s saved.').waitFor();
    await page.keyboard.press('Escape');
    await expectClosed();

    await link.click();
    expect(await frameIn(page).getByRole('radio', { name: 'Good' }).isChecked()).toBe(true);
    await page.mouse.click(20, 400);
    await expectClosed();
    expect([await ratings(), await page.locator('iframe').count()]).toEqual([[4], 1]);
    await expect.poll(openings).toBe((before ?? 0) + 1);

    // A click for a new tab is the browser's.
    const isHandled = await link.evaluate((element) => {
      let isPrevented: boolean | undefined;
      const onClick = (event: MouseEvent): void => {
        isPrevented = event.defaultPrevented;
        event.preventDefault();
      };
      addEventListener('click', onClick, { once: true });
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
      return isPrevented;
    });
    expect([isHandled, await dialog.isVisible()]).toEqual([false, false]);
    await close();
  });

  it.each([320, 375, 768])('opens a form that fits at %i px', async (width) => {
    const { page, close } = await journey.visit({ viewport: { width, height: 640 } });
    await page.goto(`${customer.address}/button`);
    await shown(page);
    await page.getByRole('link', { name: 'Rate your visit' }).click();
    await frameIn(page).getByRole('radio', { name: 'Good' }).waitFor();
    await expectFit(page);
    await expectAccessible(page);
    await picture(page, `embed-dialog-${width}`);
    await close();
  });

  it('and a form are shown once each, though the page has the script twice', async () => {
    const { page, close } = await journey.visit();
    await page.goto(`${customer.address}/twice`);
    await frameIn(page).getByRole('radio', { name: 'Good' }).waitFor();
    await page.waitForLoadState('load');
    expect(await page.locator('iframe').count()).toBe(1);
    await page.getByRole('link', { name: 'Rate your visit' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('dialog').count()).toBe(1);
    expect(await page.evaluate(() => ['script', 'afterword', 'showForms'].filter((name) => name in window))).toEqual([]);
    await close();
  });
});

it('opens the form by the link without JavaScript', async () => {
  const { page, close } = await journey.visit({ javaScriptEnabled: false });
  await page.goto(`${customer.address}/inline`);
  await page.getByRole('link', { name: 'Rate your visit' }).click();
  await page.getByRole('radio', { name: 'Okay' }).check();
  await page.getByRole('button', { name: 'Submit feedback' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  expect(await stored()).toEqual([{ rating: 3, tool_id: till.id }]);
  await close();
});

describe('a face in a mail', () => {
  const faceLink = (rating: number) => `${FORM}?rating=${rating}&${AT}`;
  const saved = (page: Page) => page.getByText('Thanks, that’s saved.').waitFor();
  /** Hides that the browser is automated. */
  const asPerson = (page: Page) => page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }));

  it('is saved once it was in view, and another one of the mail replaces it', async () => {
    const { page, close } = await journey.visit();
    const before = await openings();
    await asPerson(page);
    await page.goto(faceLink(4));
    expect(await page.getByRole('radio', { name: 'Good' }).isChecked()).toBe(true);
    await saved(page);
    expect(await stored()).toEqual([{ rating: 4, tool_id: till.id }]);
    expect(page.url()).toBe(`${journey.address}${FORM}?${AT}`);
    await expectAccessible(page);
    await picture(page, 'mail-375');
    await page.reload();
    await saved(page);
    await page.goto(faceLink(2));
    await saved(page);
    expect(await page.getByRole('radio', { name: 'Bad' }).isChecked()).toBe(true);
    await expect.poll(ratings).toEqual([2]);
    // Both faces and the reload.
    await expect.poll(openings).toBe((before ?? 0) + 3);
    await close();
  });

  it.each(['before React has arrived', 'when the form is live'])('is saved at the first key, %s', async (when) => {
    const { page, close } = await journey.visit();
    if (when.startsWith('before')) await page.route('**/assets/*.js', () => undefined);
    await page.goto(faceLink(5), { waitUntil: 'commit' });
    if (when.startsWith('before')) await page.locator('script[type=module]').waitFor({ state: 'attached' });
    else await isLive(page);
    await page.keyboard.press('Tab');
    await expect.poll(ratings).toEqual([5]);
    await page.getByRole('radio', { name: 'Awful' }).click();
    await expect.poll(ratings).toEqual([1]);
    await close();
  });

  it('shows as saved if it was before React arrived', async () => {
    const { page, close } = await journey.visit();
    let release = () => undefined as unknown;
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((resolve) => {
        release = () => resolve(undefined);
      });
      await route.continue();
    });
    await page.goto(faceLink(5), { waitUntil: 'commit' });
    await page.locator('script[type=module]').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await expect.poll(ratings).toEqual([5]);
    release();
    await saved(page);
    expect(await ratings()).toEqual([5]);
    await close();
  });

  it('isn’t saved if another one is tapped, but is if it’s tapped itself', async () => {
    const { page, close } = await journey.visit();
    await page.goto(faceLink(5));
    await isLive(page);
    await page.getByRole('radio', { name: 'Okay' }).click();
    await saved(page);
    expect([await ratings(), page.url()]).toEqual([[3], `${journey.address}${FORM}?${AT}`]);
    await page.goto(faceLink(5));
    // The drawing of a chosen face lies above its button.
    await page.locator('.face', { hasText: 'Great' }).click();
    await expect.poll(ratings).toEqual([5]);
    await close();
  });

  it('isn’t saved by a request, an automated browser or a hidden page', async () => {
    const { page, close } = await journey.visit();
    const before = await openings();
    for (const method of ['GET', 'HEAD']) await page.request.fetch(faceLink(1), { method });
    await page.goto(faceLink(1));
    await isLive(page);
    await page.evaluate(() => document.querySelector('h1')?.click());
    const hidden = await page.context().newPage();
    await asPerson(hidden);
    await hidden.addInitScript(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
    await hidden.goto(faceLink(1));
    await isLive(hidden);
    // The page's own timer would be over before this one.
    for (const each of [page, hidden]) await each.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_001)));
    for (const each of [page, hidden]) await each.close();
    expect([await ratings(), await openings()]).toEqual([[], before]);
    await close();
  });

  it('is chosen without JavaScript, for the button', async () => {
    const { page, close } = await journey.visit({ javaScriptEnabled: false });
    await page.goto(faceLink(4));
    expect(await ratings()).toEqual([]);
    await page.getByRole('button', { name: 'Submit feedback' }).click();
    await page.getByText('You can close this page now.').waitFor();
    expect(await stored()).toEqual([{ rating: 4, tool_id: till.id }]);
    await close();
  });
});
