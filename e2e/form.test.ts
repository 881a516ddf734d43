import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pier } from '#fixtures/business.ts';
import { DESKTOP, expectAccessible, holdScripts, type Journey, openJourney, PHONE, picture } from './support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const FORM = `/feedback/${pier.data.formId}`;
/** The form's button: it says what it does, so before a tap something else than after. */
const button = (page: Page) => page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ });
const isLive = (page: Page) => page.waitForFunction(() => 'live' in document.documentElement.dataset);
const keyOf = (page: Page): Promise<string> => page.locator('input[name=key]').inputValue();

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
  it('one tap is enough: it saves, and text follows on the same record', async () => {
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

  it.each(['before React has arrived', 'when the form is live'])('a tap is sent at once, %s', async (when) => {
    const { page, close } = await journey.visit();
    if (when.startsWith('before')) await holdScripts(page);
    await page.goto(FORM, { waitUntil: 'commit' });
    if (!when.startsWith('before')) await isLive(page);
    const key = await keyOf(page);
    // A page that is being closed waits for no timer.
    await page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));
    await page.getByRole('radio', { name: 'Great' }).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await close();
  });

  it('many arrow keys make one record of the last face', async () => {
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

  it('a good rating is invited to review, and opening one is noted', async () => {
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

  it('an answer can be changed, also after a refresh and by going back', async () => {
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

  it('a wish to be contacted needs a phone or an email, said beside the field', async () => {
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

  it('without a rating it says what is missing', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    await button(page).click();
    await page.getByText('Choose a face to continue').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
    await close();
  });
});

describe('with the network cut', () => {
  it('feedback is kept, said to be kept, and delivered once', async () => {
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

  it('it is delivered at the next visit when the page was closed meanwhile', async () => {
    const { page, close } = await journey.visit({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Bad' }).click();
    await page.getByText('kept your answer').waitFor();
    await page.close();
    await page.context().setOffline(false);
    const again = await page.context().newPage();
    await again.goto(FORM);
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2 }]);
    await close();
  });

  it.each([
    ['a server that is away is', { status: 503, body: '{}' }],
    ['a server in whose place a proxy says 404 is', { status: 404, contentType: 'text/html', body: '<h1>404 page not found</h1>' }],
  ])('%s waited for', async (_what, answer) => {
    const { page, close } = await journey.visit({ expected: new RegExp(`${answer.status}`) });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    let isAway = true;
    await page.route('**/api/data', (route) => (isAway ? route.fulfill(answer) : route.continue()));
    await page.getByRole('radio', { name: 'Good' }).click();
    await page.getByText('We’ll keep trying').waitFor();
    expect(await page.getByText(/No connection|saved|no longer open/).count()).toBe(0);
    isAway = false;
    await page.getByText('Your feedback has arrived.').waitFor({ timeout: 60_000 });
    expect(await rowsOf(key)).toMatchObject([{ rating: 4 }]);
    await close();
  });
});

describe('before React has arrived', () => {
  it('a tap that something answers in the server’s place is kept', async () => {
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

  it('a tap that has no answer when the page is closed is delivered by the next visit', async () => {
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

  it('a tap is saved, and nothing is lost when React takes over', async () => {
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
  it('the whole way works, errors included', async () => {
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

/* Each width and each theme once; all of them where pictures are asked for. */
describe('for everybody', () => {
  it.each([
    ['light', [NARROW, DESKTOP]],
    ['dark', [PHONE]],
  ] as const)('each step is accessible, %s', async (theme, across) => {
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

  it('an unknown form says so, and what to do about it', async () => {
    const { page, close } = await journey.visit({ expected: /404/ });
    // Known to be missing from here on: a first look may take so long that the skeleton goes ahead, with its own status.
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
