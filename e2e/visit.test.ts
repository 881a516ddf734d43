import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pier } from '#fixtures/business.ts';
import { type BrowserVisit, expectAccessible, holdScripts, type Journey, openJourney, picture } from './support/journey.ts';

/* What a visitor wrote stays with the visitor: where the key is, and what a page shows of what was sent. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const FORM = `/feedback/${pier.data.formId}`;
const WORDS = 'The soup was cold.';
const CONTACT = { Name: 'Ann Mole', Phone: '040 98765', Email: 'ann@mole.example' };
const SECRETS = [WORDS, ...Object.values(CONTACT)];

/** The form's button: it says what it does, so before a tap something else than after. */
const button = (page: Page) => page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ });
const isLive = (page: Page) => page.waitForFunction(() => 'live' in document.documentElement.dataset);
const keyOf = (page: Page): Promise<string> => page.locator('input[name=key]').inputValue();
const face = (page: Page, name: string) => page.getByRole('radio', { name });
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

/** A device on which the dashboard keeps the dark theme. */
const darkAt = (origin: string) => ({
  cookies: [],
  origins: [{ origin, localStorage: [{ name: 'afterword', value: JSON.stringify({ state: { theme: 'dark' }, version: 1 }) }] }],
});

/** Writes words and every part of a contact. */
async function write(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill(WORDS);
  await page.getByLabel('Yes').check();
  for (const [label, value] of Object.entries(CONTACT)) await page.getByLabel(label, { exact: true }).fill(value);
}

/** Every address that a browser shows, asks for, names as its referrer or could lead on to. */
function watch(page: Page): { addresses: Set<string>; look: () => Promise<void> } {
  const addresses = new Set<string>();
  const ask = (request: Request): void => {
    addresses.add(request.url());
    addresses.add(request.headers()['referer'] ?? '');
  };
  page.context().on('request', ask);
  page.on('framenavigated', (frame) => addresses.add(frame.url()));
  async function look(): Promise<void> {
    addresses.add(page.url());
    const seen = await page.evaluate(() => [
      ...[...document.querySelectorAll('[href], [action], [src]')].flatMap((element) =>
        ['href', 'action', 'src'].map((name) => element.getAttribute(name) ?? ''),
      ),
      ...performance.getEntries().map(({ name }) => String(name)),
      ...(globalThis as unknown as { navigation: { entries(): { url: string }[] } }).navigation.entries().map(({ url }) => String(url)),
    ]);
    for (const address of seen) addresses.add(address);
  }
  return { addresses, look };
}

/** What somebody can read on a page, in its fields, its source and its storage. */
async function readable(page: Page): Promise<string> {
  const fields = await page.locator('input, textarea').evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  return [await page.content(), ...fields].join('\n');
}

async function expectNoSecrets(page: Page): Promise<void> {
  const text = await readable(page);
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
}

describe('the key', () => {
  it('stands in no address of a whole visit, nor in what leads on from it', async () => {
    const { page, key, close } = await open();
    const { addresses, look } = watch(page);
    await face(page, 'Great').click();
    await page.getByText('that’s saved').waitFor();
    await look();
    await write(page);
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

  it('stands in none before React has arrived either, and the visit goes on', async () => {
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
    await write(page);
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

  it.each([true, false])('of an address shows neither words nor contact in another browser (script: %s)', async (javaScriptEnabled) => {
    const { page, key, close } = await open({ javaScriptEnabled });
    const shown = new Set<string>();
    page.on('framenavigated', (frame) => shown.add(frame.url()));
    await face(page, 'Bad').click();
    await write(page);
    await submit(page);
    await page.getByRole('heading', { name: /sorry/ }).waitFor();
    shown.add(page.url());
    await page.getByRole('link', { name: 'Change my answer' }).click();
    await button(page).waitFor();
    shown.add(page.url());
    expect(await rowsOf(key)).toMatchObject([{ text: WORDS }]);
    // As somebody with an older page, or a guess, might have it.
    shown.add(`${FORM}?key=${key}`).add(`${FORM}?key=${key}&screen=done`);
    for (const script of [true, false]) {
      const other = await journey.visit({ javaScriptEnabled: script });
      for (const address of shown) {
        await other.page.goto(address);
        if (script) await isLive(other.page);
        await expectNoSecrets(other.page);
        if (script) expect(other.page.url()).not.toContain(key);
      }
      await other.close();
    }
    await close();
  });

  it('of an older address leaves it at once, and shows the rating', async () => {
    const { page: first, key, close: closeFirst } = await open();
    await face(first, 'Okay').click();
    await write(first);
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
  it('goes on after a refresh with what was typed, and makes one record', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    await write(page);
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain(CONTACT.Email);
    // As a tab that the browser restores: what the fields held is the browser's no more, and nothing is cached.
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

  it('is another one in a new tab, and where the address is opened anew', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    const tab = await page.context().newPage();
    for (const other of [tab, page]) {
      await other.goto(FORM);
      await isLive(other);
      expect(await keyOf(other)).not.toBe(key);
      expect(await other.getByRole('radio', { checked: true }).count()).toBe(1);
      await face(other, 'Good').click();
      await other.getByText('that’s saved').waitFor();
    }
    expect(await rowsOf(key)).toMatchObject([{ rating: 2 }]);
    await close();
  });

  it('ends an hour after the first tap: the page says that it starts another', async () => {
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

  it('is over when it was sent: the next person at the device reads nothing of it, and empty fields change nothing', async () => {
    for (const [width, theme] of [
      [375, 'light'],
      [375, 'dark'],
      [1440, 'light'],
      [1440, 'dark'],
    ] as const) {
      const { page, key, close } = await open({
        viewport: { width, height: 812 },
        ...(theme === 'dark' && { storageState: darkAt(journey.address) }),
      });
      await face(page, 'Bad').click();
      await write(page);
      await submit(page);
      await page.getByRole('heading', { name: /sorry/ }).waitFor();
      await expect.poll(() => rowsOf(key)).toMatchObject([{ text: WORDS }]);
      const kept = await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
      expect(SECRETS.filter((secret) => kept.includes(secret))).toEqual([]);
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

  it('brings the words of whoever leaves without a last tap', async () => {
    const { page, key, close } = await open();
    await face(page, 'Bad').click();
    await page.getByText('that’s saved').waitFor();
    await page.getByLabel('What went wrong?').fill(WORDS);
    await page.goto('about:blank');
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2, text: WORDS, contact: null }]);
    await close();
  });
});
