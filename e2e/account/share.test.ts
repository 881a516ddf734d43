import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { airport, dana, formOf, oldTown, pier, till } from '#fixtures/business.ts';
import { submission } from '../../test/support/submission.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';
import { chooseTheme, expectGoodLooks } from '../support/looks.ts';
import { readCode } from '../support/qr.ts';

/* Sharing a form: its QR code, those of its placements, their prints, and a test answer. */

let journey: Journey;
let team: BrowserVisit;
beforeAll(async () => {
  journey = await openJourney();
  team = await journey.visit({ viewport: DESKTOP, acceptDownloads: true, expected: /status of 400/ });
});
afterAll(async () => {
  await team.close();
  await journey.stop();
});

const SHARE = '/properties/pier-4/configuration?tab=share';

/** Presses a download button, and returns the file's name and bytes. */
async function fileOf(page: Page, name: string | RegExp): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

interface PrintedPages {
  /** The suggested name of the file. */
  readonly title: string;
  /** The size of each page (mm). */
  readonly sizes: readonly string[];
  /** The address in the first QR code. */
  readonly address: string | undefined;
}

/** Presses a print button, and returns what the printer would receive. */
async function print(page: Page, name: string): Promise<PrintedPages> {
  const title = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        window.print = () => resolve(document.title);
      }),
  );
  await page.getByRole('button', { name }).click();
  const suggested = await title;
  const file = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const folder = process.env['SCREENSHOTS'];
  if (folder) await writeFile(`${folder}/${suggested}.pdf`, file);
  const boxes = [...file.toString('latin1').matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)];
  await page.emulateMedia({ media: 'print' });
  const code = await page
    .getByRole('img', { name: /^QR code of/ })
    .first()
    .screenshot();
  await page.emulateMedia({ media: null });
  const millimeters = (points = ''): number => Math.round((Number(points) / 72) * 25.4);
  return {
    title: suggested,
    sizes: boxes.map(([, width, height]) => `${millimeters(width)} × ${millimeters(height)}`),
    address: await readCode(code),
  };
}

it('shows, saves and prints a code, with a name in any script', async () => {
  const { page } = team;
  await page.goto(SHARE);
  await signIn(page);
  await heading(page, 'Pier 4').waitFor();
  const address = `${journey.address}/feedback/${pier.data.formId}`;
  await page.getByRole('img', { name: 'QR code of the form of Pier 4' }).waitFor();
  await page.getByRole('button', { name: 'Till, show its code' }).waitFor();
  await expectGoodLooks(page, 'share');
  const [drawing, photo] = [await fileOf(page, /^SVG/), await fileOf(page, /^PNG/)];
  expect([drawing.name, photo.name]).toEqual(['pier-4.svg', 'pier-4.png']);
  expect([await readCode(drawing.bytes), await readCode(photo.bytes)]).toEqual([address, address]);
  expect(await sharp(photo.bytes).metadata()).toMatchObject({ width: 1_024, height: 1_024 });

  await page.getByRole('button', { name: 'Add placement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add placement' });
  await dialog.getByLabel('Name').fill('TILL');
  await dialog.getByRole('button', { name: 'Add placement' }).click();
  await dialog.getByText('This property already has a placement with this name').waitFor();
  await dialog.getByLabel('Name').fill('Κήπος 🌿');
  await dialog.getByRole('button', { name: 'Add placement' }).click();
  await page.getByRole('button', { name: 'Κήπος 🌿, show its code' }).click();
  const codeDialog = page.getByRole('dialog', { name: 'Code for Κήπος 🌿' });
  const [{ id } = { id: '' }] = await journey.app.stored<{ id: string }>(`select id from tool where display_name like 'Κήπος%'`);
  await codeDialog.getByText(`${address}?at=${id.slice('TOOL_'.length)}`, { exact: true }).waitFor();
  await expectGoodLooks(page, 'share-placement');
  await page.keyboard.press('Escape');
  await codeDialog.waitFor({ state: 'hidden' });

  await page.getByLabel('Placement', { exact: true }).selectOption('Κήπος 🌿');
  await page.getByLabel('Paper').selectOption('A6');
  await picture(page, 'share-1440-light-print');
  const sheet = await print(page, 'Print or save as PDF');
  expect(sheet).toEqual({ title: 'pier-4-κηπος-poster', sizes: ['105 × 148'], address: `${address}?at=${id.slice('TOOL_'.length)}` });
  await page.getByLabel('Placement', { exact: true }).selectOption({ label: 'All 3, a page each' });
  await page.getByLabel('Layout').selectOption('Table tent');
  await page.getByLabel('Paper').selectOption('A4');
  expect((await print(page, 'Print or save as PDF')).sizes).toEqual(Array(3).fill('210 × 297'));

  await page.getByRole('button', { name: 'Add several' }).click();
  const series = page.getByRole('dialog', { name: 'Add numbered placements' });
  await series.getByLabel('Last number').fill('0');
  await series.getByRole('button', { name: 'Add placements' }).click();
  await series.getByText('Enter a number from 1 to 999').waitFor();
  await series.getByLabel('First number').fill('x');
  await series.getByLabel('Last number').fill('40');
  await series.getByText('Enter a number from 1 to 999').waitFor();
  await series.getByLabel('First number').fill('41');
  await series.getByRole('button', { name: 'Add placements' }).click();
  await series.getByText('Enter a number from the first one on').waitFor();
  await series.getByLabel('First number').fill('1');
  await series.getByText('Enter a number from the first one on').waitFor({ state: 'hidden' });
  await series.getByText('Table 1 to Table 40, each with its own code.').waitFor();
  await expectGoodLooks(page, 'share-series');
  await series.getByRole('button', { name: 'Add placements' }).click();
  await page.getByText('40 placements added.').waitFor();
  await page.getByLabel('Layout').selectOption('Stickers');
  await page.getByLabel('Placement', { exact: true }).selectOption({ label: 'All 43, one sticker each' });
  await picture(page, 'share-1440-light-stickers');
  expect((await print(page, 'Print or save as PDF')).sizes).toEqual(Array(3).fill('210 × 297'));
});

