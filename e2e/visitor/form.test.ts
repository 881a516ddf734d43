import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORM, isLive, keyOf, switchApps } from '../support/form.ts';
import { crash, DESKTOP, expectAccessible, holdBack, holdScripts, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

/** Returns the form's button, whose label changes with the first tap. */
const button = (page: Page) => page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ });

interface StoredSubmission extends Record<string, unknown> {
  readonly rating: number;
  readonly text: string | null;
  readonly urgent: boolean;
  readonly converted: Date | null;
}

const rowsOf = (key: string): Promise<StoredSubmission[]> =>
  journey.app.stored<StoredSubmission>('select rating, text, urgent, converted from feedback where key_hash = sha256($1)', [
    Buffer.from(key),
  ]);

describe('with JavaScript', () => {
  it('saves at the first tap, and adds text to the same record', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Bad' }).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2, urgent: true, text: null }]);
    await page.getByLabel('What went wrong?').fill('The coffee was cold.');
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'The coffee was cold.' }]);
    await close();
  });

  it.each(['before React has arrived', 'when the form is live'])('sends a tap at once, %s', async (when) => {
    const { page, close } = await journey.visit();
    if (when.startsWith('before')) await holdScripts(page);
    await page.goto(FORM, { waitUntil: 'commit' });
    if (!when.startsWith('before')) await isLive(page);
    const key = await keyOf(page);
    // A page that is closing runs no timers.
    await page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));
    await page.getByRole('radio', { name: 'Great' }).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await close();
  });

  it('saves in browsers without AbortSignal.timeout', async () => {
    const { page, close } = await journey.visit();
    await page.addInitScript(() => void Reflect.deleteProperty(AbortSignal, 'timeout'));
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Good' }).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 4 }]);
    await close();
  });

  it('saves one record of the last face after many arrow keys', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Awful' }).focus();
    await page.keyboard.press('Space');
    for (let moves = 0; moves < 4; moves += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await close();
  });

  it('invites a good rating to review, and records the click', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    await button(page).click();
    await page.getByRole('heading', { name: 'Spread the word' }).waitFor();
    const link = page.getByRole('link', { name: /Review us on Google/ });
    const [request] = await Promise.all([page.context().waitForEvent('request', (each) => each.url().startsWith('https:')), link.click()]);
    expect(new URL(request.url()).hostname).toMatch(/(^|\.)(g\.page|google\.com)$/);
    expect(request.headers()['referer']).toBeUndefined();
    await expect.poll(async () => (await rowsOf(key))[0]?.converted).toBeInstanceOf(Date);
    await close();
  });

  it('lets an answer be changed after a refresh and after Back', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Okay' }).click();
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await expect.poll(() => page.getByRole('radio', { name: 'Okay' }).isChecked()).toBe(true);
    await isLive(page);
    await page.getByRole('radio', { name: 'Good' }).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 4 }]);
    await page.goto('about:blank');
    await page.goBack();
    expect(await keyOf(page)).toBe(key);
    expect(await rowsOf(key)).toHaveLength(1);
    await close();
  });

  it('asks beside the field for a phone number or an email when contact is wanted', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Good' }).click();
    await page.getByLabel('Yes').check();
    await button(page).click();
    await page.getByText('Add a phone number or an email').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))).toBe('tel');
    await expectAccessible(page);
    await page.getByLabel('Email').fill('ann@example.org');
    await button(page).click();
    await page.getByText('will get back to you').waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 4, urgent: true }]);
    await close();
  });

  it('asks for a rating when there is none', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    await button(page).click();
    await page.getByText('Choose a face to continue').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
    await close();
  });
});

