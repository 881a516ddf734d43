import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { heading, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, picture, visitUnhydrated } from '../support/journey.ts';
import { EACH_LOOK } from '../support/looks.ts';

/* The prerendered sign-in page before React hydrates it. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password', { exact: true });

describe('before the scripts load', () => {
  it.each(EACH_LOOK)('paints the same page on a %s as after hydration', async (_device, viewport, theme) => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/urgent', { viewport, theme });
    await email(page).waitFor();
    await expectAccessible(page);
    await picture(page, `sign-in-ahead-${viewport.width}-${theme}`);
    const before = await page.screenshot();
    const field = await email(page).elementHandle();
    await hydrate();
    expect(await field?.evaluate(({ isConnected }) => isConnected)).toBe(true);
    await page.waitForLoadState('networkidle');
    await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(true);
    await close();
  });

  it.each(EACH_LOOK)('reports on a %s that the script failed to load', async (_device, viewport, theme) => {
    const { page, close } = await journey.visit({ viewport, theme, expected: /Failed to load|ERR_FAILED/ });
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.goto('/urgent');
    await page.getByRole('alert').getByText('This page didn’t load.').waitFor();
    await expectAccessible(page);
    await picture(page, `sign-in-unloaded-${viewport.width}-${theme}`);
    await page.unroute('**/assets/index-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    // The form of the previous document would be filled in until the next one is there.
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await email(page).fill(dana.data.emailAddress);
    await password(page).fill(SAMPLE_PASSWORD);
    // Enabled once the page is hydrated.
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'Urgent').waitFor();
    await close();
  });

  it('signs in once it is hydrated if Enter was pressed before', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/urgent');
    await email(page).fill(dana.data.emailAddress);
    await email(page).press('Enter');
    await password(page).fill(SAMPLE_PASSWORD);
    await password(page).press('Enter');
    await hydrate();
    await heading(page, 'Urgent').waitFor();
    await close();
  });

  it('keeps what was typed out of the address, and signs in with it', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/urgent');
    await email(page).fill(dana.data.emailAddress.toUpperCase());
    await password(page).fill(SAMPLE_PASSWORD);
    await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());
    await hydrate();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Urgent').waitFor();
    await close();
  });

  it('keeps the focus and the text of a person who is typing', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/');
    await email(page).fill('dana@');
    await password(page).click();
    await page.keyboard.type('abc');
    await hydrate();
    await page.keyboard.type('d');
    expect(await email(page).inputValue()).toBe('dana@');
    expect(await password(page).inputValue()).toBe('abcd');
    await close();
  });

  it('doesn’t appear before an emailed link’s page, the sign-up or a team’s page', async () => {
    const { page, hydrate, close } = await visitUnhydrated(journey, '/#reset=123456&email=dana@pier.test');
    expect(await email(page).isVisible()).toBe(false);
    await hydrate();
    await heading(page, 'New password').waitFor();
    await close();
    const signUp = await visitUnhydrated(journey, '/signup');
    expect(await email(signUp.page).first().isVisible()).toBe(false);
    await signUp.page.evaluate(() => localStorage.setItem('CognitoIdentityServiceProvider.x', ''));
    await signUp.page.goto('/', { waitUntil: 'commit' });
    await signUp.page.locator('[aria-busy=true]').waitFor();
    expect(await email(signUp.page).isVisible()).toBe(false);
    await signUp.close();
  });
});

it('a security email links to a button that locks the account and ends every session', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /40[01]/ });
  await page.goto('/profile');
  await signIn(page, sam.data.emailAddress);
  await heading(page, 'Profile').waitFor();
  const AccessToken = await journey.app.signIn(sam.data.emailAddress);
  await journey.app.pool('ChangePassword', { AccessToken, PreviousPassword: SAMPLE_PASSWORD, ProposedPassword: 'another long harbor' });
  const [link = ''] = /\/#not-me=[\w-]+/.exec(await journey.app.mailTo(sam.data.emailAddress, '#not-me=')) ?? [];
  const owner = await journey.visit({ expected: /404/ });
  await owner.page.goto(link);
  await heading(owner.page, 'Lock your account?').waitFor();
  await expectAccessible(owner.page);
  await picture(owner.page, 'not-me');
  await owner.page.getByRole('button', { name: 'Lock my account' }).click();
  await heading(owner.page, 'Your account is locked').waitFor();
  await picture(owner.page, 'not-me-locked');
  await owner.page.reload();
  await owner.page.getByRole('button', { name: 'Lock my account' }).click();
  await heading(owner.page, 'This link is no longer valid').waitFor();
  await owner.close();
  await page.reload();
  await heading(page, 'Sign in').waitFor();
  await signIn(page, sam.data.emailAddress, 'another long harbor');
  await heading(page, 'New password').waitFor();
  await close();
});