it('shows the placement of an answer, and marks and deletes a test answer', async () => {
  const { page } = team;
  const visitor = await journey.visit();
  await visitor.page.goto(`/feedback/${pier.data.formId}?at=${till.id.slice('TOOL_'.length)}`);
  await visitor.page.getByRole('radio', { name: 'Awful' }).click();
  await visitor.page.getByText('Thanks, that’s saved.').waitFor();
  await visitor.page.goto(`/feedback/${pier.data.formId}?test=1`);
  await visitor.page.getByText('This is a test. The answer is marked and isn’t counted.').waitFor();
  await expectAccessible(visitor.page);
  await picture(visitor.page, 'form-375-light-test');
  await visitor.page.getByRole('radio', { name: 'Bad' }).click();
  await visitor.page.getByText('Thanks, that’s saved.').waitFor();
  await visitor.close();

  await page.goto(`/?property=${pier.id}`);
  await rows(page).first().getByText('Test', { exact: true }).waitFor();
  expect(await rows(page).first().getByText('Urgent').count()).toBe(0);
  await rows(page).nth(1).getByText('Till', { exact: true }).waitFor();
  await expectAccessible(page);
  await picture(page, 'feed-1440-light-test');
  // A request that arrives after the deletion would be answered with 404.
  await page.getByText('No comments yet.').waitFor();
  await page.getByText('so a reply can’t reach them').filter({ visible: true }).waitFor();
  await page.getByRole('button', { name: 'Delete test' }).click();
  await page.getByText('Test deleted.').first().waitFor();
  await rows(page).first().getByText('Till', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Placement').selectOption('Terrace');
  await page.getByText('Placement: Terrace').waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main a[id^=EXPERIENCE]')].every((row) => row.textContent?.includes('Terrace')),
  );
  expect(new URL(page.url()).searchParams.get('tool')).toBe('TOOL_PierTerr02');
});

