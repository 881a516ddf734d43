import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import de from '#contract/language/team/de.ts';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import {
  DESKTOP,
  expectAccessible,
  expectFit,
  type Journey,
  openJourney,
  PHONE,
  picture,
  settled,
  visitUnhydrated,
} from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

const SMALL_PHONE = { width: 320, height: 700 };
const CONFIGURATION = '/properties/pier-4/configuration';
/** The pages of a team, and the dialogs and panels that an address opens. */
const PAGES = [
  ...[
    '/',
    '/urgent',
    '/?range=all&rating=1&status=new',
    '/overview',
    '/properties/pier-4/overview',
    '/properties',
    '/properties/pier-4/feedback',
  ],
  ...['', 'services', 'share', 'notifications', 'requests', 'privacy', 'danger'].map((tab) => `${CONFIGURATION}?tab=${tab}`),
  ...['user-management', 'administration', 'brand', 'deliveries', 'webhooks', 'api-keys', 'topics'].map((page) => `/account/${page}`),
  ...['/profile', '/pay'],
  ...['profile', 'account', 'plan', 'password', 'notifications', 'internal-feedback', 'report-bug', 'user', 'property'].map(
    (panel) => `/?panel=${panel}`,
  ),
];

/** A view of the sample business, which has the name of a proposed one. */
const SAMPLE_VIEW = 'To call back';

/** English texts whose German differs, as patterns with anything in place of names. */
const ENGLISH = Object.entries(de)
  .filter(([english, german]) => german !== english && english !== SAMPLE_VIEW && !english.includes(': '))
  .map(([english]) => english)
  .filter((english) => english.replace(/\{\w+\}/g, '').replace(/[^A-Za-z]/g, '').length > (english.includes('{') ? 12 : 3))
  .map((english) => {
    const text = english.replace(/<\/?\w+>/g, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    return new RegExp(`^${text.replace(/\{\w+\}/g, '.+')}$`);
  });

/** Returns the texts of the page, of its labels and of its title that are English. */
async function englishTexts(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        texts.push(...['aria-label', 'title', 'placeholder', 'alt'].map((name) => (node as Element).getAttribute(name) ?? ''));
      } else if (!node.parentElement?.closest('script, style, template, [lang=en], noscript')) {
        texts.push(node.textContent ?? '');
      }
    }
    return [...new Set(texts.map((text) => text.trim()).filter((text) => /[A-Za-z]{3}/.test(text)))];
  });
  return shown.filter((text) => ENGLISH.some((pattern) => pattern.test(text)));
}

describe('the dashboard in German', () => {
  describe('at every address', () => {
    let page: Page;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ page, close } = await journey.visit({ locale: 'de-DE', viewport: PHONE }));
      await page.goto('/');
      await page.getByLabel('E-Mail').fill(dana.data.emailAddress);
      await page.getByLabel('Passwort', { exact: true }).fill(SAMPLE_PASSWORD);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await rows(page).first().waitFor();
    });
    afterAll(() => close());

    it.each(PAGES)('has no English text, and fits on large and small phones: %s', async (path) => {
      await page.setViewportSize(SMALL_PHONE);
      await page.goto(path);
      await page.locator('main h1, [role=dialog] h2').first().waitFor();
      await settled(page);
      expect(await englishTexts(page)).toEqual([]);
      for (const viewport of [SMALL_PHONE, PHONE]) {
        await page.setViewportSize(viewport);
        await expectFit(page);
      }
      await picture(page, `german${path.replace(/\W+/g, '-')}`);
    });
  });

  it('is what a German browser signs in to, until English is chosen', async () => {
    const { page, close } = await journey.visit({ locale: 'de-AT', viewport: DESKTOP });
    await page.goto('/');
    await heading(page, 'Anmelden').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'English' }).click();
    await heading(page, 'Sign in').waitFor();
    await page.reload();
    await heading(page, 'Sign in').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await close();
  });

  it.each([
    ['the demo', '/demo', 'Alle Antworten'],
    ['the sign-in', '/', 'Anmelden'],
  ])('shows %s in German before the scripts load, and keeps it', async (_name, path, title) => {
    const { page, hydrate, complaints, close } = await visitUnhydrated(journey, path, { locale: 'de-DE', viewport: PHONE });
    const drawn = await heading(page, title).elementHandle();
    const before = await page.locator('#dashboard').textContent();
    await hydrate();
    expect(await drawn?.evaluate(({ isConnected }) => isConnected)).toBe(true);
    if (path === '/demo') expect(before).toMatch(/\d+ min.*(?:Mo|Di|Mi|Do|Fr|Sa|So) \d\d:\d\d/);
    expect(complaints).toEqual([]);
    await close();
  });

  it('prints posters in the language of the form', async () => {
    const { page, close } = await journey.visit({ locale: 'de-DE', viewport: DESKTOP });
    await page.goto(`${CONFIGURATION}?tab=share`);
    await page.getByLabel('E-Mail').fill(dana.data.emailAddress);
    await page.getByLabel('Passwort', { exact: true }).fill(SAMPLE_PASSWORD);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    const poster = page.locator('[data-kind=poster]');
    await poster.getByText('Scan with your phone').waitFor();
    expect(await poster.getAttribute('lang')).toBe('en');
    await close();
  });

  it('follows a person to another device', async () => {
    const first = await journey.visit({ locale: 'en', viewport: DESKTOP });
    await first.page.goto('/');
    await signIn(first.page);
    await rows(first.page).first().waitFor();
    await first.page.goto('/profile');
    await first.page.getByRole('radio', { name: 'Deutsch' }).check();
    await heading(first.page, 'Profil').waitFor();
    expect(await journey.app.stored('select language from "user" where email_address = $1', [dana.data.emailAddress])).toEqual([
      { language: 'de' },
    ]);
    await first.close();
    const second = await journey.visit({ locale: 'en', viewport: DESKTOP });
    await second.page.goto('/');
    await signIn(second.page);
    await second.page.locator('html[lang=de]').waitFor();
    await rows(second.page).first().waitFor();
    await second.page.goto('/profile');
    await second.page.getByRole('radio', { name: 'English' }).check();
    await heading(second.page, 'Profile').waitFor();
    await second.close();
  });
});
