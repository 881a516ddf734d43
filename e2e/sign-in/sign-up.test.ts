import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { button, anyHeading as heading, newAddress, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

interface AccountFields {
  readonly company?: string;
  readonly password?: string;
}

async function createAccount(
  page: Page,
  email: string,
  { company = 'New Shop', password = SAMPLE_PASSWORD }: AccountFields = {},
): Promise<void> {
  await page.goto('/signup');
  await heading(page, 'Create An Account').waitFor();
  await page.getByLabel('Company name').fill(company);
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel(/I accept the Terms/).check();
  await button(page, 'Create account').click();
  await heading(page, 'Verify your email').waitFor();
}

/** Returns the code and the link in the sign-up email of a company. */
async function verificationMail(email: string, company = 'New Shop'): Promise<{ code: string; link: string }> {
  const mail = await journey.app.mailTo(email, `Company: ${company}`);
  return { code: /\b(\d{6})\b/.exec(mail)?.[1] ?? '', link: /\/signup#verify=[^\s\]]+/.exec(mail)?.[0] ?? '' };
}

async function verify(page: Page, code: string): Promise<void> {
  await page.getByLabel('Verification code').fill(code);
  await button(page, 'Verify Email').click();
}

describe('the emailed link', () => {
  it('confirms on another device, and the waiting page continues automatically', async () => {
    const shot = (name: string) => `${name}-375-light`;
    const email = newAddress();
    const waiting = await journey.visit({ theme: 'light', expected: /400/ });
    await createAccount(waiting.page, email);
    await expectAccessible(waiting.page);
    await picture(waiting.page, shot('verify'));
    const { link } = await verificationMail(email);

    // A mail scanner that only fetches the page must not confirm the address.
    expect((await fetch(`${journey.address}${link}`)).status).toBe(200);
    expect(await journey.app.stored('select status from identity_user where email = $1', [email])).toEqual([{ status: 'UNCONFIRMED' }]);

    const phone = await journey.visit({ theme: 'light', expected: /400|localStorage/ });
    await phone.page.goto(link);
    await heading(phone.page, 'Your email is confirmed').waitFor();
    expect(phone.page.url()).not.toContain('verify=');
    await expectAccessible(phone.page);
    await picture(phone.page, shot('confirmed'));
    await heading(waiting.page, 'Monthly Or Annual').waitFor();

    await button(phone.page, 'Sign in').click();
    await phone.page.getByText('Email confirmed. Sign in to continue.').waitFor();
    expect(await phone.page.getByLabel('Email').inputValue()).toBe(email);
    await expectAccessible(phone.page);
    await picture(phone.page, shot('sign-in-confirmed'));
    await phone.page.goto('about:blank');
    await phone.page.goto(link.replace(/verify=[\w-]{4}/, 'verify=AAAA'));
    await heading(phone.page, 'Your email is not confirmed').waitFor();
    await expectAccessible(phone.page);
    await picture(phone.page, shot('not-confirmed'));
    await phone.close();
    await waiting.close();
  });
});

describe('signing up again with the same address', () => {
  it('requires the newer code, and the earlier page never signs anyone in', async () => {
    const email = newAddress();
    const first = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(first.page, email, { company: 'Old Shop', password: 'a stranger of the shop' });
    const before = await verificationMail(email, 'Old Shop');
    const second = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await createAccount(second.page, email);
    const after = await verificationMail(email);
    await verify(second.page, before.code);
    await second.page.getByText('A newer code was sent. Please use the one from the newest email.').waitFor();
    await picture(second.page, 'newer-code-1440');
    await verify(first.page, after.code);
    await first.page.getByText('Invalid verification code provided, please try again.').waitFor();
    await verify(second.page, after.code);
    await heading(second.page, 'Monthly Or Annual').waitFor();
    await second.page.getByText(`Signed in as ${email}`).waitFor();
    await first.page.goto('/');
    await signIn(first.page, email, 'a stranger of the shop');
    await first.page.getByText('Incorrect email or password.').waitFor();
    await first.close();
    await second.close();
  });

  it('keeps the step after a reload and in another tab, and the other fields when the address changes', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    await page.reload();
    await page.getByText(`We emailed a code to ${email}`).waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/signup');
    await tab.getByText(`We emailed a code to ${email}`).waitFor();
    await tab.close();
    // After a reload the page has lost the password but not the address, so it asks for the password only.
    await verify(page, (await verificationMail(email)).code);
    await page.getByText('Email confirmed. Sign in to continue.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await close();

    const second = await journey.visit({ viewport: PHONE });
    await createAccount(second.page, newAddress());
    await button(second.page, 'Use another email address').click();
    await heading(second.page, 'Create An Account').waitFor();
    const values = await Promise.all(
      ['Company name', 'Your name', 'Email address'].map((label) => second.page.getByLabel(label).inputValue()),
    );
    expect(values).toEqual(['New Shop', 'Ann Lee', '']);
    expect(await second.page.getByLabel('Password', { exact: true }).inputValue()).toBe(SAMPLE_PASSWORD);
    await second.close();
  });
});

describe('signing in before the address is confirmed', () => {
  it('verifies and signs in without the password again', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await createAccount(page, email);
    const visit = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await visit.page.goto('/');
    await signIn(visit.page, email);
    await heading(visit.page, 'Verify your email').waitFor();
    await verify(visit.page, (await verificationMail(email)).code);
    await heading(visit.page, 'Monthly Or Annual').waitFor();
    await heading(page, 'Monthly Or Annual').waitFor();
    await visit.close();
    await close();
  });

  it('stays at the step after a reload, and asks for the password with the code', async () => {
    const email = newAddress();
    const signingUp = await journey.visit({ viewport: DESKTOP });
    await createAccount(signingUp.page, email);
    await signingUp.close();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/');
    await signIn(page, email);
    await heading(page, 'Verify your email').waitFor();
    await page.reload();
    await heading(page, 'Verify your email').waitFor();
    await expectAccessible(page);
    await picture(page, 'verify-with-password-375');
    await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
    await verify(page, (await verificationMail(email)).code);
    await heading(page, 'Monthly Or Annual').waitFor();
    await close();
  });
});

describe('Back', () => {
  it('returns to the previous step of signing up, and of resetting a password', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    await verify(page, (await verificationMail(email)).code);
    await heading(page, 'Monthly Or Annual').waitFor();
    await button(page, 'Choose plan').click();
    await heading(page, 'Review Your Plan').waitFor();
    await button(page, 'Sign up').click();
    await heading(page, 'Get Started').waitFor();
    await page.goBack();
    await heading(page, 'Review Your Plan').waitFor();
    await page.goBack();
    await heading(page, 'Monthly Or Annual').waitFor();
    await page.reload();
    await heading(page, 'Monthly Or Annual').waitFor();
    await button(page, 'Choose plan').click();
    await heading(page, 'Review Your Plan').waitFor();
    await button(page, 'Sign up').click();
    await heading(page, 'Get Started').waitFor();
    await close();

    const visit = await journey.visit({ viewport: PHONE });
    await visit.page.goto('/urgent');
    await visit.page.getByLabel('Email').fill(email);
    await button(visit.page, 'Forgot password').click();
    await heading(visit.page, 'Forgot password?').waitFor();
    await button(visit.page, 'Continue').click();
    await heading(visit.page, 'New password').waitFor();
    await visit.page.reload();
    await heading(visit.page, 'New password').waitFor();
    await visit.page.getByText(email).first().waitFor();
    await visit.page.goBack();
    await heading(visit.page, 'Forgot password?').waitFor();
    await visit.page.goBack();
    await heading(visit.page, 'Sign in').waitFor();
    expect(visit.page.url()).toContain('/urgent');
    await visit.close();
  });
});

