import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sam } from '#fixtures/business.ts';
import { chooseFromListMenu, holdCalls, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* Exports of a list and of the whole account. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

async function downloadFile(page: Page): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download afterword-/ }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: (await readFile(await file.path())).toString() };
}

describe('an export', () => {
  it('of a list includes contacts for an admin and can be deleted, and the whole account exports, too', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/?range=all&rating=1');
    await signIn(page);
    await rows(page).first().waitFor();
    const count = await rows(page).count();
    await chooseFromListMenu(page, `Export ${count} rows`);
    const dialog = page.getByRole('dialog', { name: 'Export feedback' });
    await dialog.getByRole('radio', { name: 'CSV' }).check();
    await dialog.getByRole('button', { name: `Export ${count} rows` }).click();
    await dialog.getByText(`${count} rows, until`).waitFor();
    const { name, text } = await downloadFile(page);
    expect(name).toMatch(/^afterword-feedback-\d{4}-\d\d-\d\d\.csv$/);
    expect(text.split('\r\n')).toHaveLength(count + 2);
    expect(text).toContain('"Contact phone"');
    await expectAccessible(page);
    await picture(page, 'export-1440');
    await dialog.getByRole('button', { name: /^Delete afterword-/ }).click();
    await expect.poll(() => dialog.getByRole('heading', { name: 'Your files' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Harbor Coffee, account' }).click();
    const panel = page.getByRole('dialog', { name: 'Account' });
    await panel.getByRole('link', { name: 'Open administration' }).click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Export everything first' }).click();
    const archive = await downloadFile(page);
    expect(archive.name).toMatch(/^afterword-account-\d{4}-\d\d-\d\d\.zip$/);
    expect(archive.text).toContain('feedback.jsonl');
    await expectAccessible(page);
    await picture(page, 'administration-1440');
    await close();
  });

  it('starts from the menu on a phone, leaves out contacts for a member, and reports when it is ready', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE });
    await page.goto('/urgent');
    await signIn(page, sam.data.emailAddress);
    await rows(page).first().waitFor();
    await chooseFromListMenu(page, /^Export \d+ rows$/);
    const dialog = page.getByRole('dialog', { name: 'Export feedback' });
    await dialog.getByText('Only admins can export them').waitFor();
    await dialog.getByRole('radio', { name: 'CSV' }).check();
    const submit = dialog.getByRole('button', { name: /^Export \d+ rows$/ });
    const count = Number.parseInt((await submit.innerText()).replace('Export ', ''), 10);
    const release = await holdCalls(page, '"service":"export","action":"list"');
    await submit.click();
    await page.goBack();
    // It may be ready before its progress was ever fetched.
    await expect.poll(() => journey.app.stored('select status from export where user_id = $1', [sam.id])).toEqual([{ status: 'done' }]);
    release();
    await page.getByRole('button', { name: 'Show' }).click();
    await expectAccessible(page);
    await picture(page, 'export-375');
    const { text } = await downloadFile(page);
    expect(text.split('\r\n')).toHaveLength(count + 2);
    expect(text).not.toContain('Contact');
    await close();
  });
});
