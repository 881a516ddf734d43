import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { button, hasFocus, anyHeading as heading, newAddress, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture, type VisitOptions } from '../support/journey.ts';

/* Teammates in separate browsers: who joins, who leaves, and what each of them sees. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function enter(email: string, at: string, options: VisitOptions = {}) {
  const visit = await journey.visit({ viewport: DESKTOP, ...options });
  await visit.page.goto(at);
  await signIn(visit.page, email);
  await visit.page.locator('main h1').filter({ hasNotText: 'Sign in' }).waitFor();
  return visit;
}

const ENDED = { expected: /400|401/ };

describe('a person who is signed out', () => {
  it('sees that it happened on another device until they type, and returns to the page', async () => {
    const { page, close } = await enter(sam.data.emailAddress, '/urgent', ENDED);
    const elsewhere = await enter(sam.data.emailAddress, '/profile', { viewport: PHONE });
    await elsewhere.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const confirm = elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' });
    await confirm.click();
    const notice = page.getByText('You were signed out on another device.');
    await notice.waitFor();
    await expectAccessible(page);
    await picture(page, 'signed-out-1440');
    expect(new URL(page.url()).pathname).toBe('/urgent');
    await page.getByLabel('Email').fill('s');
    expect(await notice.count()).toBe(0);
    await signIn(page, sam.data.emailAddress);
    await heading(page, 'Urgent').waitFor();
    // The person who signed out everywhere sees no notice.
    await heading(elsewhere.page, 'Sign in').waitFor();
    expect(await elsewhere.page.getByText('another device').count()).toBe(0);
    await elsewhere.close();
    await close();
  });

  it('sees that they were removed, and an admin’s other browser shows it', async () => {
    const email = await addTeammate('Jo Bloom');
    const { page, close } = await enter(email, '/properties', ENDED);
    const admin = await enter(dana.data.emailAddress, '/account/user-management');
    const watching = await enter(dana.data.emailAddress, '/account/user-management');
    await row(watching.page, 'Jo Bloom').waitFor();
    await row(admin.page, 'Jo Bloom').getByRole('button').first().click();
    await button(admin.page, 'Remove user').click();
    await admin.page.getByRole('dialog', { name: 'Remove Jo Bloom?' }).getByRole('button', { name: 'Remove user' }).click();
    await page.getByText('You’re no longer on this team.').waitFor();
    await expect.poll(() => row(watching.page, 'Jo Bloom').count()).toBe(0);
    await Promise.all([watching.close(), admin.close(), close()]);
  });
});

/** Invites a teammate who joins at once, and returns their email address. */
async function addTeammate(displayName: string): Promise<string> {
  const email = newAddress();
  const token = await journey.app.signIn();
  await journey.app.call('user', 'generate', { payload: { data: { displayName, emailAddress: email, level: 'user' } } }, token);
  const [, key = ''] = /#invite=([\w-]+)/.exec(await journey.app.mailTo(email, 'Harbor Coffee')) ?? [];
  await journey.app.call('user', 'accept', { key, password: SAMPLE_PASSWORD });
  return email;
}

describe('a level', () => {
  it('applies to a teammate’s open pages without signing them out', async () => {
    const email = await addTeammate('Lee Park');
    const { page, close } = await enter(email, '/account/administration');
    await page.getByText('Only admins can open this page').waitFor();
    const admin = await enter(dana.data.emailAddress, '/account/user-management');
    const open = () => row(admin.page, 'Lee Park').getByRole('button').first().click();
    await open();
    const bottom = async (part: Locator) => (await part.boundingBox().then((box) => box && Math.round(box.y + box.height))) ?? 0;
    await expect
      .poll(async () => (await bottom(button(admin.page, 'Save level'))) - (await bottom(admin.page.getByLabel('Level'))))
      .toBe(0);
    await admin.page.getByLabel('Level').selectOption('admin');
    await button(admin.page, 'Save level').click();
    await heading(page, 'Administration').waitFor();
    await expect.poll(() => hasFocus(button(admin.page, 'Save level'))).toBe(true);
    await expect.poll(() => page.getByText('Only admins can open this page').count()).toBe(0);
    await admin.page.getByLabel('Level').selectOption('user');
    await button(admin.page, 'Save level').click();
    await page.getByText('Only admins can open this page').waitFor();
    await Promise.all([admin.close(), close()]);
  });
});

