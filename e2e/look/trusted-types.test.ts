import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana } from '#fixtures/business.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { button, anyHeading as heading, signIn } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ OPERATOR_EMAILS: dana.data.emailAddress });
});
afterAll(() => journey.stop());

interface WatchedVisit extends BrowserVisit {
  /** The policy's violations in any document of the visit. */
  readonly violations: string[];
}

async function visitWatched(expected?: RegExp): Promise<WatchedVisit> {
  const visit = await journey.visit({ viewport: DESKTOP, ...(expected && { expected }) });
  const violations: string[] = [];
  await visit.page.exposeFunction('noteRefusal', (what: string) => void violations.push(what));
  await visit.page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      (globalThis as unknown as { noteRefusal: (what: string) => void }).noteRefusal(`${violatedDirective}: ${sample}`);
    });
  });
  return { ...visit, violations };
}

describe('no dashboard page creates HTML from a string', () => {
  it('signed out, and in the demo', async () => {
    const { page, violations, close } = await visitWatched();
    await page.goto('/');
    await heading(page, 'Sign in').waitFor();
    await button(page, 'Forgot password').click();
    await page.goto('/signup');
    await heading(page, 'Create An Account').waitFor();
    for (const path of ['/demo', '/demo/urgent', '/demo/properties', '/demo/account/user-management', '/demo/profile']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
    }
    await page.goto('/nowhere');
    await heading(page, 'Sign in').waitFor();
    expect(violations).toEqual([]);
    await close();
  });

  it('signed in, with a QR code, and as an operator', async () => {
    const { page, violations, close } = await visitWatched(/404/);
    await page.goto('/');
    await signIn(page);
    await page.locator('main a[id^=EXPERIENCE]').first().click();
    await page.getByText('Received').first().waitFor();
    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    for (const path of ['/urgent', '/properties', '/properties/pier-4/feedback', '/account/user-management', '/account/administration']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
    }
    await page.goto('/account/user-management');
    await button(page, 'Invite user').first().click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await page.goto('/profile');
    await button(page, 'Set up').click();
    await button(page, 'Continue').click();
    await page.getByRole('img', { name: /code/i }).waitFor();
    const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
    await page.getByLabel('Code from your app').fill(oneTimePassword(secret, { now: Date.now }));
    await button(page, 'Turn on').click();
    await page.getByLabel('I’ve saved these codes').check();
    await button(page, 'Done').click();
    await page.getByText('Two-step sign-in is on.').waitFor();
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await page.goto('/master/accounts');
    await signIn(page);
    await heading(page, 'Two-step sign-in').waitFor();
    await page.getByRole('textbox').fill(oneTimePassword(secret, { now: Date.now }, 1));
    await button(page, 'Continue').click();
    await page.getByText('Harbor Coffee').first().waitFor();
    for (const path of ['/master/users', '/master/log']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
    }
    expect(violations).toEqual([]);
    await close();
  });
});

/** Ways to make a page run injected text. */
const INJECTIONS: Readonly<Record<string, () => unknown>> = {
  'HTML in an element': () => (document.body.innerHTML = '<img src=x onerror="ran = 1">'),
  'HTML beside an element': () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="ran = 1">'),
  'a document from a string': () => new DOMParser().parseFromString('<img src=x onerror="ran = 1">', 'text/html'),
  'a frame from a string': () => (document.createElement('iframe').srcdoc = '<script>ran = 1</script>'),
  'the text of a script': () => (document.createElement('script').text = 'ran = 1'),
  'the address of a script': () => (document.createElement('script').src = '/assets/ran.js'),
  'a policy that allows everything': () =>
    (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('mine', {
      createHTML: (text: string) => text,
    }),
  'a replaced default policy': () =>
    (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('default', {
      createHTML: (text: string) => text,
    }),
};

describe('the policy blocks', () => {
  let visit: WatchedVisit;
  beforeAll(async () => {
    visit = await visitWatched(/Trusted|TrustedTypes|trusted-types/);
    await visit.page.goto('/demo');
    await visit.page.locator('main h1').waitFor();
  });
  afterAll(() => visit.close());

  it.each(Object.entries(INJECTIONS))('%s', async (_name, inject) => {
    const { page, violations } = visit;
    const before = violations.length;
    await expect(page.evaluate(inject)).rejects.toThrow(/TypeError/);
    await expect.poll(() => violations.slice(before)).toEqual([expect.stringMatching(/^(?:require-trusted-types-for|trusted-types)/)]);
    expect(await page.locator('main h1').count()).toBe(1);
  });

  it('no HTML that is text alone', async () => {
    const { page, violations } = visit;
    const before = violations.length;
    const parsed = await page.evaluate(() => {
      const element = document.createElement('p');
      element.innerHTML = 'a &lt;img src=x onerror=alert(1)> b';
      return [element.childElementCount, element.textContent];
    });
    expect(parsed).toEqual([0, 'a <img src=x onerror=alert(1)> b']);
    expect(violations.slice(before)).toEqual([]);
  });
});
