import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORM, face, isLive, keyOf, switchApps } from '../support/form.ts';
import { painted } from '../support/frames.ts';
import { type BrowserVisit, crash, expectAccessible, type Journey, openJourney, picture } from '../support/journey.ts';

/* The form's status messages, and a layout that stays still while they change. */

let journey: Journey;
let token: string;
beforeAll(async () => {
  journey = await openJourney();
  token = await journey.app.signIn();
});
afterAll(() => journey.stop());

const SAVED = 'Thanks, that’s saved. Anything to add?';
const UNSENT = 'What you added isn’t sent yet.';
const NEW_ANSWER = 'Saved as a new answer: your earlier one can no longer be changed.';
const AN_HOUR = 3_600_001;
const TABLET = { width: 768, height: 1024 };

const button = (page: Page) => page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ });
const words = (page: Page) => page.getByRole('textbox').first();
const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

interface StoredAnswer extends Record<string, unknown> {
  readonly rating: number;
  readonly text: string | null;
}
const rowsOf = (key: string): Promise<StoredAnswer[]> =>
  journey.app.stored<StoredAnswer>('select rating, text, url, user_id, tool_id, test from feedback where key_hash = sha256($1)', [
    Buffer.from(key),
  ]);

async function open(options: Parameters<Journey['visit']>[0] = {}, address = FORM): Promise<BrowserVisit & { key: string }> {
  const visit = await journey.visit(options);
  await visit.page.goto(address);
  if (options.javaScriptEnabled !== false) await isLive(visit.page);
  return { ...visit, key: await keyOf(visit.page) };
}

/** Advances the server's clock by an hour, and the page's where one is given. */
async function anHourLater(page?: Page): Promise<void> {
  journey.app.advance(AN_HOUR);
  await page?.evaluate((ms) => {
    const now = Date.now;
    Date.now = () => now() + ms;
  }, AN_HOUR);
}

describe('a saved answer', () => {
  it('isn’t announced for text that wasn’t sent', async () => {
    const { page, key, close } = await open();
    await shows(page, 'One tap is enough.');
    await page.getByRole('button', { name: 'Submit feedback' }).waitFor();
    await face(page, 'Bad').click();
    await shows(page, SAVED);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await words(page).fill('Cold soup');
    await shows(page, UNSENT);
    expect(await page.getByText(SAVED).count()).toBe(0);
    await picture(page, 'form-375-light-unsent');
    await switchApps(page);
    await shows(page, SAVED);
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'Cold soup' }]);
    await close();
  });

  it('keeps the text when the contact details are invalid, and reports both problems at once', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await words(page).fill('Cold soup');
    await page.getByLabel('Yes').check();
    await page.getByLabel('Phone').fill('12');
    await page.getByLabel('Email').fill('nobody');
    await button(page).click();
    await shows(page, 'Please enter a valid phone number');
    await shows(page, 'Please enter a valid email');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))).toBe('tel');
    await shows(page, UNSENT);
    await picture(page, 'form-375-light-refused');
    await page.goto('about:blank');
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'Cold soup' }]);
    await close();
  });

  it('reports that the team can see the text only when there is some', async () => {
    const { page, close } = await open();
    await face(page, 'Bad').click();
    await button(page).click();
    await shows(page, 'Thank you for telling us.');
    expect(await page.getByText('can see it now').count()).toBe(0);
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await words(page).fill('Cold soup');
    await button(page).click();
    await shows(page, 'The team at Pier 4 can see it now.');
    await shows(page, 'You can close this page now.');
    await close();
  });

  it.each([429, 500, 503])('is reported as pending until it arrives when the server answers %i', async (status) => {
    const { page, key, close } = await open({ expected: /status of/ });
    let isAway = true;
    await page.route('**/api/data', (route) => (isAway ? route.fulfill({ status, body: '{}' }) : route.continue()));
    await face(page, 'Bad').click();
    await words(page).fill('Cold soup');
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await shows(page, 'We couldn’t send it just now. We’ll keep trying.');
    await shows(page, 'Keep this page open');
    await expectAccessible(page);
    await picture(page, `form-375-light-away-${status}`);
    expect(await page.getByText(/can see it now|close this page now|No connection/).count()).toBe(0);
    isAway = false;
    await page.getByText('Your feedback has arrived.').waitFor();
    await shows(page, 'The team at Pier 4 can see it now.');
    await shows(page, 'You can close this page now.');
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'Cold soup' }]);
    await close();
  });

  it('is reported on the next visit when it was only sent then', async () => {
    const { page, key, close } = await open({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await page.context().setOffline(true);
    await face(page, 'Bad').click();
    await shows(page, 'We’ve kept your answer');
    await words(page).fill('Cold soup');
    await shows(page, UNSENT);
    await picture(page, 'form-375-light-offline');
    await switchApps(page);
    await crash(page);
    await page.context().setOffline(false);
    const again = await page.context().newPage();
    await again.goto(FORM);
    await shows(again, 'Your feedback from last time has now been sent.');
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'Cold soup' }]);
    await picture(again, 'form-375-light-returned');
    await close();
  });

  it('isn’t claimed when the form was closed in between', async () => {
    const { body } = await journey.app.call('property', 'save', { payload: { data: { displayName: 'Short lived' } } }, token);
    const { page, close } = await open({ expected: /410/ }, `/feedback/${body.form.id}`);
    await journey.app.call('property', 'delete', { propertyId: body.property.id }, token);
    await face(page, 'Good').click();
    await shows(page, 'This form is no longer open.');
    expect(await page.getByText(/saved/).count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'form-375-light-closed');
    await close();
  });
});