describe('a deleted account', () => {
  it('is reported on deletion and at the next sign-in, and can be restored', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: DESKTOP, theme: 'dark', expected: /400|403|404/ });
    await createAccount(page, email, { company: 'Café Olé' });
    await verify(page, (await verificationMail(email, 'Café Olé')).code);
    await button(page, 'Choose plan').click();
    await button(page, 'Sign up').click();
    await button(page, 'Go to my dashboard').click();
    await heading(page, 'All feedback').waitFor();
    await page.goto('/account/administration');
    await button(page, 'Delete account').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Café Olé');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await heading(page, 'Café Olé was deleted').waitFor();
    await expectAccessible(page);
    await picture(page, 'deleted-1440-dark');
    await journey.app.mailTo(email, 'Account: Café Olé');

    await page.getByRole('link', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await signIn(page, email, 'not the password');
    await page.getByText('Incorrect email or password.').waitFor();
    expect(await page.getByText('deleted').count()).toBe(0);
    expect(await button(page, 'Sign in').isDisabled()).toBe(true);
    await signIn(page, email);
    await heading(page, 'Café Olé was deleted').waitFor();
    await button(page, 'Restore account').click();
    await heading(page, 'Company').or(heading(page, 'Administration')).or(heading(page, 'All feedback')).first().waitFor();
    await page.goto('/');
    await heading(page, 'All feedback').waitFor();
    await close();
  });
});

describe('the sign-up fields', () => {
  it('mark what is empty, name the wrong character, and list everything missing', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/signup');
    await page.getByLabel('Company name').fill('Salt & Co');
    await page.getByLabel('Your name').focus();
    await page.getByText("Names can't contain an ampersand. Try Salt and Co.").waitFor();
    await page.getByLabel('Email address').focus();
    await page.getByText('Please fill this in').waitFor();
    await page
      .getByText(/^Still needed: your name, your email address, .* and your consent to the Terms.* Check your company’s name\.$/)
      .waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-up-wrong-375');
    await close();
  });

  it('clear a rejected code’s message as soon as the code is edited', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    const { code } = await verificationMail(email);
    await verify(page, code === '123456' ? '654321' : '123456');
    await page.getByText('Invalid verification code provided, please try again.').waitFor();
    await page.getByLabel('Verification code').pressSequentially('x');
    await page.getByText('Invalid verification code provided').waitFor({ state: 'detached' });
    await page.getByLabel('Verification code').blur();
    await page.getByText('Please enter a valid code').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await close();
  });

  it('show Network Error when the pool can’t be reached', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /ERR_/ });
    await page.goto('/');
    await page.getByLabel('Email').waitFor();
    await page.route('**/api/identity', (route) => route.abort());
    await signIn(page, newAddress());
    await page.getByText('Network Error', { exact: true }).waitFor();
    await close();
  });

  it('keep an opened link’s page after a reload', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /404/ });
    for (const [link, name] of [
      ['/#invite=AAAAAAAAAAAAAAAAAAAAAA', 'This invitation is no longer valid'],
      ['/#reset=AAAAAAAAAAAAAAAAAAAAAA&email=a@b.test', 'New password'],
    ] as const) {
      await page.goto('/demo');
      await page.goto(link);
      await heading(page, name).waitFor();
      await page.reload();
      await heading(page, name).waitFor();
      expect(page.url()).not.toContain('AAAA');
    }
    await close();
  });
});
