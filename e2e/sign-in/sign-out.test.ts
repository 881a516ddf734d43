import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows, signIn } from '../support/dashboard.ts';
import { FORM } from '../support/form.ts';
import { DESKTOP, type Journey, openJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const OUTBOX = 'afterword.outbox';

async function openFeed(page: Page): Promise<void> {
  await signIn(page);
  await rows(page).first().waitFor();
}

/** Returns whether the browser's cache has a response for this address, without a request to the server. */
const isCached = (page: Page, address: string): Promise<boolean> =>
  page.evaluate(
    (input) =>
      fetch(input, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    address,
  );

describe('signing out', () => {
  it('clears the browser’s cache, and keeps a visitor’s unsent answer', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /ERR_INTERNET_DISCONNECTED|ERR_CACHE_MISS/ });
    await page.goto(FORM);
    await page.waitForFunction(() => 'live' in document.documentElement.dataset);
    const key = await page.locator('input[name=key]').inputValue();
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Bad' }).click();
    await page.getByText('No connection').first().waitFor();
    // Leaves the form, because it would send the answer once online.
    await page.goto('about:blank');
    await page.context().setOffline(false);

    await page.goto('/');
    await openFeed(page);
    await page.getByRole('button', { name: 'Use dark theme' }).click();
    const script = await page.locator('script[type=module]').getAttribute('src');
    // Caches a script and a public list, so there is something to clear.
    await page.evaluate(() => fetch('/api/operations'));
    const addresses = [script ?? '', '/api/operations'];
    await expect.poll(() => Promise.all(addresses.map((address) => isCached(page, address)))).toEqual([true, true]);

    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).first().waitFor();
    await expect.poll(() => Promise.all(addresses.map((address) => isCached(page, address)))).toEqual([false, false]);
    const remaining = await page.evaluate(() => JSON.stringify(localStorage));
    expect(remaining).not.toMatch(/EXPERIENCE_|accessToken|refreshToken/);
    expect(remaining).toContain(OUTBOX);
    expect(remaining).toContain('dark');

    await page.goto(FORM);
    await expect
      .poll(() => journey.app.stored('select rating from feedback where key_hash = sha256($1)', [Buffer.from(key)]))
      .toEqual([{ rating: 2 }]);
    await close();
  });
});

describe('opening without a session', () => {
  it.each([
    ['nothing is stored', {}],
    ['the stored session is invalid', { 'CognitoIdentityServiceProvider.gone.LastAuthUser': 'somebody' }],
  ])('clears stored feedback and keeps the theme when %s', async (_what, session) => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto(`${journey.address}/docs`);
    await page.evaluate((stored) => {
      const feedback = { userId: 'USER_dana', at: Date.now(), items: [{ id: 'EXPERIENCE_1' }] };
      localStorage.setItem('afterword', JSON.stringify({ state: { theme: 'dark', chosen: 1, feedback }, version: 2 }));
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    }, session);
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const state = () => page.evaluate(() => JSON.parse(localStorage.getItem('afterword') ?? 'null')?.state);
    await expect.poll(state).toEqual({ theme: 'dark', chosen: 1 });
    await close();
  });
});