describe('an hour later', () => {
  it('a tap on an open page starts a new answer, and says so', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await shows(page, SAVED);
    await anHourLater(page);
    await face(page, 'Good').click();
    await shows(page, NEW_ANSWER);
    const another = await keyOf(page);
    expect(another).not.toBe(key);
    expect([await rowsOf(key), await rowsOf(another)]).toMatchObject([[{ rating: 2 }], [{ rating: 4 }]]);
    await expectAccessible(page);
    await picture(page, 'form-375-light-anew');
    await close();
  });

  it('sending the same rating stores a new answer', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await shows(page, SAVED);
    await anHourLater(page);
    await words(page).fill('Cold soup');
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await shows(page, NEW_ANSWER);
    const another = await page.evaluate(() => (history.state as { key: string }).key);
    expect([await rowsOf(key), await rowsOf(another)]).toMatchObject([[{ rating: 2, text: null }], [{ rating: 2, text: 'Cold soup' }]]);
    await close();
  });

  it('a tap starts a new answer even if the device’s clock stopped', async () => {
    const { page, key, close } = await open({ expected: /410/ });
    await face(page, 'Bad').click();
    await shows(page, SAVED);
    await anHourLater();
    await face(page, 'Okay').click();
    await shows(page, NEW_ANSWER);
    const another = await keyOf(page);
    expect([await rowsOf(key), await rowsOf(another)]).toMatchObject([[{ rating: 2 }], [{ rating: 3 }]]);
    await close();
  });

  it('sending the same answer without script stores a new one', async () => {
    const { page, key, close } = await open({ javaScriptEnabled: false });
    await face(page, 'Bad').click();
    const [post] = await Promise.all([page.waitForRequest((request) => request.method() === 'POST'), button(page).click()]);
    // Browsers without fetch metadata are checked by this header.
    expect((await post.allHeaders())['origin']).toBe(journey.address);
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await anHourLater();
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await shows(page, NEW_ANSWER);
    const another = new URL(page.url()).searchParams.get('key') ?? '';
    expect(another).not.toBe(key);
    expect([await rowsOf(key), await rowsOf(another)]).toMatchObject([[{ rating: 2 }], [{ rating: 2 }]]);
    await close();
  });
});