describe('with a slow network', () => {
  it('saves the last answer, also if an earlier one arrives after it', async () => {
    const { page, close } = await journey.visit();
    const posts: Route[] = [];
    await page.route('**/api/data', (route) => (posts.length === 0 ? void posts.push(route) : route.continue()));
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    await expect.poll(() => posts.length).toBe(1);
    await page.getByRole('radio', { name: 'Awful' }).click();
    await switchApps(page);
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 1 }]);
    const late = page.waitForResponse((response) => response.request() === posts[0]?.request());
    await posts[0]?.continue();
    expect((await late).status()).toBe(200);
    expect(await rowsOf(key)).toMatchObject([{ rating: 1 }]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('afterword.outbox'))).toBeNull();
    await close();
  });
});

describe('with a slow server', () => {
  it('stays open for words that are typed while others are sent', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    await page.getByText('saved').waitFor();
    const release = await holdBack(page, '**/api/data');
    const words = page.getByLabel('What did you enjoy?');
    await words.fill('The soup');
    await button(page).click();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await words.press('End');
    await words.pressSequentially(' and the view');
    release();
    await page.getByText('What you added isn’t sent yet.').waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, text: 'The soup' }]);
    expect(await words.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await words.inputValue()).toBe('The soup and the view');
    await button(page).click();
    await page.getByRole('heading', { name: 'Spread the word' }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, text: 'The soup and the view' }]);
    await close();
  });
});

describe('with the network cut', () => {
  it('stores feedback, says so, and delivers it once', async () => {
    const { page, close } = await journey.visit({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Awful' }).click();
    await page.getByText('kept your answer').waitFor();
    await page.getByLabel('What went wrong?').fill('Nobody came.');
    await button(page).click();
    await page.getByText('kept your answer').waitFor();
    expect(await rowsOf(key)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText('Your feedback has arrived.').waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 1, text: 'Nobody came.' }]);
    await close();
  });

  it('delivers it on the next visit when the page was closed', async () => {
    const { page, close } = await journey.visit({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Bad' }).click();
    await page.getByText('kept your answer').waitFor();
    await crash(page);
    await page.context().setOffline(false);
    const next = await page.context().newPage();
    await next.goto(FORM);
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2 }]);
    await close();
  });

  it.each([
    ['a server that is down', { status: 503, body: '{}' }],
    ['a proxy that answers 404', { status: 404, contentType: 'text/html', body: '<h1>404 page not found</h1>' }],
  ])('retries after %s', async (_what, answer) => {
    const { page, close } = await journey.visit({ expected: new RegExp(`${answer.status}`) });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    let isDown = true;
    await page.route('**/api/data', (route) => (isDown ? route.fulfill(answer) : route.continue()));
    await page.getByRole('radio', { name: 'Good' }).click();
    await page.getByText('We’ll keep trying').waitFor();
    expect(await page.getByText(/No connection|saved|no longer open/).count()).toBe(0);
    isDown = false;
    await page.getByText('Your feedback has arrived.').waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 4 }]);
    await close();
  });
});

describe('before React has arrived', () => {
  it('stores a tap answered by a captive portal, and sends it later', async () => {
    const { page, close } = await journey.visit();
    const release = await holdScripts(page);
    await page.route(`**${FORM}`, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ contentType: 'text/html', body: '<h1>Welcome! Log in</h1>' })
        : route.continue(),
    );
    await page.goto(FORM, { waitUntil: 'commit' });
    await button(page).waitFor();
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('afterword.outbox'))).toContain(key);
    release();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await close();
  });

  it('delivers an unanswered tap on the next visit after the page is closed', async () => {
    const { page, close } = await journey.visit();
    await holdScripts(page);
    await page.route(`**${FORM}`, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await page.goto(FORM, { waitUntil: 'commit' });
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    expect(await page.evaluate(() => localStorage.getItem('afterword.outbox'))).toContain(key);
    const next = await page.context().newPage();
    await page.close();
    await next.goto(FORM);
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await close();
  });

  it('keeps the last of two taps if only the first arrives', async () => {
    const { page, close } = await journey.visit({ expected: /ERR_FAILED/ });
    const release = await holdScripts(page);
    const posts: Route[] = [];
    await page.route(`**${FORM}`, (route) => (route.request().method() === 'POST' ? void posts.push(route) : route.continue()));
    await page.goto(FORM, { waitUntil: 'commit' });
    await button(page).waitFor();
    const key = await keyOf(page);
    for (const name of ['Great', 'Awful']) await page.getByRole('radio', { name }).click();
    await expect.poll(() => posts.length).toBe(2);
    await posts[0]?.continue();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await posts[1]?.abort();
    // Without the page's own sender, which also sends what was chosen.
    const next = await page.context().newPage();
    await page.close();
    await next.goto(FORM);
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 1 }]);
    release();
    await close();
  });

  it('saves a tap, and loses nothing when React hydrates', async () => {
    const { page, close } = await journey.visit();
    const release = await holdScripts(page);
    await page.goto(FORM, { waitUntil: 'commit' });
    await button(page).waitFor();
    const key = await keyOf(page);
    await page.getByRole('radio', { name: 'Great' }).click();
    await page.getByLabel('What did you enjoy?').fill('typed early');
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    release();
    await isLive(page);
    expect(await page.getByLabel('What did you enjoy?').inputValue()).toBe('typed early');
    expect(await page.getByRole('radio', { name: 'Great' }).isChecked()).toBe(true);
    await button(page).click();
    await page.getByRole('heading', { name: 'Spread the word' }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, text: 'typed early' }]);
    await close();
  });
});

