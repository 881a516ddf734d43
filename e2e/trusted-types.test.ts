import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../test/support/app.ts';
import { oneTimePassword } from '../test/support/one-time-password.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney } from './support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ OPERATOR_EMAILS: dana.data.emailAddress });
});
afterAll(() => journey.stop());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface WatchedVisit extends BrowserVisit {
  /** What the policy refused, in any document of the visit. */
  readonly refused: string[];
}

async function watched(expected?: RegExp): Promise<WatchedVisit> {
  const visit = await journey.visit({ viewport: DESKTOP, ...(expected && { expected }) });
  const refused: string[] = [];
  await visit.page.exposeFunction('noteRefusal', (what: string) => void refused.push(what));
  await visit.page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      (globalThis as unknown as { noteRefusal: (what: string) => void }).noteRefusal(`${violatedDirective}: ${sample}`);
    });
  });
  return { ...visit, refused };
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(dana.data.emailAddress);
  await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
  await button(page, 'Sign in').click();
}

describe('no page of the team makes HTML of a string', () => {
  it('signed out, and in the demo', async () => {
    const { page, refused, close } = await watched();
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
    expect(refused).toEqual([]);
    await close();
  });

  it('signed in, with a picture of a code to scan, and as an operator', async () => {
    const { page, refused, close } = await watched(/404/);
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
    expect(refused).toEqual([]);
    await close();
  });
});

/** Ways in which a page's own code could be made to run a stranger's words. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  'HTML in an element': () => (document.body.innerHTML = '<img src=x onerror="ran = 1">'),
  'HTML beside an element': () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="ran = 1">'),
  'a document of a string': () => new DOMParser().parseFromString('<img src=x onerror="ran = 1">', 'text/html'),
  'a frame of a string': () => (document.createElement('iframe').srcdoc = '<script>ran = 1</script>'),
  'the text of a script': () => (document.createElement('script').text = 'ran = 1'),
  'the address of a script': () => (document.createElement('script').src = '/assets/ran.js'),
  'a policy that lets everything through': () =>
    (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('mine', {
      createHTML: (text: string) => text,
    }),
  'the one policy, replaced': () =>
    (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('default', {
      createHTML: (text: string) => text,
    }),
};

describe('refused is', () => {
  let visit: WatchedVisit;
  beforeAll(async () => {
    visit = await watched(/Trusted|TrustedTypes|trusted-types/);
    await visit.page.goto('/demo');
    await visit.page.locator('main h1').waitFor();
  });
  afterAll(() => visit.close());

  it.each(Object.entries(WAYS))('%s', async (_name, way) => {
    const { page, refused } = visit;
    const before = refused.length;
    await expect(page.evaluate(way)).rejects.toThrow(/TypeError/);
    await expect.poll(() => refused.slice(before)).toEqual([expect.stringMatching(/^(?:require-trusted-types-for|trusted-types)/)]);
    expect(await page.locator('main h1').count()).toBe(1);
  });

  it('nothing that is text alone', async () => {
    const { page, refused } = visit;
    const before = refused.length;
    const made = await page.evaluate(() => {
      const element = document.createElement('p');
      element.innerHTML = 'a &lt;img src=x onerror=alert(1)> b';
      return [element.childElementCount, element.textContent];
    });
    expect(made).toEqual([0, 'a <img src=x onerror=alert(1)> b']);
    expect(refused.slice(before)).toEqual([]);
  });
});