it('a tap has its placement and the visitor’s id from the moment React handles it', async () => {
  const { page, close } = await journey.visit();
  await page.addInitScript(() =>
    new MutationObserver((_changes, observer) => {
      if (!('live' in document.documentElement.dataset)) return;
      observer.disconnect();
      document.querySelector<HTMLElement>('[data-rating="5"]')?.click();
    }).observe(document, { attributes: true, subtree: true }),
  );
  await page.goto(`${FORM}?userId=table-7&at=PierTill01`);
  const key = await keyOf(page);
  await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5, user_id: 'table-7', tool_id: 'TOOL_PierTill01' }]);
  await close();
});

describe('the next visitor', () => {
  it('starts with an empty form, and going back doesn’t show the previous answer', async () => {
    const { page, key, close } = await open({ viewport: TABLET, hasTouch: true, isMobile: true }, `${FORM}?userId=table-7&at=PierTill01`);
    await face(page, 'Great').click();
    await words(page).fill('Lovely soup');
    await page.getByLabel('Yes').check();
    await page.getByLabel('Phone').fill('٠٤٠ ١٢٣٤٥');
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, user_id: 'table-7', tool_id: 'TOOL_PierTill01' }]);
    await page.getByRole('button', { name: 'Next visitor' }).click();
    await page.getByRole('heading', { name: 'How was your visit?' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'form-768-light-next');
    const another = await keyOf(page);
    expect(another).not.toBe(key);
    const expectEmpty = async (): Promise<void> => {
      await isLive(page);
      expect(await page.locator('.faces :checked').count()).toBe(0);
      expect(await page.getByText(/You left|Change my answer/).count()).toBe(0);
      expect((await page.content()).includes(key)).toBe(false);
    };
    await expectEmpty();
    await page.reload();
    await expectEmpty();
    await face(page, 'Okay').click();
    await shows(page, SAVED);
    expect(await rowsOf(another)).toMatchObject([{ rating: 3, user_id: null, tool_id: 'TOOL_PierTill01' }]);
    await page.goto('about:blank');
    await page.goBack();
    expect(await keyOf(page)).toBe(another);
    await page.goBack();
    expect(page.url()).toBe('about:blank');
    await close();
  });
});

describe('the stored context', () => {
  it('is the page’s address without its query, and the user id in the link', async () => {
    const { page, key, close } = await open({}, `${FORM}?userId=table-7&at=nope&test=1&secret=1#too`);
    await face(page, 'Okay').click();
    await shows(page, SAVED);
    expect(await rowsOf(key)).toMatchObject([{ url: `${journey.address}${FORM}`, user_id: 'table-7', tool_id: null, test: true }]);
    await close();
  });

  it('is stored without script, too, and an invalid user id is dropped', async () => {
    for (const [userId, stored] of [
      ['table-8', 'table-8'],
      ['a%20b', null],
    ] as const) {
      const { page, key, close } = await open({ javaScriptEnabled: false }, `${FORM}?userId=${userId}`);
      await face(page, 'Okay').click();
      await button(page).click();
      await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
      expect(await rowsOf(key)).toMatchObject([{ user_id: stored, url: `http://localhost:8080${FORM}` }]);
      await close();
    }
  });
});

describe('a long text', () => {
  it('shows the remaining length near the limit, and is rejected whole when too long', async () => {
    const { page, key, close } = await open();
    await face(page, 'Okay').click();
    await shows(page, SAVED);
    await words(page).fill('x'.repeat(1_700));
    expect(await page.getByText(/\d left/).count()).toBe(0);
    await words(page).fill('x'.repeat(1_830));
    await shows(page, '170 left');
    const long = 'x'.repeat(2_345);
    await words(page).fill(long);
    await shows(page, '345 too many');
    await expectAccessible(page);
    await picture(page, 'form-375-light-long');
    await button(page).click();
    await shows(page, 'This is 345 characters too long.');
    expect(await words(page).inputValue()).toBe(long);
    expect(await rowsOf(key)).toMatchObject([{ rating: 3, text: null }]);
    await words(page).fill(long.slice(345));
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ text: long.slice(345) }]);
    await close();
  });

  it('is rejected whole without script', async () => {
    const { page, close } = await open({ javaScriptEnabled: false, expected: /400/ });
    await face(page, 'Okay').click();
    await words(page).fill('x'.repeat(2_345));
    await button(page).click();
    await shows(page, 'This is 345 characters too long.');
    expect(await words(page).inputValue()).toHaveLength(2_345);
    await close();
  });
});

