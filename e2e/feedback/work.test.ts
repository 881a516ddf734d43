import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sam } from '#fixtures/business.ts';
import { submission } from '../../test/support/submission.ts';
import { hasFocus, isOnTop, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* A team's work on feedback, in two browsers at once. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const openUrgent = async (viewport: typeof DESKTOP, person?: string) => {
  const { page, close } = await journey.visit({ viewport });
  const requests: string[] = [];
  page.on('request', (request) => void requests.push(request.postData() ?? ''));
  await page.goto('/urgent');
  await signIn(page, person);
  await rows(page).first().waitFor();
  return { page, close, requests };
};
/** Cuts the page's live connection: the first attempt fails, and later ones wait until the returned function is called. */
async function cutOff(page: Page): Promise<() => void> {
  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  let attempts = 0;
  await page.route('**/api/live', async (route) => {
    attempts += 1;
    if (attempts === 1) return route.abort();
    await connected;
    return route.continue();
  });
  return () => connect();
}
const URGENT_LINK = 'nav[aria-label="Main"] a[href="/urgent"]';

describe('working on feedback', () => {
  it('marks it as done by keyboard, updates a teammate’s page and the count, and undoes it', async () => {
    const [dana, teammate] = [await openUrgent(DESKTOP), await openUrgent(DESKTOP, sam.data.emailAddress)];
    const before = await dana.page.locator(URGENT_LINK).textContent();
    const id = (await rows(dana.page).first().getAttribute('id')) ?? '';
    await rows(dana.page).first().click();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    await dana.page.getByRole('button', { name: 'Reopen' }).waitFor();
    await expect.poll(() => dana.page.locator(URGENT_LINK).textContent()).not.toBe(before);
    // The row stays in place on both pages, and shows its status.
    for (const { page } of [dana, teammate]) await page.locator(`#${id}`).getByText('Done').waitFor();
    await expect.poll(() => teammate.page.locator(URGENT_LINK).textContent()).not.toBe(before);
    await dana.page.keyboard.press('Control+z');
    await expect.poll(() => dana.page.locator(URGENT_LINK).textContent()).toBe(before);
    await expect.poll(() => teammate.page.locator(URGENT_LINK).textContent()).toBe(before);
    // These pages show no summary, so they must not request one.
    expect(teammate.requests.filter((body) => body.includes('"summary"'))).toEqual([]);
    await teammate.page.locator(`#${id}`).click();
    await teammate.page.getByRole('button', { name: 'Show history' }).click();
    await teammate.page.getByText('Dana Moss marked it as new').waitFor();
    await teammate.page.getByRole('heading', { name: 'Alerts' }).waitFor();
    await teammate.page.getByText('You weren’t alerted: you aren’t on the property’s list for complaints.').waitFor();
    await expectAccessible(dana.page);
    // Undo works while the select has the focus.
    const status = dana.page.getByLabel('Feedback details').getByLabel('Status');
    await status.focus();
    await status.selectOption('waiting');
    await dana.page.getByText('Marked as waiting.').waitFor();
    await dana.page.keyboard.press('Control+z');
    await dana.page.getByText('Undone.').waitFor();
    await expect.poll(() => status.inputValue()).toBe('new');
    // An action on a page that was left can no longer be undone.
    await dana.page.locator(`#${id}`).focus();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    await dana.page.getByRole('link', { name: 'Properties' }).first().click();
    await dana.page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    const changes = () => dana.requests.filter((body) => body.includes('"action":"modify"')).length;
    const changesBefore = changes();
    await dana.page.goBack();
    await rows(dana.page).first().waitFor();
    await dana.page.keyboard.press('Control+z');
    // Returning to an open item saves nothing.
    expect(changes()).toBe(changesBefore);
    await picture(dana.page, 'work-after-leaving');
    expect(await dana.page.getByText('Undone.').count()).toBe(0);
    expect(await dana.page.locator(`#${id}`).getAttribute('data-done')).toBe('true');
    await Promise.all([dana.close(), teammate.close()]);
  });

  it('reaches a teammate who reconnects, even after more than a page of new feedback', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /api\/live/ });
    const connect = await cutOff(page);
    await page.goto('/urgent');
    await signIn(page, sam.data.emailAddress);
    const id = (await rows(page).first().getAttribute('id')) ?? '';
    for (let count = 0; count < 26; count += 1) await journey.app.call('feedback', 'save', submission({ rating: 1 }));
    const dana = await openUrgent(DESKTOP);
    await dana.page.locator(`#${id}`).click();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    expect(await page.locator(`#${id}`).getAttribute('data-done')).toBeNull();
    connect();
    await page.locator(`#${id}`).getByText('Done').waitFor();
    await Promise.all([dana.close(), close()]);
  });

  it('adds a tag and an assignee on a phone, and sets the status of many at once', async () => {
    const { page, close } = await openUrgent(PHONE);
    await page.goto('/?range=all');
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('combobox', { name: 'Tag' }).fill('Slow service '.repeat(4));
    await page.getByText('At most 40 characters').waitFor();
    expect(await page.getByRole('button', { name: 'Create tag' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Tag' }).fill('Slow service');
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByRole('button', { name: 'Remove the tag Slow service' }).waitFor();
    await page.getByRole('button', { name: 'Remove the tag Slow service' }).press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Add tag' }))).toBe(true);
    await page.getByLabel('Assigned to').selectOption({ label: sam.data.displayName });
    await page.getByText(`Assigned to ${sam.data.displayName}.`).waitFor();
    await expectAccessible(page);
    await picture(page, 'work-375');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'More for this list' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Select' }).press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('checkbox', { name: 'Select all shown' }))).toBe(true);
    // A checkbox takes no letters, so single-key shortcuts still work.
    await page.keyboard.press('j');
    await expect.poll(() => hasFocus(rows(page).first())).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('25 selected').waitFor();
    await page.evaluate(() => scrollTo(0, 700));
    for (const part of [page.getByText('25 selected'), page.getByRole('button', { name: 'Stop selecting' })])
      await expect.poll(() => isOnTop(part)).toBe(true);
    await page.getByLabel('Status').selectOption('waiting');
    await page.getByText('25 marked as waiting.').waitFor();
    // At the top of the page, the sticky bar covers no control partly.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('button', { name: 'Stop selecting' }).press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'More for this list' }))).toBe(true);
    const token = await journey.app.signIn();
    // The page updates at once, before the server does.
    await expect
      .poll(async () => {
        const { feedback } = (await journey.app.call('feedback', 'list', { accountId: sam.data.accountId }, token)).body;
        return feedback.map(({ data }: { data: { status: string } }) => data.status);
      })
      .not.toContain('waiting');
    await close();
  });

  it('shows on a phone that it is offline, and an unclipped retry button', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });
    await page.goto('/urgent');
    await signIn(page);
    await rows(page).first().click();
    const detail = page.getByRole('dialog', { name: 'Feedback' });
    await detail.getByText('Received').waitFor();
    await page.context().setOffline(true);
    await expect.poll(() => isOnTop(detail.getByText('You’re offline.'))).toBe(true);
    await detail.getByRole('button', { name: 'Done' }).click();
    const again = page.getByRole('alert').filter({ hasText: 'Not saved.' }).getByRole('button', { name: 'Try again' });
    const isWhole = () =>
      again.evaluate((element) =>
        [element, ...element.querySelectorAll('*')].every((part) => part.clientWidth === 0 || part.scrollWidth <= part.clientWidth),
      );
    await expect.poll(isWhole).toBe(true);
    await page.context().setOffline(false);
    await close();
  });

  it('finds feedback older than a month by custom dates', async () => {
    const { page, close } = await openUrgent(DESKTOP);
    await page.goto('/');
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Dates' }).click();
    const [{ old = '' } = {}] = await journey.app.stored<{ old: string }>(
      "select to_char(max(created) at time zone 'UTC', 'YYYY-MM-DD') as old from feedback where created < now() - interval '32 days'",
    );
    await page.getByLabel('From').fill(old);
    await page.getByLabel('To', { exact: true }).fill(old);
    await page.getByRole('button', { name: 'Apply dates' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe(old);
    await expect
      .poll(
        async () =>
          [
            ...new Set(
              await rows(page)
                .locator('time')
                .evaluateAll((all) => all.map((each) => (each as HTMLTimeElement).dateTime.slice(0, 10))),
            ),
          ].length,
      )
      .toSatisfy((days: number) => days === 1 || days === 2);
    await close();
  });
});