describe('without JavaScript', () => {
  it('completes every step, including errors', async () => {
    const { page, close } = await journey.visit({ javaScriptEnabled: false, expected: /400/ });
    await page.goto(FORM);
    const key = await keyOf(page);
    await button(page).click();
    await page.getByText('Choose a face to continue').waitFor();
    await page.getByRole('radio', { name: 'Bad' }).click();
    await page.getByLabel('Yes').check();
    await button(page).click();
    await page.getByText('Add a phone number or an email').waitFor();
    await page.getByLabel('Phone').fill('040 123 456');
    await page.getByLabel('What went wrong?').fill('Too loud');
    await picture(page, 'form-no-js-375');
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, urgent: true, text: 'Too loud' }]);
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await picture(page, 'form-no-js-375-change');
    expect(await page.getByRole('radio', { name: 'Bad' }).isChecked()).toBe(true);
    await page.getByLabel('Email').fill('ann@example.org');
    await button(page).click();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, urgent: true, text: 'Too loud' }]);
    await close();
  });
});

const NARROW = { width: 320, height: 640 };

/* Every width and theme is checked once; every combination with SCREENSHOTS. */
describe('every visitor', () => {
  it.each([
    ['light', [NARROW, DESKTOP]],
    ['dark', [PHONE]],
  ] as const)('finds each step accessible, %s', async (theme, across) => {
    const { page, close } = await journey.visit({ theme });
    await page.goto(FORM);
    await isLive(page);
    const look = async (step: string): Promise<void> => {
      for (const viewport of process.env['SCREENSHOTS'] === undefined ? across : [NARROW, DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        await expectAccessible(page);
        await picture(page, `form-${viewport.width}-${theme}-${step}`);
      }
    };
    await look('1');
    for (const [face, heading] of [
      ['Awful', /sorry/],
      ['Okay', 'Thank you!'],
      ['Great', 'Spread the word'],
    ] as const) {
      await page.getByRole('radio', { name: face }).click();
      await look(face);
      await button(page).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      await look(`${face}-done`);
      await page.getByRole('link', { name: 'Change my answer' }).click();
      await button(page).waitFor();
    }
    await close();
  });

  it('reads that an unknown form is closed, and what to do', async () => {
    const { page, close } = await journey.visit({ expected: /404/ });
    // Caches that the form is missing: a slow first lookup may send the skeleton, with its own status, before it ends.
    await page.request.get('/feedback/FORM_nobody');
    const answer = await page.goto('/feedback/FORM_nobody');
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'This form is no longer open.' }).waitFor();
    await page.getByText('ask the team there for a new one').waitFor();
    await picture(page, 'form-375-unknown');
    await expectAccessible(page);
    await close();
  });
});