/** Returns the box of every visible control. */
async function controlBoxes(page: Page): Promise<unknown[]> {
  const controls: Locator[] = await page.locator('.face, textarea, .choices label, form .button, form a').filter({ visible: true }).all();
  return Promise.all(controls.map((control) => control.boundingBox()));
}

describe('nothing moves', () => {
  it.each([320, 375])('when a status message changes, at %i px', async (width) => {
    const { page, close } = await open({ viewport: { width, height: 812 }, expected: /ERR_INTERNET_DISCONNECTED|status of/ });
    const before = await controlBoxes(page);
    expect(before.length).toBeGreaterThan(8);
    const expectStill = async (text: string | RegExp): Promise<void> => {
      await shows(page, text);
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
      expect(await controlBoxes(page), String(text)).toEqual(before);
    };
    await button(page).click();
    await expectStill('Choose a face');
    await face(page, 'Awful').click();
    await expectStill(SAVED);
    await words(page).fill('Cold soup');
    await expectStill(UNSENT);
    await page.context().setOffline(true);
    await face(page, 'Bad').click();
    await words(page).fill('');
    await expectStill('No connection. We’ve kept your answer');
    await words(page).fill('Cold');
    await expectStill('No connection. Your rating is kept');
    await page.context().setOffline(false);
    await words(page).fill('');
    await expectStill('Your feedback has arrived.');
    await page.route('**/api/data', (route) => route.fulfill({ status: 503, body: '{}' }));
    await face(page, 'Awful').click();
    await expectStill('We couldn’t send it just now.');
    await page.unroute('**/api/data');
    await anHourLater(page);
    await face(page, 'Bad').click();
    await expectStill(NEW_ANSWER);
    await close();
  });

  const countShifts = (page: Page) =>
    page.addInitScript(() => {
      const counter = globalThis as unknown as { shifts: number };
      counter.shifts = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) counter.shifts += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
  const shifts = (page: Page) => page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts);

  it.each([
    ['.languages', '</summary>'],
    ['.faces', 'data-rating="3"'],
  ])('when a page arrives in two parts, divided in %s, and after a refresh', async (divided, place) => {
    let [firstOfRest, sendRest] = [place, (): void => undefined];
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== FORM) return response.setHeader('content-type', 'text/javascript').end();
      return void fetch(new URL(FORM, journey.address)).then(async (whole) => {
        const html = await whole.text();
        const length = html.indexOf(firstOfRest);
        response.setHeader('content-type', 'text/html; charset=utf-8').write(html.slice(0, length));
        sendRest = () => response.end(html.slice(length));
      });
    }).listen(0, '127.0.0.1');
    const { page, close } = await journey.visit();
    await countShifts(page);
    const isVisible = async (part: string): Promise<boolean> => {
      await page.locator(part).waitFor({ state: 'attached' });
      await painted(page);
      return page.locator(part).isVisible();
    };

    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${FORM}`, { waitUntil: 'commit' });
    expect([await isVisible('.place'), await isVisible(divided)]).toEqual([true, false]);
    sendRest();
    await page.waitForLoadState();
    expect([await isVisible(divided), await shifts(page)]).toEqual([true, 0]);

    await face(page, 'Bad').click();
    firstOfRest = '<script id="props"';
    await page.reload({ waitUntil: 'commit' });
    expect(await isVisible('#form')).toBe(false);
    sendRest();
    await page.waitForLoadState();
    expect(await isVisible('#form')).toBe(true);
    expect(await face(page, 'Bad').isChecked()).toBe(true);
    expect(await shifts(page)).toBe(0);
    await close();
    server.close();
  });

  it('when React hydrates the form at first, after a refresh, and at the end', async () => {
    // The form's worker would load the scripts past the route below.
    const { page, close } = await journey.visit({ serviceWorkers: 'block' });
    await countShifts(page);
    const expectStill = async (): Promise<void> => {
      await isLive(page);
      await painted(page);
      expect(await shifts(page)).toBe(0);
    };
    let scripts = Promise.resolve();
    await page.route('**/assets/*.js', async (route) => {
      await scripts;
      await route.continue();
    });
    /** Loads the page, and releases its scripts once it is painted without them. */
    const load = async (navigate: (options: { waitUntil: 'commit' }) => Promise<unknown>): Promise<void> => {
      let release: () => void = () => undefined;
      scripts = new Promise((resolve) => (release = resolve));
      await navigate({ waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await painted(page);
      expect(await page.evaluate(() => 'live' in document.documentElement.dataset)).toBe(false);
      release();
    };
    await load((options) => page.goto(FORM, options));
    await expectStill();
    await face(page, 'Bad').click();
    await shows(page, SAVED);
    await words(page).fill('Cold soup');
    await page.getByLabel('Yes').check();
    await page.getByLabel('Phone').fill('040 12345');
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain('040 12345');
    await load((options) => page.reload(options));
    await expectStill();
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await load((options) => page.reload(options));
    await expectStill();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await close();
  });
});

describe('display settings', () => {
  it.each([280, 320, 375])('text twice as large doesn’t overflow at %i px', async (width) => {
    const { page, close } = await open({ viewport: { width, height: 812 } });
    const expectInside = async (): Promise<void> => {
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const cut = await page
        .locator('.face, .button, .line p, h1')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map(({ textContent }) => textContent));
      expect(cut).toEqual([]);
    };
    await expectInside();
    await face(page, 'Great').click();
    await shows(page, SAVED);
    await expectInside();
    await picture(page, `form-${width}-large`);
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    await expectInside();
    await picture(page, `form-${width}-large-done`);
    await close();
  });

  it('forced colors give controls a border and mark the chosen face', async () => {
    const { page, close } = await open({ forcedColors: 'active' });
    await face(page, 'Great').click();
    await shows(page, SAVED);
    const borders = await page.locator('.face, form .button').evaluateAll((all) =>
      all.map((each) => {
        const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(each);
        return { isSeen: Number.parseFloat(borderTopWidth) >= 1 && borderTopColor !== backgroundColor, borderTopColor };
      }),
    );
    expect(borders.every(({ isSeen }) => isSeen)).toBe(true);
    const [chosen, unchosen] = [borders[4]?.borderTopColor, borders[0]?.borderTopColor];
    expect(chosen).not.toBe(unchosen);
    await picture(page, 'form-375-forced');
    await button(page).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Next visitor' }).count()).toBe(0);
    await picture(page, 'form-375-forced-done');
    await close();
  });

  it('the form follows the device, unless a theme was chosen in the dashboard', async () => {
    const canvas = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const { page, close } = await open({ colorScheme: 'dark' });
    expect(await canvas(page)).toBe('rgb(18, 18, 21)');
    for (const [state, shown] of [
      ['{"state":{"theme":"dark","chosen":1},"version":2}', 'rgb(18, 18, 21)'],
      ['{"state":{"theme":"light","chosen":1},"version":2}', 'rgb(246, 246, 243)'],
      ['{"state":{"theme":"light","chosen":0},"version":2}', 'rgb(18, 18, 21)'],
      ['nonsense', 'rgb(18, 18, 21)'],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('afterword', value), state);
      await page.reload();
      expect(await canvas(page)).toBe(shown);
    }
    await close();
  });
});
