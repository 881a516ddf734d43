import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { type CognitoJourney, OPERATOR, openCognitoJourney, ready, startProduct } from '../support/cognito.ts';
import { button, anyHeading as heading, newAddress, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, PHONE, picture } from '../support/journey.ts';

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

const codeFor = (address: string): string => journey.cognito.codes.get(address) ?? '';
const addressOf = (page: Page): string => page.url().replace(journey.address, '');

/** Signs up a business in all four steps, and returns its admin's email address. */
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
  it('signs up, sees why a wrong password fails, and signs in again', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    const email = await signUp(page);
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await picture(page, 'cognito-sign-in-1440');
    await expectAccessible(page);
    await signIn(page, email, 'not the password');
    await page.getByText('Incorrect email or password.').waitFor();
    await signIn(page, email, PASSWORD);
    await heading(page, 'All feedback').waitFor();
    await close();
  });

  it('sees a changed email in another tab, and its owner signs in with it', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400/ });
    const [before, after] = [await signUp(page), newAddress()];
    const otherTab = await page.context().newPage();
    await otherTab.goto('/account/user-management');
    await otherTab.getByText(before).first().waitFor();
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
    await otherTab.getByText(after).first().waitFor();
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await signIn(page, after, PASSWORD);
    await heading(page, 'All feedback').waitFor();
    await close();
  });

  it('updates a changed email at the next sign-in when the tab closed before saving it', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const [before, after] = [await signUp(page), newAddress()];
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    const user = journey.cognito.users.get(before);
    journey.cognito.users.delete(before);
    if (user) journey.cognito.users.set(after, user);
    await signIn(page, after, PASSWORD);
    await heading(page, 'All feedback').waitFor();
    await page.goto('/account/user-management');
    await page.getByText(after).first().waitFor();
    expect(await page.getByText(before).count()).toBe(0);
    await close();
  });

  it('reads that sessions can’t be listed, and signs out of all of them', async () => {
    const { page, close } = await journey.visit({ expected: /400|401/ });
    const email = await signUp(page);
    const elsewhere = await journey.visit({ expected: /400|401/ });
    await elsewhere.page.goto('/urgent');
    await signIn(elsewhere.page, email, PASSWORD);
    await heading(elsewhere.page, 'Urgent').waitFor();
    const token = await elsewhere.page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith('.accessToken'))?.[1]);
    const listSessions = () =>
      fetch(`${journey.address}/api/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ service: 'user', action: 'sessions' }),
      });
    expect((await listSessions()).status).toBe(200);

    await page.goto('/profile');
    await page.getByText('Your sign-in service doesn’t list').waitFor();
    await expectAccessible(page);
    await picture(page, `cognito-profile-375`);
    await button(page, 'Sign out everywhere').last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(async () => (await listSessions()).status).toBe(401);
    await elsewhere.page.reload();
    await heading(elsewhere.page, 'Sign in').waitFor();
    await elsewhere.close();
    await close();
  });

  it('opens the operator pages after two-step sign-in', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400|403|404/ });
    await signUp(page, OPERATOR);
    Object.assign(journey.cognito.users.get(OPERATOR) ?? {}, { groups: ['operator'] });
    const signInAgain = async () => {
      await page.goto('/signout');
      await heading(page, 'Sign in').waitFor();
      await page.goto('/master/accounts');
      await signIn(page, OPERATOR, PASSWORD);
    };
    await signInAgain();
    await heading(page, 'Set up two-step sign-in').waitFor();
    await page.goto('/profile');
    await button(page, 'Set up').click();
    await button(page, 'Continue').click();
    const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
    await page.getByLabel('Code from your app').fill(oneTimePassword(secret, { now: Date.now }));
    await button(page, 'Turn on').click();
    await page.getByText('Two-step sign-in is on.').waitFor();
    // This session started before two-step sign-in was set up.
    await page.goto('/master/accounts');
    await page.getByText('Only operators can do this.').first().waitFor();
    await signInAgain();
    await heading(page, 'Two-step sign-in').waitFor();
    await page.getByRole('textbox').fill(oneTimePassword(secret, { now: Date.now }, 1));
    await button(page, 'Continue').click();
    await page.getByText('New Shop').first().waitFor();
    expect(await page.getByText('Only operators can do this.').count()).toBe(0);
    await close();
  });

  it('explains that a person from the pool has no account here', async () => {
    const email = newAddress();
    journey.cognito.users.set(email, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: PASSWORD });
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /403/ });
    await page.goto('/urgent');
    await signIn(page, email, PASSWORD);
    await heading(page, 'You have no account here').waitFor();
    await expectAccessible(page);
    await picture(page, 'cognito-no-account-375');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await close();
  });
});

describe('hosted login', () => {
  /** Signs in on the pool's own page. */
  async function signInAtPool(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
  }
  const goToPool = async (page: Page): Promise<void> => {
    await button(page, 'Sign in with single sign-on').click();
    await page.waitForURL(`https://${journey.hosted.domain}/login?*`);
  };
  /** The email address of an account that no test changes. */
  let existing = '';
  beforeAll(async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    existing = await signUp(page);
    await close();
  });

  it.each(['code', 'token'] as const)('returns with a %s to the requested page, and signs out of the pool, too', async (answers) => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    journey.hosted.answers = answers;
    await page.goto('/urgent?range=week');
    await goToPool(page);
    await signInAtPool(page, existing);
    await heading(page, 'Urgent').waitFor();
    expect(addressOf(page)).toBe('/urgent?range=week');
    await page.reload();
    await heading(page, 'Urgent').waitFor();
    await page.goto('/signout');
    await page.waitForURL(`${journey.address}/`);
    await heading(page, 'Sign in').waitFor();
    expect(journey.hosted.visits).toContain('GET /logout');
    // The pool's own session has ended as well.
    journey.hosted.answers = 'code';
    await goToPool(page);
    await close();
  });

  it('explains an error in plain words, and removes it from the address', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400/ });
    await page.goto('/?code=made-up&state=of-somebody-else');
    await page.getByText('That sign-in started in another browser or has expired. Please try again.').waitFor();
    expect(addressOf(page)).toBe('/');

    // Started here, but answered with another state.
    await goToPool(page);
    await page.goto('/?code=made-up&state=of-somebody-else');
    await page.getByText('That sign-in started in another browser or has expired. Please try again.').waitFor();

    await page.goto('/urgent');
    await goToPool(page);
    await button(page, 'Refuse').click();
    await page.getByText('Single sign-on failed: Your company did not let you in').waitFor();
    expect(addressOf(page)).toBe('/urgent');
    await expectAccessible(page);
    await picture(page, 'cognito-refused-375');

    journey.hosted.answers = 'expired code';
    await goToPool(page);
    await signInAtPool(page, existing);
    await page.getByText('That sign-in has expired or was already used. Please try again.').waitFor();
    expect(addressOf(page)).toBe('/urgent');
    await signIn(page, existing, PASSWORD);
    await heading(page, 'Urgent').waitFor();
    await close();
  });

  it('shows the sign-in page after Back from the pool', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await goToPool(page);
    await page.goBack();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  it('continues while another tab is open', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await goToPool(page);
    const otherTab = await page.context().newPage();
    await otherTab.goto('/urgent');
    await signInAtPool(page, existing);
    await heading(page, 'All feedback').waitFor();
    await heading(otherTab, 'Urgent').waitFor();
    await close();
  });

  it('doesn’t loop for a person without an account', async () => {
    const email = newAddress();
    journey.cognito.users.set(email, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: PASSWORD });
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /403/ });
    await page.goto('/');
    await goToPool(page);
    await signInAtPool(page, email);
    await heading(page, 'You have no account here').waitFor();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(journey.hosted.visits.filter((visit) => visit === 'GET /oauth2/authorize')).toHaveLength(1);
    await close();
  });
});

describe('startup', () => {
  it('continues without the pool, and logs that it doesn’t respond', async () => {
    const port = await freePort();
    const product = await startProduct({ PORT: String(port), COGNITO_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    try {
      await ready(`http://127.0.0.1:${port}`, product);
      expect(product.output()).toContain('COGNITO_USER_POOL_ID doesn’t respond');
      expect(product.output()).not.toContain('busy');
    } finally {
      await product.stop();
    }
  });

  it('stops with one message when the pool doesn’t exist', async () => {
    const product = await startProduct({
      PORT: String(await freePort()),
      COGNITO_USER_POOL_ID: 'us-west-2_Another01',
      COGNITO_ENDPOINT: journey.cognito.url,
    });
    try {
      const [code] = await once(product.child, 'exit', { signal: AbortSignal.timeout(PATIENT.timeout) });
      expect(code).toBe(1);
      expect(product.output()).toContain(
        'Afterword cannot start. COGNITO_USER_POOL_ID is "us-west-2_Another01", and there is no such pool',
      );
    } finally {
      await product.stop();
    }
  });
});
