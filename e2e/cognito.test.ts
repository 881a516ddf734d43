import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../scripts/free-port.ts';
import { oneTimePassword } from '../test/support/one-time-password.ts';
import { type CognitoJourney, OPERATOR, openCognitoJourney, ready, startProduct } from './support/cognito.ts';
import { DESKTOP, expectAccessible, PHONE, picture } from './support/journey.ts';

const PASSWORD = 'correct horse battery';

let journey: CognitoJourney;
beforeAll(async () => {
  journey = await openCognitoJourney();
});
afterAll(() => journey.stop());
beforeEach(() => {
  journey.hosted.answers = 'code';
  journey.hosted.visits.length = 0;
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newAddress = (): string => `${randomUUID().slice(0, 8)}@newshop.test`;
const codeFor = (address: string): string => journey.cognito.codes.get(address) ?? '';
const addressOf = (page: Page): string => page.url().replace(journey.address, '');

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

/** Signs a business up, all four steps, and gives its admin's address. */
async function signUp(page: Page, email = newAddress()): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('Company name').fill('New Shop');
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel(/I accept the Terms/).check();
  await button(page, 'Create account').click();
  await page.getByLabel('Verification code').waitFor();
  await page.getByLabel('Verification code').fill(codeFor(email));
  await button(page, 'Verify Email').click();
  await button(page, 'Choose plan').click();
  await button(page, 'Sign up').click();
  await page.getByLabel('Business name').fill('New Shop, Main Street');
  await button(page, 'Go to my dashboard').click();
  await heading(page, 'All feedback').waitFor();
  return email;
}

describe('a team that signs in to Cognito', () => {
  it('signs up, signs in again, and is told what is wrong', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    const email = await signUp(page);
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await picture(page, 'cognito-sign-in-1440');
    await expectAccessible(page);
    await signIn(page, email, 'not the password');
    await page.getByText('Incorrect email or password.').waitFor();
    await signIn(page, email);
    await heading(page, 'All feedback').waitFor();
    await close();
  });

  it('sees a changed address in its list, in another tab, too, and who changed it signs in with it', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    const [before, after] = [await signUp(page), newAddress()];
    const other = await page.context().newPage();
    await other.goto('/account/user-management');
    await other.getByText(before).first().waitFor();
    await page.goto('/profile');
    await button(page, 'Change email').click();
    await page.getByLabel('New email').fill(after);
    await button(page, 'Send code').click();
    await page.getByLabel('Verification code').fill('000000');
    await button(page, 'Verify Email').click();
    await page.getByText('Invalid verification code provided, please try again.').waitFor();
    await page.getByLabel('Verification code').fill(codeFor(after));
    await button(page, 'Verify Email').click();
    await page.getByText('Email changed.').waitFor();
    await page.getByText(after).first().waitFor();
    await other.getByText(after).first().waitFor();
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await signIn(page, after);
    await heading(page, 'All feedback').waitFor();
    await close();
  });

  it('gets a changed address at the next sign-in where the tab died before', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const [before, after] = [await signUp(page), newAddress()];
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    const user = journey.cognito.users.get(before);
    journey.cognito.users.delete(before);
    if (user) journey.cognito.users.set(after, user);
    await signIn(page, after);
    await heading(page, 'All feedback').waitFor();
    await page.goto('/account/user-management');
    await page.getByText(after).first().waitFor();
    expect(await page.getByText(before).count()).toBe(0);
    await close();
  });

  it('is told what is known of its sessions, and signs out of all of them', async () => {
    const { page, close } = await journey.visit({ expected: /400|401/ });
    const email = await signUp(page);
    const elsewhere = await journey.visit({ expected: /400|401/ });
    await elsewhere.page.goto('/urgent');
    await signIn(elsewhere.page, email);
    await heading(elsewhere.page, 'Urgent').waitFor();
    const token = await elsewhere.page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith('.accessToken'))?.[1]);
    const asked = () =>
      fetch(`${journey.address}/api/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ service: 'user', action: 'sessions' }),
      });
    expect((await asked()).status).toBe(200);

    await page.goto('/profile');
    await page.getByText('Your sign-in service doesn’t list').waitFor();
    await expectAccessible(page);
    await picture(page, `cognito-profile-375`);
    await button(page, 'Sign out everywhere').last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(async () => (await asked()).status, { timeout: 60_000 }).toBe(401);
    await elsewhere.page.reload();
    await heading(elsewhere.page, 'Sign in').waitFor();
    await elsewhere.close();
    await close();
  });

  it('has operators, after a second factor', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400|403|404/ });
    await signUp(page, OPERATOR);
    Object.assign(journey.cognito.users.get(OPERATOR) ?? {}, { groups: ['operator'] });
    const again = async () => {
      await page.goto('/signout');
      await heading(page, 'Sign in').waitFor();
      await page.goto('/master/accounts');
      await signIn(page, OPERATOR);
    };
    await again();
    await heading(page, 'Set up two-step sign-in').waitFor();
    await page.goto('/profile');
    await button(page, 'Set up').click();
    await button(page, 'Continue').click();
    const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
    await page.getByLabel('Code from your app').fill(oneTimePassword(secret, { now: Date.now }));
    await button(page, 'Turn on').click();
    await page.getByText('Two-step sign-in is on.').waitFor();
    // Still the session of before.
    await page.goto('/master/accounts');
    await page.getByText('Only operators can do this.').first().waitFor();
    await again();
    await heading(page, 'Two-step sign-in').waitFor();
    await page.getByRole('textbox').fill(oneTimePassword(secret, { now: Date.now }, 1));
    await button(page, 'Continue').click();
    await page.getByText('New Shop').first().waitFor();
    expect(await page.getByText('Only operators can do this.').count()).toBe(0);
    await close();
  });

  it('is told when the pool knows somebody whom the product does not', async () => {
    const email = newAddress();
    journey.cognito.users.set(email, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: PASSWORD });
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /403/ });
    await page.goto('/urgent');
    await signIn(page, email);
    await heading(page, 'You have no account here').waitFor();
    await expectAccessible(page);
    await picture(page, 'cognito-no-account-375');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await close();
  });
});

describe('hosted login', () => {
  /** On the pool's own page. */
  async function signInThere(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
  }
  const leave = async (page: Page): Promise<void> => {
    await button(page, 'Sign in with single sign-on').click();
    await page.waitForURL(`https://${journey.hosted.domain}/login?*`);
  };
  /** Somebody with an account, who changes nothing of it. */
  let known = '';
  beforeAll(async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    known = await signUp(page);
    await close();
  });

  it.each(['code', 'token'] as const)(
    'leads there and back by a %s, to where one wanted to go, and signs out there, too',
    async (answers) => {
      const { page, close } = await journey.visit({ viewport: DESKTOP });
      journey.hosted.answers = answers;
      await page.goto('/urgent?range=week');
      await leave(page);
      await signInThere(page, known);
      await heading(page, 'Urgent').waitFor();
      expect(addressOf(page)).toBe('/urgent?range=week');
      await page.reload();
      await heading(page, 'Urgent').waitFor();
      await page.goto('/signout');
      await page.waitForURL(`${journey.address}/`);
      await heading(page, 'Sign in').waitFor();
      expect(journey.hosted.visits).toContain('GET /logout');
      // Nobody is signed in there any more either.
      journey.hosted.answers = 'code';
      await leave(page);
      await close();
    },
  );

  it('says in plain words what went wrong, and leaves nothing of it in the address', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/?code=made-up&state=of-somebody-else');
    await page.getByText('That sign-in started in another browser or has expired. Please try again.').waitFor();
    expect(addressOf(page)).toBe('/');

    // Begun here, and answered with another state.
    await leave(page);
    await page.goto('/?code=made-up&state=of-somebody-else');
    await page.getByText('That sign-in started in another browser or has expired. Please try again.').waitFor();

    await page.goto('/urgent');
    await leave(page);
    await button(page, 'Refuse').click();
    await page.getByText('Single sign-on failed: Your company did not let you in').waitFor();
    expect(addressOf(page)).toBe('/urgent');
    await expectAccessible(page);
    await picture(page, 'cognito-refused-375');

    journey.hosted.answers = 'expired code';
    await leave(page);
    await signInThere(page, known);
    await page.getByText('That sign-in has expired or was already used. Please try again.').waitFor();
    expect(addressOf(page)).toBe('/urgent');
    await signIn(page, known);
    await heading(page, 'Urgent').waitFor();
    await close();
  });

  it('shows signing in at once to whoever comes back without an answer', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await leave(page);
    await page.goBack();
    await heading(page, 'Sign in').waitFor({ timeout: 60_000 });
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  it('is not ended by another tab', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await leave(page);
    const other = await page.context().newPage();
    await other.goto('/urgent');
    await signInThere(page, known);
    await heading(page, 'All feedback').waitFor();
    await heading(other, 'Urgent').waitFor();
    await close();
  });

  it('of somebody without an account goes in no circle', async () => {
    const email = newAddress();
    journey.cognito.users.set(email, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: PASSWORD });
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /403/ });
    await page.goto('/');
    await leave(page);
    await signInThere(page, email);
    await heading(page, 'You have no account here').waitFor();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(journey.hosted.visits.filter((visit) => visit === 'GET /oauth2/authorize')).toHaveLength(1);
    await close();
  });
});

describe('a start', () => {
  it('goes on without the pool, and says so', async () => {
    const port = await freePort();
    const product = await startProduct({ PORT: String(port), COGNITO_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    try {
      await ready(`http://127.0.0.1:${port}`, product.child);
      expect(product.said()).toContain('COGNITO_USER_POOL_ID doesn’t respond');
      expect(product.said()).not.toContain('busy');
    } finally {
      await product.stop();
    }
  });

  it('ends with one message where there is no such pool', async () => {
    const product = await startProduct({
      PORT: String(await freePort()),
      COGNITO_USER_POOL_ID: 'us-west-2_Another01',
      COGNITO_ENDPOINT: journey.cognito.url,
    });
    try {
      const [code] = await once(product.child, 'exit', { signal: AbortSignal.timeout(40_000) });
      expect(code).toBe(1);
      expect(product.said()).toContain('Afterword cannot start. COGNITO_USER_POOL_ID is "us-west-2_Another01", and there is no such pool');
    } finally {
      await product.stop();
    }
  });
});
