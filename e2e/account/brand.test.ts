import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitKiosk } from '#fixtures/kiosks.ts';
import { heading, signIn } from '../support/dashboard.ts';
import { FORM, isLive } from '../support/form.ts';
import { DESKTOP, expectAccessible, expectNoFinding, type Journey, OTHER_SIZES, openJourney, picture } from '../support/journey.ts';
import { pairTablet } from '../support/kiosk.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* A brand from its settings to the form and the kiosk, in both themes. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const colorOf = (page: Page, property: string): Promise<string> =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), property);
const radiusOf = (page: Page): Promise<string> => page.locator('button.button').evaluate((button) => getComputedStyle(button).borderRadius);

it('gives forms and kiosks a logo, a readable accent and corners', async () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" rx="20" fill="#ffd400"/></svg>';
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await sharp(Buffer.from(drawing)).png().toBuffer() };
  const team = await journey.visit({ viewport: DESKTOP, expected: /status of 400/ });
  const { page } = team;
  await page.goto('/account/brand');
  await signIn(page);
  await heading(page, 'Brand').waitFor();
  await page.getByLabel('Accent color').fill('yellow');
  await page.getByRole('button', { name: 'Save brand' }).click();
  await page.getByText('Enter a color such as #0a5563').waitFor();
  await page.getByLabel('Accent color').fill('#FFD400');
  await page.getByText('Darkened so that it can be read.').waitFor();
  await page.getByText('Square', { exact: true }).click();
  await page.locator('input[aria-label=Logo]').setInputFiles(logo);
  await page.getByLabel('Alternative text').fill('Harbor Coffee');
  const preview = page.frameLocator('iframe');
  await preview.getByRole('img', { name: 'Harbor Coffee' }).waitFor();
  const accentIn = () => preview.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--accent'));
  expect(await accentIn()).toBe('#856e00');
  await page.getByRole('radiogroup', { name: 'Device of the preview' }).getByText('Kiosk').click();
  await preview.getByRole('img', { name: 'Harbor Coffee' }).waitFor();
  expect(await accentIn()).toBe('#856e00');
  await picture(page, 'brand-kiosk-1440-light');
  await preview.getByRole('button', { name: 'Great' }).click();
  await preview.getByRole('textbox').fill('Nothing is sent');
  await preview.getByRole('button', { name: 'Send' }).click();
  await preview.getByRole('button', { name: 'Great' }).waitFor();
  await page.getByRole('button', { name: 'Save brand' }).click();
  await page.getByText('Brand saved.').waitFor();
  await expectGoodLooks(page, 'brand-saved');
  await team.close();

  for (const [theme, accent] of [
    ['light', '#856e00'],
    ['dark', '#ffd400'],
  ] as const) {
    const visitor = await journey.visit({ theme });
    await visitor.page.goto(FORM);
    await isLive(visitor.page);
    const shown = visitor.page.getByRole('img', { name: 'Harbor Coffee' });
    await shown.waitFor();
    expect(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect([await colorOf(visitor.page, '--accent'), await radiusOf(visitor.page)]).toEqual([accent, '0px']);
    await expectAccessible(visitor.page);
    await picture(visitor.page, `brand-form-375-${theme}`);
    for (const viewport of [...OTHER_SIZES, DESKTOP]) {
      await visitor.page.setViewportSize(viewport);
      await expectNoFinding(visitor.page);
      await picture(visitor.page, `brand-form-${viewport.width}-${theme}`);
    }
    await visitor.page.getByRole('radio', { name: 'Great' }).click();
    await visitor.page.getByRole('button', { name: 'Send' }).click();
    await heading(visitor.page, 'Thank you!').waitFor();
    await expectAccessible(visitor.page);
    await visitor.close();

    const tablet = await journey.visit({ viewport: { width: 1_024, height: 768 }, colorScheme: theme });
    await pairTablet(journey, tablet.page, exitKiosk.id);
    await tablet.page.getByRole('img', { name: 'Harbor Coffee' }).waitFor();
    expect(await colorOf(tablet.page, '--accent')).toBe(accent);
    await expectNoFinding(tablet.page);
    await picture(tablet.page, `brand-kiosk-1024-${theme}`);
    await tablet.close();
  }
});

it('is not in a form before an admin sets it', async () => {
  await journey.app.stored('delete from brand');
  await journey.app.call('form', 'save', { payload: { id: FORM.slice('/feedback/'.length), data: {} } }, await journey.app.signIn());
  const { page, close } = await journey.visit();
  await expect
    .poll(async () => {
      await page.goto(FORM);
      return page.locator('.logo').count();
    })
    .toBe(0);
  expect(await colorOf(page, '--accent')).toBe('#3d4cc2');
  await close();
});
