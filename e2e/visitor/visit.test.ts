import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORM, face, isLive, keyOf } from '../support/form.ts';
import { type BrowserVisit, expectAccessible, holdScripts, type Journey, openJourney, picture } from '../support/journey.ts';

/* A visitor's privacy: where the key appears, and that no page shows a sent answer. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const WORDS = 'The soup was cold.';
const CONTACT = { Name: 'Ann Mole', Phone: '040 98765', Email: 'ann@mole.example' };
const SECRETS = [WORDS, ...Object.values(CONTACT)];

/** Returns the form's button, whose label changes with the first tap. */
const button = (page: Page) => page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ });
const submit = (page: Page) => button(page).click();

interface StoredVisit extends Record<string, unknown> {
  readonly rating: number;
  readonly text: string | null;
  readonly contact: { readonly phone?: string } | null;
}
const rowsOf = (key: string): Promise<StoredVisit[]> =>
  journey.app.stored<StoredVisit>(
    `select rating, text, (select r->'response' from jsonb_array_elements(responses) r where r->>'block' = 'ContactMe') as contact
       from feedback where key_hash = sha256($1)`,
    [Buffer.from(key)],
  );

async function open(options: Parameters<Journey['visit']>[0] = {}): Promise<BrowserVisit & { key: string }> {
  const visit = await journey.visit(options);
  await visit.page.goto(FORM);
  if (options.javaScriptEnabled !== false) await isLive(visit.page);
  return { ...visit, key: await keyOf(visit.page) };
}

/** Fills in the text and every contact field. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill(WORDS);
  await page.getByLabel('Yes').check();
  for (const [label, value] of Object.entries(CONTACT)) await page.getByLabel(label, { exact: true }).fill(value);
}

/** Collects every address that a browser shows, requests, sends as its referrer or links to. */
function watch(page: Page): { addresses: Set<string>; look: () => Promise<void> } {
  const addresses = new Set<string>();
  const record = (request: Request): void => {
    addresses.add(request.url());
    addresses.add(request.headers()['referer'] ?? '');
  };
  page.context().on('request', record);
  page.on('framenavigated', (frame) => addresses.add(frame.url()));
  async function look(): Promise<void> {
    addresses.add(page.url());
    const visible = await page.evaluate(() => [
      ...[...document.querySelectorAll('[href], [action], [src]')].flatMap((element) =>
        ['href', 'action', 'src'].map((name) => element.getAttribute(name) ?? ''),
      ),
      ...performance.getEntries().map(({ name }) => String(name)),
      ...(globalThis as unknown as { navigation: { entries(): { url: string }[] } }).navigation.entries().map(({ url }) => String(url)),
    ]);
    for (const address of visible) addresses.add(address);
  }
  return { addresses, look };
}

/** Returns the page's source and the values of its fields. */
async function readable(page: Page): Promise<string> {
  const fields = await page.locator('input, textarea').evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  return [await page.content(), ...fields].join('\n');
}

async function expectNoSecrets(page: Page): Promise<void> {
  const text = await readable(page);
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
}

describe('the key', () => {
  it('appears in no address of a whole visit, nor in any link or referrer', async () => {
    const { page, key, close } = await open();
    const { addresses, look } = watch(page);
    await face(page, 'Great').click();
    await page.getByText('that’s saved').waitFor();
    await look();
    await fillIn(page);
    await submit(page);
    await page.getByRole('heading', { name: 'Spread the word' }).waitFor();
    await look();
    await Promise.all([
      page.context().waitForEvent('request', (request) => request.url().includes('/review/')),
      page.getByRole('link', { name: /Review us on Google/ }).click(),
    ]);
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await look();
    await page.reload();
    await isLive(page);
    await look();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, text: WORDS }]);
    expect(addresses.size).toBeGreaterThan(4);
    expect([...addresses].filter((address) => address.includes(key))).toEqual([]);
    await close();
  });

  it('appears in no address before React has loaded, and the visit continues', async () => {
    const { page, close } = await journey.visit();
    const { addresses, look } = watch(page);
    const release = await holdScripts(page);
    await page.goto(FORM, { waitUntil: 'commit' });
    await button(page).waitFor();
    const key = await keyOf(page);
    await face(page, 'Great').click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 5 }]);
    await look();
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(() => keyOf(page)).toBe(key);
    expect(await face(page, 'Great').isChecked()).toBe(true);
    await fillIn(page);
    await button(page).click({ noWaitAfter: true });
    await page.getByRole('heading', { name: 'Spread the word' }).waitFor();
    await look();
    await expectNoSecrets(page);
    release();
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await page.getByText('You left a note.').waitFor();
    await look();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, text: WORDS, contact: { phone: CONTACT.Phone } }]);
    expect([...addresses].filter((address) => address.includes(key))).toEqual([]);
    await close();
  });

  it.each([true, false])('in an address reveals neither text nor contact in another browser (script: %s)', async (javaScriptEnabled) => {
    const { page, key, close } = await open({ javaScriptEnabled });
    const addresses = new Set<string>();
    page.on('framenavigated', (frame) => addresses.add(frame.url()));
    await face(page, 'Bad').click();
    await fillIn(page);
    await submit(page);
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    addresses.add(page.url());
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await button(page).waitFor();
    addresses.add(page.url());
    expect(await rowsOf(key)).toMatchObject([{ text: WORDS }]);
    // An older page or a guess may carry the key in its address.
    addresses.add(`${FORM}?key=${key}`).add(`${FORM}?key=${key}&screen=done`);
    for (const script of [true, false]) {
      const stranger = await journey.visit({ javaScriptEnabled: script });
      for (const address of addresses) {
        await stranger.page.goto(address);
        if (script) await isLive(stranger.page);
        await expectNoSecrets(stranger.page);
        if (script) expect(stranger.page.url()).not.toContain(key);
      }
      await stranger.close();
    }
    await close();
  });

  it('in an older address is removed from it at once, and shows the rating', async () => {
    const { page: first, key, close: closeFirst } = await open();
    await face(first, 'Okay').click();
    await fillIn(first);
    await submit(first);
    await first.getByRole('heading', { name: 'Thank you!' }).waitFor();
    await closeFirst();
    const { page, close } = await journey.visit();
    await page.goto(`${FORM}?key=${key}`);
    await isLive(page);
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => face(page, 'Okay').isChecked()).toBe(true);
    await page.reload();
    await isLive(page);
    await expect.poll(() => keyOf(page)).toBe(key);
    await expect.poll(() => face(page, 'Okay').isChecked()).toBe(true);
    await expectNoSecrets(page);
    await submit(page);
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 3, text: WORDS, contact: { phone: CONTACT.Phone } }]);
    await close();
  });
});

