import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORDS } from '#contract/language/all.ts';
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '#contract/language/languages.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { FORM, isLive, keyOf } from '../support/form.ts';
import { DESKTOP, expectAccessible, expectNoFinding, type Journey, OTHER_SIZES, openJourney, picture } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const face = (page: Page, rating: number) => page.locator(`.r${rating} input`);
const languages = (page: Page) => page.locator('.languages summary');
const rowsOf = (key: string) =>
  journey.app.stored<{ rating: number; text: string | null; language: string | null }>(
    'select rating, text, language from feedback where key_hash = sha256($1)',
    [Buffer.from(key)],
  );

describe('the form', () => {
  it.each(LANGUAGE_TAGS)('in %s fits at 320 px with text twice as large', async (tag) => {
    const { page, close } = await journey.visit({ viewport: { width: 320, height: 700 }, locale: tag });
    const expectInside = async (): Promise<void> => {
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const cut = await page
        .locator('.face, .button, .line p, h1, .languages summary, .languages a')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map(({ textContent }) => textContent));
      expect(cut).toEqual([]);
    };
    await page.goto(FORM);
    await isLive(page);
    const { page: words, standard } = WORDS[tag];
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    expect(await page.locator('html').evaluate((html) => getComputedStyle(html).direction)).toBe(directionOf(tag));
    await page.getByRole('heading', { name: standard.question }).waitFor();
    const tops = await page.locator('.face').evaluateAll((faces) => faces.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size, 'rows of faces').toBe(1);
    await expectInside();
    await languages(page).click();
    await expectInside();
    await picture(page, `form-${tag}-large`);
    await languages(page).click();
    await face(page, 1).click();
    await page.getByText(words.saved).waitFor();
    await page.getByLabel(standard.yes, { exact: true }).check();
    await page.getByRole('button', { name: words.send }).click();
    await page.getByText(words.noContact).waitFor();
    await expectInside();
    await page.getByLabel(words.email, { exact: true }).fill('ann@mole.example');
    await page.getByRole('button', { name: words.send }).click();
    await page.getByRole('heading', { name: standard.sorry }).waitFor();
    await expectInside();
    await picture(page, `form-${tag}-large-done`);
    await close();
  });

  it.each(['ar', 'ja'] as const)('in %s passes axe and looks right', async (locale) => {
    const { page, close } = await journey.visit({ locale });
    await page.goto(FORM);
    await isLive(page);
    await picture(page, `form-${locale}`);
    await expectAccessible(page);
    await languages(page).click();
    await expectAccessible(page);
    for (const viewport of [...OTHER_SIZES, DESKTOP]) {
      await page.setViewportSize(viewport);
      await expectNoFinding(page);
      await picture(page, `form-${locale}-${viewport.width}`);
    }
    await close();
  });

  it('keeps the visit when a visitor chooses another language', async () => {
    const { page, close } = await journey.visit({ locale: 'en' });
    await page.goto(`${FORM}?at=PierTill01`);
    await isLive(page);
    const key = await keyOf(page);
    await face(page, 2).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 2, language: null }]);
    await page.getByLabel('What went wrong?').fill('Kalter Kaffee');
    await languages(page).click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Wie war Ihr Besuch?' }).waitFor();
    expect(new URL(page.url()).search).toBe('?at=PierTill01&lang=de');
    await isLive(page);
    expect(await keyOf(page)).toBe(key);
    expect(await page.getByLabel('Was ist schiefgelaufen?').inputValue()).toBe('Kalter Kaffee');
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.getByRole('heading', { name: 'Das tut uns leid' }).waitFor();
    await languages(page).click();
    await page.getByRole('link', { name: 'Français' }).click();
    await page.getByRole('heading', { name: WORDS.fr.standard.sorry }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 2, text: 'Kalter Kaffee' }]);
    await close();
  });

  it('starts the next visitor at a tablet in the device’s language', async () => {
    const { page, close } = await journey.visit({ locale: 'en', viewport: { width: 800, height: 1100 }, hasTouch: true, isMobile: true });
    await page.goto(`${FORM}?lang=ja&at=PierTill01`);
    await isLive(page);
    const key = await keyOf(page);
    await face(page, 5).click();
    await page.getByRole('button', { name: WORDS.ja.page.send }).click();
    await page.getByRole('button', { name: WORDS.ja.page.next }).click();
    await page.getByRole('heading', { name: WORDS.en.standard.question }).waitFor();
    await isLive(page);
    expect(new URL(page.url()).search).toBe('?at=PierTill01');
    expect(await keyOf(page)).not.toBe(key);
    expect(await face(page, 5).isChecked()).toBe(false);
    await close();
  });

  it('changes its language without a script', async () => {
    const { page, close } = await journey.visit({ javaScriptEnabled: false, locale: 'en' });
    await page.goto(FORM);
    await languages(page).click();
    await page.getByRole('link', { name: LANGUAGE_NAMES.pl }).click();
    const key = await keyOf(page);
    await face(page, 5).check();
    await page.getByRole('button', { name: WORDS.pl.page.submit }).click();
    await page.getByRole('heading', { name: WORDS.pl.standard.thanks }).waitFor();
    expect(await rowsOf(key)).toMatchObject([{ rating: 5, language: 'pl' }]);
    await page.getByRole('link', { name: WORDS.pl.page.change }).click();
    await page.getByRole('heading', { name: WORDS.pl.standard.question }).waitFor();
    await close();
  });
});

describe('an owner', () => {
  it('translates a question, and finds answers by their language', async () => {
    const visit = await journey.visit({ viewport: DESKTOP });
    const { page } = visit;
    await page.goto('/properties/pier-4/configuration?tab=form');
    await signIn(page);
    await page.getByLabel('Question').first().fill('How was the coffee?');
    await page.getByText('Visitors can choose English. The others need translations of your texts.').waitFor();
    await page.getByLabel('Translate into').selectOption({ label: 'German: 1 missing' });
    const preview = page.frameLocator('iframe[title="The form as visitors see it"]');
    await preview.getByRole('button', { name: 'Feedback senden' }).waitFor();
    await page.getByLabel('How was the coffee?').fill('Wie war der Kaffee?');
    await preview.getByRole('heading', { name: 'Wie war der Kaffee?' }).waitFor();
    await page.getByText('Visitors can choose German and English.').waitFor();
    await preview.locator('.languages summary').click();
    await preview.getByRole('link', { name: 'English' }).click();
    await preview.getByRole('heading', { name: 'How was the coffee?' }).waitFor();
    await preview.locator('.languages summary').click();
    await preview.getByRole('link', { name: 'Deutsch' }).click();
    await preview.getByRole('heading', { name: 'Wie war der Kaffee?' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'translations-desk');
    await page.getByRole('button', { name: 'Save form' }).click();
    await page.getByText('Form saved. Visitors see it now.').waitFor();

    const { page: form, close } = await journey.visit({ locale: 'de' });
    await form.goto(FORM);
    await form.getByRole('heading', { name: 'Wie war der Kaffee?' }).waitFor();
    await isLive(form);
    const key = await keyOf(form);
    await face(form, 4).click();
    await expect.poll(() => rowsOf(key)).toMatchObject([{ rating: 4, language: 'de' }]);
    await close();

    await page.goto('/properties/pier-4/feedback?language=de');
    await page.getByText('Language: German').first().waitFor();
    await rows(page).first().click();
    await page.getByText('German', { exact: true }).waitFor();
    await visit.close();
  });
});
