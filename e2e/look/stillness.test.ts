import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, oldTown } from '#fixtures/business.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* Messages that appear or disappear never move a control someone is about to press. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const top = async (element: Locator): Promise<number> => (await element.boundingBox())?.y ?? Number.NaN;

/** Returns the top of an element once every transition has ended. */
async function restingTop(element: Locator): Promise<number> {
  await expect
    .poll(() => element.page().evaluate(() => document.getAnimations().filter((each) => each instanceof CSSTransition).length))
    .toBe(0);
  return top(element);
}

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('on %s', (_name, viewport) => {
  it('removing a filter leaves the list in place, and moves the focus to the filters', async () => {
    const { page, close } = await journey.visit({ viewport });
    await page.goto('/?rating=1');
    await signIn(page);
    const search = viewport === PHONE ? page.getByRole('button', { name: 'Search', exact: true }) : page.getByLabel('Search feedback');
    const pill = page.getByRole('button', { name: 'Remove' });
    await rows(page).first().waitFor();
    const before = await top(search);
    await pill.click();
    await expect.poll(() => pill.count()).toBe(0);
    await expect.poll(() => top(search)).toBe(before);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Filters');
    await close();
  });

  it('going offline moves nothing', async () => {
    const { page, close } = await journey.visit({ viewport, expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });
    await page.goto('/');
    await signIn(page);
    await rows(page).first().waitFor();
    const before = await top(rows(page).first());
    await page.context().setOffline(true);
    await page.getByText('You’re offline').waitFor();
    expect(await top(rows(page).first())).toBe(before);
    await picture(page, `offline-${viewport.width}`);
    await close();
  });

  it('an error leaves the pressed button of a dialog in place', async () => {
    const { page, close } = await journey.visit({ viewport, expected: /500/ });
    await page.goto('/account/administration');
    await signIn(page);
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(account.data.displayName);
    await page.route('**/api/data', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","title":"It did not work."}' }),
    );
    const button = dialog.getByRole('button', { name: 'Delete account' });
    await expect.poll(() => button.isEnabled()).toBe(true);
    const before = await restingTop(button);
    await button.click();
    const alert = dialog.getByRole('alert').filter({ hasText: 'It did not work.' });
    await alert.waitFor();
    expect(await restingTop(button)).toBe(before);
    expect(await top(alert)).toBeGreaterThan(before);
    await close();
  });
});

it('saving a name leaves the focus in its field', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/account/administration');
  await signIn(page);
  const field = page.getByLabel('Company name');
  await field.fill('Harbor and Sons');
  await field.press('Enter');
  await page.getByText('Company name saved.').waitFor();
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill(account.data.displayName);
  await field.press('Enter');
  await expect.poll(() => page.getByRole('banner').textContent()).toContain(account.data.displayName);
  await close();
});

it('counting answers leaves the list in place', async () => {
  await Promise.all(
    Array.from({ length: 130 }, () =>
      journey.app.call('feedback', 'save', submission({ rating: 1 }, { form: formOf(oldTown.data.formId) })),
    ),
  );
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/properties/old-town/feedback?kind=suspected');
  await signIn(page);
  const button = page.getByRole('button', { name: 'Count these 25' });
  await button.waitFor();
  const search = page.getByLabel('Search feedback');
  const before = await top(search);
  await button.click();
  await page.getByText('25 answers are now counted.').waitFor();
  await page.getByText('5 results').waitFor();
  expect(await top(search)).toBe(before);
  await close();
});
