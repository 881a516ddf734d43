import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { button, anyHeading as heading, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, picture } from '../support/journey.ts';

/* Two-step sign-in from setup to a lost phone, with the password prompts in between. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

const QUARTER = 16 * 60_000;

/** Makes the sign-in too old for sensitive changes, on the server and in the page. */
async function ageSignIn(page: Page): Promise<void> {
  journey.app.advance(QUARTER);
  await page.clock.fastForward(QUARTER);
}

describe('two-step sign-in', () => {
  const shot = (page: Page, name: string) => picture(page, `factor-375-light-${name}`);

  it('is set up with the password, survives a lost phone through a backup code, and is turned off', async () => {
    const { page, close } = await journey.visit({ theme: 'light', expected: /400|403|404/ });
    await page.clock.install({ time: journey.app.app.platform.now() });
    await page.clock.resume();
    await page.goto('/profile');
    await signIn(page, sam.data.emailAddress);
    await heading(page, 'Profile').waitFor();
    await shot(page, 'profile');
    await ageSignIn(page);
    await page.reload();
    await page.getByText('Off. Your password alone signs you in.').waitFor();
    // Loading the page moves no focus.
    expect(await focused(page)).toBe('BODY');
    await button(page, 'Set up').click();
    const form = page.getByRole('form', { name: 'Set up two-step sign-in' });
    await form.getByText('For your safety, enter your password to set up two-step sign-in.').waitFor();
    expect(await focused(page)).toBe('INPUT');
    await form.getByLabel('Your password', { exact: true }).fill('not the password');
    await button(page, 'Continue').click();
    await form.getByText('That isn’t your current password.').waitFor();
    await expectAccessible(page);
    await shot(page, 'password-again');
    await form.getByLabel('Your password', { exact: true }).fill(SAMPLE_PASSWORD);
    await button(page, 'Continue').click();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await shot(page, 'scan');
    expect(await focused(page)).toBe('INPUT');
    await page.getByLabel('Code from your app').fill(oneTimePassword(secret, journey.app.app.platform));
    await button(page, 'Turn on').click();
    await heading(page, 'Your backup codes').waitFor();
    await expectAccessible(page);
    await shot(page, 'codes');
    const codes = await page.locator('ol code').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await button(page, 'Done').isDisabled()).toBe(true);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('afterword-backup-codes.txt');
    await page.getByLabel('I’ve saved these codes').check();
    await button(page, 'Done').click();
    await page.getByText('Backup codes: 10 of 10 left.').waitFor();
    expect(await focused(page)).toBe('BUTTON');
    await shot(page, 'on');

    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await signIn(page, sam.data.emailAddress);
    await button(page, 'Lost your phone? Use a backup code').click();
    await heading(page, 'Use a backup code').waitFor();
    await page.getByLabel('Backup code').fill('AAAAA-AAAAA');
    await page.locator('form button[type=submit]').click();
    await page.getByText('That backup code isn’t right or was already used.').waitFor();
    await expectAccessible(page);
    await shot(page, 'lost-phone');
    await page.getByLabel('Backup code').fill(codes[0]?.toLowerCase() ?? '');
    await page.locator('form button[type=submit]').click();
    await heading(page, 'All feedback').waitFor();
    await journey.app.mailTo(sam.data.emailAddress, '9 codes are left');

    await page.goto('/profile');
    await page.getByText('Backup codes: 9 of 10 left.').waitFor();
    await ageSignIn(page);
    await page.reload();
    await button(page, 'Turn off').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill(SAMPLE_PASSWORD);
    await dialog.getByLabel('Code from your app, or a backup code').fill(codes[1] ?? '');
    await expectAccessible(page);
    await shot(page, 'turn-off');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Off. Your password alone signs you in.').waitFor();
    await close();
  });

  it('asks for the password when the email changes, and keeps the code step after a reload', async () => {
    const { page, close } = await journey.visit({ theme: 'light', expected: /400|403/ });
    await page.clock.install({ time: journey.app.app.platform.now() });
    await page.clock.resume();
    await page.goto('/profile');
    await signIn(page, sam.data.emailAddress);
    await heading(page, 'Profile').waitFor();
    // Only the server's clock moves, so the page still takes the sign-in as recent.
    journey.app.advance(QUARTER);
    await button(page, 'Change email').click();
    expect(await focused(page)).toBe('INPUT');
    await page.getByLabel('New email').fill('new@harbor.test');
    await button(page, 'Send code').click();
    const form = page.getByRole('form', { name: 'Change email' });
    await form.getByText('For your safety, enter your password to change your email.').waitFor();
    await form.getByLabel('Your password', { exact: true }).fill(SAMPLE_PASSWORD);
    await shot(page, 'email');
    await button(page, 'Send code').click();
    await page.getByText(`We emailed a code to new@harbor.test.`).waitFor();
    await page.reload();
    await page.getByText(`We emailed a code to new@harbor.test.`).waitFor();
    await button(page, 'Cancel').click();
    expect(await focused(page)).toBe('BUTTON');
    await page.reload();
    await button(page, 'Change email').waitFor();
    await close();
  });
});

describe('an admin', () => {
  it('resets a teammate’s two-step sign-in', async () => {
    const { app } = journey;
    const AccessToken = await app.signIn(sam.data.emailAddress);
    const { SecretCode } = (await app.pool('AssociateSoftwareToken', { AccessToken })).body;
    await app.pool('VerifySoftwareToken', { AccessToken, UserCode: oneTimePassword(SecretCode, app.app.platform) });
    await app.pool('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } });
    const { page, close } = await journey.visit({ viewport: DESKTOP, theme: 'dark' });
    await page.goto(`/account/user-management?panel=user&user=${sam.id}`);
    await signIn(page, dana.data.emailAddress);
    const panel = page.getByRole('dialog', { name: 'User' });
    await panel.getByRole('button', { name: 'Reset two-step sign-in' }).click();
    const dialog = page.getByRole('dialog', { name: `Reset two-step sign-in for ${sam.data.displayName}?` });
    await dialog.waitFor();
    await expectAccessible(page);
    await picture(page, 'factor-1440-dark-reset');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await panel.isVisible()).toBe(true);
    await panel.getByRole('button', { name: 'Reset two-step sign-in' }).click();
    await dialog.getByRole('button', { name: 'Reset two-step sign-in' }).click();
    await page.getByText(`${sam.data.displayName} now signs in with just a password.`).waitFor();
    await picture(page, 'factor-1440-dark-panel');
    await app.mailTo(sam.data.emailAddress, `Done by: ${dana.data.displayName}`);
    expect((await app.call('user', 'get', { userId: sam.id }, AccessToken)).status).toBe(401);
    await close();
  });
});