it('composes a snippet for a website and a mail, and lists it with its answers', async () => {
  const { page } = team;
  await page.setViewportSize(DESKTOP);
  await page.goto('/properties/airport-kiosk/configuration?tab=share');
  await page.getByText('Not on your website yet.').waitFor();
  await page.getByRole('button', { name: 'Add to your website' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to your website' });
  await dialog.frameLocator('iframe').getByRole('radio', { name: 'Great' }).waitFor();
  await expectGoodLooks(page, 'embed-new');
  await dialog.getByLabel('Name of the placement').fill('Order page');
  await dialog.getByRole('button', { name: 'Get the snippet' }).click();
  await dialog.getByRole('button', { name: 'Copy the snippet' }).waitFor();
  const [{ id } = { id: '' }] = await journey.app.stored<{ id: string }>(`select id from tool where display_name = 'Order page'`);
  const form = `${journey.address}/feedback/${airport.data.formId}`;
  const snippet = dialog.getByRole('region', { name: 'Snippet' }).locator('pre');
  const at = `at=${id.slice('TOOL_'.length)}`;
  expect(await snippet.textContent()).toBe(
    `<a href="${form}?${at}" data-afterword="inline">How was your visit?</a>\n<script async src="${journey.address}/embed.js"></script>`,
  );
  await expectGoodLooks(page, 'embed-inline');

  await dialog.getByText('Button', { exact: true }).click();
  await dialog.getByLabel('Language').selectOption('German');
  expect(await dialog.getByLabel('Link text').inputValue()).toBe('Wie war Ihr Besuch?');
  await dialog.getByLabel('Link text').fill('Bewerten & fertig');
  await dialog.getByRole('button', { name: 'Bewerten & fertig' }).click();
  await dialog.frameLocator('iframe').getByRole('radio', { name: 'Super' }).waitFor();
  await expectGoodLooks(page, 'embed-button');
  await dialog.getByRole('button', { name: 'Close the preview' }).click();
  expect(await snippet.textContent()).toContain(`<a href="${form}?${at}&amp;lang=de" data-afterword="button">Bewerten &amp; fertig</a>`);

  await dialog.getByText('Email', { exact: true }).click();
  await expectGoodLooks(page, 'embed-mail');
  expect(await snippet.textContent()).toContain(`<a href="${form}?rating=5&amp;${at}&amp;lang=de"`);
  await dialog.getByText('Plain text', { exact: true }).click();
  expect(await snippet.textContent()).toContain(`: ${form}?rating=5&${at}&lang=de`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy the snippet' }).click();
  await dialog.getByText('Copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await snippet.textContent());
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'On your website and in emails' }).getByText('Order page').waitFor();

  await page.getByRole('button', { name: 'Order page, show its snippet' }).click();
  await page.getByRole('dialog', { name: 'Snippet for Order page' }).getByRole('button', { name: 'Copy the snippet' }).waitFor();
  await page.keyboard.press('Escape');
  await expectGoodLooks(page, 'embed-list');
  await chooseTheme(page, 'light');
});

it('shows the secret that signs a receipt’s link, and the order number of its answer', async () => {
  const { page } = team;
  await page.goto(SHARE);
  const receipts = page.getByRole('region', { name: 'Receipts' });
  const { formId } = pier.data;
  await receipts.getByText(`${journey.address}/feedback/${formId}?ref=ORDER.SIGNATURE`).waitFor();
  await receipts.getByRole('link', { name: 'How it works' }).click();
  await page.getByRole('heading', { name: 'Order numbers on receipts' }).waitFor();
  await page.goBack();
  await receipts.getByRole('button', { name: 'Show secret' }).click();
  await receipts.getByRole('button', { name: 'Copy secret' }).waitFor();
  const former = (await receipts.locator('code').textContent()) ?? '';
  await expectGoodLooks(page, 'receipts');
  await chooseTheme(page, 'light');
  await receipts.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create new secret' }).click();
  await page.getByText('New secret created.').first().waitFor();
  const secret = (await receipts.locator('code').textContent()) ?? '';
  expect(secret).not.toBe(former);

  const signature = createHmac('sha256', secret).update(`${formId}:2026-1042`).digest('base64url').slice(0, 16);
  const visitor = await journey.visit();
  await visitor.page.goto(`/feedback/${formId}?ref=2026-1042.${signature}&lang=de`);
  await visitor.page.locator('.languages summary').click();
  await visitor.page.getByRole('link', { name: 'English' }).click();
  await visitor.page.getByRole('radio', { name: 'Bad' }).click();
  await visitor.page.getByText('Thanks, that’s saved.').waitFor();
  await visitor.close();
  await page.goto(`/?property=${pier.id}`);
  await rows(page).first().click();
  await page.getByText('Order number').waitFor();
  await page.getByText('2026-1042', { exact: true }).waitFor();
});

it('lets a new business test its form, and removes each completed task', async () => {
  const { page } = team;
  await journey.app.stored(`
    delete from feedback; delete from feedback_tally; delete from feedback_day; update account set created = now(); update "user" set level = 'user' where id <> '${dana.id}'`);
  await page.goto('/');
  await page.getByRole('heading', { name: 'No feedback yet.' }).waitFor();
  const tasks = page.getByRole('navigation', { name: 'Next steps' });
  await expect
    .poll(() => tasks.getByRole('link').allTextContents())
    .toEqual(['Try the form yourself', 'Print the code and put it where visitors pay']);
  await page.getByRole('button', { name: 'Send the link to my phone' }).click();
  await page.getByText(`The link is on its way to ${dana.data.emailAddress}.`).first().waitFor();
  const code = await page.getByRole('img', { name: /^QR code to try the form of/ }).screenshot();
  const address = (await readCode(code)) ?? '';
  expect(address).toMatch(/\/feedback\/FORM_\w{6}\?test=1$/);
  expect(await journey.app.mailTo(dana.data.emailAddress, '?test=1')).toContain('The link to your form');
  expect(await print(page, 'Print the poster')).toMatchObject({ title: 'airport-kiosk-poster', sizes: ['216 × 279'] });
  await picture(page, 'first-use-1440-light');
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: /dark/i }).click();
  await expectAccessible(page);
  await picture(page, 'first-use-375-dark');

  const visitor = await journey.visit();
  await visitor.page.goto(address);
  await visitor.page.getByRole('radio', { name: 'Great' }).click();
  await visitor.page.close();
  await rows(page).first().getByText('Test', { exact: true }).waitFor();
  // Closing the session also aborts pending requests.
  await visitor.close();
  await page.getByRole('button', { name: '1 step left' }).click();
  await expect.poll(() => tasks.getByRole('link').allTextContents()).toEqual(['Print the code and put it where visitors pay']);
  await page.keyboard.press('Escape');
  await journey.app.call('feedback', 'save', submission({ rating: 5, text: 'So kind.' }));
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByText('Your first answer.').waitFor();
  expect(await page.getByRole('button', { name: /steps? left/ }).count()).toBe(0);
  await picture(page, 'first-test-375-dark');
  await page.goto(SHARE);
  await page.getByRole('button', { name: 'Till, show its code' }).waitFor();
  await expectAccessible(page);
  await picture(page, 'share-375-dark');
});