describe('an invitation', () => {
  let email: string;
  let link: string;
  let token: string;
  beforeEach(async () => {
    email = newAddress();
    token = await journey.app.signIn();
    await journey.app.call(
      'user',
      'generate',
      { payload: { data: { displayName: 'Kim Park', emailAddress: email, level: 'user' } } },
      token,
    );
    [link = ''] = /\/#invite=[\w-]+/.exec(await journey.app.mailTo(email, 'Harbor Coffee')) ?? [];
  });

  it('says who invites to which team, and recovers from a lost response', async () => {
    const admin = await enter(dana.data.emailAddress, '/account/user-management');
    const invitation = () => admin.page.getByRole('listitem').filter({ hasText: email });
    await invitation().getByText('Invited').waitFor();
    const { page, close } = await journey.visit({ viewport: DESKTOP, theme: 'dark', expected: /ERR_FAILED/ });
    await page.goto(link);
    await heading(page, 'Join Harbor Coffee').waitFor();
    await page.getByText(`${dana.data.displayName} invited you to Harbor Coffee. You’ll sign in as ${email}.`).waitFor();
    await expectAccessible(page);
    await picture(page, 'join-1440-dark');
    // The server creates the user, but its response is lost.
    await page.route('**/api/data', async (route) => {
      if (!route.request().postData()?.includes('"accept"')) return route.continue();
      await route.fetch();
      await route.abort();
      await page.unroute('**/api/data');
    });
    await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
    await button(page, 'Join').click();
    await page.getByText('We can’t reach the server.').waitFor();
    await button(page, 'Join').click();
    await heading(page, 'All feedback').waitFor();
    await expect.poll(() => invitation().getByText('Invited').count()).toBe(0);
    await Promise.all([admin.close(), close()]);
  });

  it('that has been used says so before a password is typed', async () => {
    const [, key = ''] = link.split('=');
    await journey.app.call('user', 'accept', { key, password: SAMPLE_PASSWORD });
    for (const viewport of [PHONE, DESKTOP]) {
      const { page, close } = await journey.visit({ viewport, expected: /404/ });
      await page.goto(link);
      await heading(page, 'This invitation is no longer valid').waitFor();
      expect(await page.getByLabel('Password').count()).toBe(0);
      await expectAccessible(page);
      await picture(page, `join-over-${viewport.width}`);
      await button(page, 'Sign in').click();
      await heading(page, 'Sign in').waitFor();
      await close();
    }
  });
});

describe('signing in', () => {
  it.each([
    [PHONE, 'light'],
    [DESKTOP, 'dark'],
  ] as const)('says what the product is, and links to the demo (%o, %s)', async (viewport, theme) => {
    const { page, close } = await journey.visit({ viewport, theme });
    await page.goto('/');
    await page.getByText('Afterword collects feedback from the people who visit you').waitFor();
    const mark = () => page.locator('main > div').first().boundingBox();
    const before = await mark();
    await expectAccessible(page);
    await picture(page, `sign-in-${viewport.width}-${theme}`);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await heading(page, 'Create An Account').waitFor();
    expect(await mark()).toEqual(before);
    await picture(page, `sign-up-${viewport.width}-${theme}`);
    await page.goBack();
    await page.getByRole('link', { name: 'What is Afterword?' }).click();
    await page.waitForURL('**/about');
    await page.goBack();
    await page.getByRole('link', { name: 'Try the demo' }).click();
    await page.waitForURL('**/demo');
    await close();
  });

  it('emails one code when the password has to be reset', async () => {
    const email = await addTeammate('Rae Stone');
    await journey.app.stored("update identity_user set status = 'RESET_REQUIRED' where email = $1", [email]);
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/properties');
    await signIn(page, email);
    await heading(page, 'New password').waitFor();
    await picture(page, 'reset-required-375');
    const [, code = ''] = /\b(\d{6})\b/.exec(await journey.app.mailTo(email, '#reset=')) ?? [];
    await page.reload();
    await heading(page, 'New password').waitFor();
    await page.getByLabel('Reset code').fill(code);
    await page.getByLabel('New password', { exact: true }).fill('a brand new harbor');
    await button(page, 'Reset Password').click();
    await heading(page, 'Sign in').waitFor();
    await signIn(page, email, 'a brand new harbor');
    await heading(page, 'Properties').waitFor();
    await close();
  });

  it('says what to do after too many attempts', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/');
    // The first lock lasts one second and each next one twice as long, so a slow machine misses the first.
    const locked = page.getByText('Wait a minute, or reset your password.');
    for (let guess = 0; guess < 12 && !(await locked.isVisible()); guess += 1) {
      await signIn(page, email, `not the password ${guess}`);
      await page.getByText(/Incorrect email or password|Password attempts exceeded/).waitFor();
    }
    await locked.waitFor();
    // The button is disabled until a field changes, but keeps the focus.
    expect(await hasFocus(button(page, 'Sign in'))).toBe(true);
    expect(await button(page, 'Sign in').isDisabled()).toBe(true);
    await expectAccessible(page);
    await picture(page, 'locked-375');
    await button(page, 'reset your password').click();
    await button(page, 'Continue').click();
    await heading(page, 'New password').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await button(page, 'Forgot password').click();
    await button(page, 'Continue').click();
    await page.getByText('Attempt limit exceeded, please try after some time.').waitFor();
    await page.getByText('You can ask for a new code every 30 seconds, and five times an hour.').waitFor();
    await expectAccessible(page);
    await picture(page, 'limit-375');
    await close();
  });
});