describe('one visit', () => {
  it('continues after a refresh with what was typed, and stores one record', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    await fillIn(page);
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain(CONTACT.Email);
    // Clears the cache as in a tab restored later, so the browser refills no field.
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    for (const again of [() => page.reload(), () => page.goto('about:blank').then(() => page.goBack())]) {
      await again();
      await isLive(page);
      await expect.poll(() => keyOf(page)).toBe(key);
      expect(await face(page, 'Bad').isChecked()).toBe(true);
      expect(await page.getByLabel('What went wrong?').inputValue()).toBe(WORDS);
      expect(await page.getByLabel('Phone').inputValue()).toBe(CONTACT.Phone);
    }
    await submit(page);
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await page.goto('about:blank');
    await page.goBack();
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: WORDS, contact: { phone: CONTACT.Phone } }]);
    await close();
  });

  it('is separate in a new tab, and when the address is opened again', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    const tab = await page.context().newPage();
    for (const target of [tab, page]) {
      await target.goto(FORM);
      await isLive(target);
      expect(await keyOf(target)).not.toBe(key);
      expect(await target.getByRole('radio', { checked: true }).count()).toBe(1);
      await face(target, 'Good').click();
      await target.getByText('that’s saved').waitFor();
    }
    expect(await rowsOf(key)).toMatchObject([{ rating: 2 }]);
    await close();
  });

  it('ends an hour after the first tap, and the page says that it starts a new one', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    await page.addInitScript(() => {
      const now = Date.now;
      Date.now = () => now() + 3_600_001;
    });
    await page.reload();
    await page.getByText('This starts a new one.').waitFor();
    expect(await keyOf(page)).not.toBe(key);
    await expectAccessible(page);
    await picture(page, 'form-375-another');
    await close();
  });

  it('shows on a phone what was typed when the answer is changed, and clearing a field deletes it', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await fillIn(page);
    await submit(page);
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await page.getByRole('link', { name: 'Change my answer' }).click();
    expect(await page.getByLabel('What went wrong?').inputValue()).toBe(WORDS);
    expect(await page.getByLabel('Phone').inputValue()).toBe(CONTACT.Phone);
    expect(await page.getByText('You left').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'form-375-change');
    await page.getByLabel('What went wrong?').fill('');
    await page.getByLabel('Phone').fill('');
    await submit(page);
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    await expect
      .poll(() => rowsOf(key))
      .toEqual([{ rating: 2, text: null, contact: { answer: 'Yes', name: CONTACT.Name, phone: '', email: CONTACT.Email } }]);
    await close();
  });

  it('reveals nothing to the next person once sent, and empty fields change nothing', async () => {
    for (const [width, theme] of [
      [375, 'light'],
      [375, 'dark'],
      [768, 'light'],
      [1440, 'dark'],
    ] as const) {
      const isTablet = width === 768;
      const { page, key, close } = await open({
        viewport: { width, height: 1024 },
        colorScheme: theme,
        ...(isTablet && { hasTouch: true, isMobile: true }),
      });
      await face(page, 'Bad').click();
      await fillIn(page);
      await submit(page);
      await page.getByRole('heading', { name: /sorry/ }).waitFor();
      await expect.poll(() => rowsOf(key)).toMatchObject([{ text: WORDS }]);
      const stored = await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
      expect(SECRETS.filter((secret) => stored.includes(secret))).toEqual([]);
      // The page of a tablet may be in the next visitor's hands; elsewhere only a page that is opened again is.
      if (!isTablet) await page.reload();
      await page.getByRole('link', { name: 'Change my answer' }).click();
      await page.getByText('You left a number.').waitFor();
      await expectNoSecrets(page);
      await expectAccessible(page);
      await picture(page, `form-${width}-${theme}-left`);
      await page.getByLabel('Email').fill('ann@elsewhere.example');
      await submit(page);
      await page.getByRole('heading', { name: /sorry/ }).waitFor();
      await expect
        .poll(() => rowsOf(key))
        .toEqual([
          { rating: 2, text: WORDS, contact: { answer: 'Yes', name: CONTACT.Name, phone: CONTACT.Phone, email: 'ann@elsewhere.example' } },
        ]);
      await close();
    }
  });

  it('sends the text of a visitor who leaves without a last tap', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    await page.getByLabel('What went wrong?').fill(WORDS);
    await page.goto('about:blank');
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2, text: WORDS, contact: null }]);
    await close();
  });
});
