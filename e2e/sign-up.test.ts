import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '../test/support/app.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from './support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newAddress = (): string => `${randomUUID().slice(0, 8)}@newshop.test`;

interface Typed {
  readonly company?: string;
  readonly password?: string;
}

async function createAccount(page: Page, email: string, { company = 'New Shop', password = SAMPLE_PASSWORD }: Typed = {}): Promise<void> {
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

/** What the mail of this company's sign-up brings. */
async function mailed(email: string, company = 'New Shop'): Promise<{ code: string; link: string }> {
  const mail = await journey.app.mailTo(email, `Company: ${company}`);
  return { code: /\b(\d{6})\b/.exec(mail)?.[1] ?? '', link: /\/signup#verify=[^\s\]]+/.exec(mail)?.[0] ?? '' };
}

async function signIn(page: Page, email: string, password = SAMPLE_PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

async function verify(page: Page, code: string): Promise<void> {
  await page.getByLabel('Verification code').fill(code);
  await button(page, 'Verify Email').click();
}

describe('a link in the mail', () => {
  it('confirms on another device, and the page that waits goes on by itself', async () => {
    const shot = (name: string) => `${name}-375-light`;
    const email = newAddress();
    const waiting = await journey.visit({ theme: 'light', expected: /400/ });
    await createAccount(waiting.page, email);
    await expectAccessible(waiting.page);
    await picture(waiting.page, shot('verify'));
    const { link } = await mailed(email);

    // A scanner that only fetches the page confirms nothing.
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

describe('whoever signs up again with the same address', () => {
  it('is told of the newer code, goes on with it, and the page before it never lets anybody in', async () => {
    const email = newAddress();
    const first = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(first.page, email, { company: 'Old Shop', password: 'a stranger of the shop' });
    const before = await mailed(email, 'Old Shop');
    const second = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await createAccount(second.page, email);
    const after = await mailed(email);
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

  it('keeps what was typed but for the address, and the step after a reload and in another tab', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    await page.reload();
    await page.getByText(`We emailed a code to ${email}`).waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/signup');
    await tab.getByText(`We emailed a code to ${email}`).waitFor();
    await tab.close();
    // The password is not known to the page any more, so it is asked for; the address is not.
    await verify(page, (await mailed(email)).code);
    await page.getByText('Email confirmed. Sign in to continue.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await close();

    const other = await journey.visit({ viewport: PHONE });
    await createAccount(other.page, newAddress());
    await button(other.page, 'Use another email address').click();
    await heading(other.page, 'Create An Account').waitFor();
    const values = await Promise.all(
      ['Company name', 'Your name', 'Email address'].map((label) => other.page.getByLabel(label).inputValue()),
    );
    expect(values).toEqual(['New Shop', 'Ann Lee', '']);
    expect(await other.page.getByLabel('Password', { exact: true }).inputValue()).toBe(SAMPLE_PASSWORD);
    await other.close();
  });
});

describe('whoever comes back by signing in before the address is confirmed', () => {
  it('verifies and is in, without typing the password again', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await createAccount(page, email);
    const visit = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    await visit.page.goto('/');
    await signIn(visit.page, email);
    await heading(visit.page, 'Verify your email').waitFor();
    await verify(visit.page, (await mailed(email)).code);
    await heading(visit.page, 'Monthly Or Annual').waitFor();
    await heading(page, 'Monthly Or Annual').waitFor();
    await visit.close();
    await close();
  });

  it('stays at the step after a reload, where the password is asked for along with the code', async () => {
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
    await verify(page, (await mailed(email)).code);
    await heading(page, 'Monthly Or Annual').waitFor();
    await close();
  });
});

describe('Back', () => {
  it('leads from a step of signing up to the one before, and from a view of signing in too', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    await verify(page, (await mailed(email)).code);
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
  it('says so to whoever deleted it and to whoever signs in, and comes back', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: DESKTOP, theme: 'dark', expected: /400|403|404/ });
    await createAccount(page, email, { company: 'Café Olé' });
    await verify(page, (await mailed(email, 'Café Olé')).code);
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

describe('the fields of signing up', () => {
  it('mark what is left empty, name the character that is wrong, and say all that is missing', async () => {
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

  it('take a stale refusal of a code back as soon as it is typed on', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await createAccount(page, email);
    const { code } = await mailed(email);
    await verify(page, code === '123456' ? '654321' : '123456');
    await page.getByText('Invalid verification code provided, please try again.').waitFor();
    await page.getByLabel('Verification code').pressSequentially('x');
    await page.getByText('Invalid verification code provided').waitFor({ state: 'detached' });
    await page.getByLabel('Verification code').blur();
    await page.getByText('Please enter a valid code').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await close();
  });

  it('say Network Error where the pool cannot be reached', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /ERR_/ });
    await page.goto('/');
    await page.getByLabel('Email').waitFor();
    await page.route('**/api/identity', (route) => route.abort());
    await signIn(page, newAddress());
    await page.getByText('Network Error', { exact: true }).waitFor();
    await close();
  });

  it('leave a link that was opened where it is after a reload', async () => {
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