it('gives staff members a code, and shows no average of a few ratings', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/properties/old-town/configuration?tab=share');
  await signIn(page);
  const card = page.getByRole('region', { name: 'Staff' });
  await card.getByRole('button', { name: 'Add staff member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add staff member' });
  await dialog.getByLabel('Name').fill('Zoë');
  await dialog.getByRole('button', { name: 'Add staff member' }).click();
  await card.getByRole('button', { name: 'Zoë, show its code' }).waitFor();
  const [{ at } = { at: '' }] = await journey.app.stored<{ at: string }>(
    `select substr(id, 6) as at from tool where tool_type = 'staff' and display_name = 'Zoë'`,
  );
  const row = card.getByRole('listitem').filter({ hasText: 'Zoë' });
  for (let count = 1; count <= 20; count += 1) {
    const { idempotencyKey, payload } = submission({ rating: 5 }, { form: formOf(oldTown) });
    await journey.app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, at } } });
    if (count < 19) continue;
    await page.reload();
    await row.getByText(`${count} answers`).waitFor();
    await row.getByText(count === 20 ? '5.0 average' : '– average').waitFor();
  }
  await expectGoodLooks(page, 'staff');

  await page.goto('/properties/old-town/overview?range=all');
  const comparison = page.getByRole('region', { name: 'Staff members compared' });
  await expect.poll(() => comparison.textContent()).toMatch(/1\.Zoë/);
  await comparison.scrollIntoViewIfNeeded();
  await expectGoodLooks(page, 'staff-compared');
  await close();
});
