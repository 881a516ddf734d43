import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sam } from '#fixtures/business.ts';
import { submission } from '../test/support/submission.ts';
import { hasFocus, isOnTop, rows, signIn } from './support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from './support/journey.ts';

/* What a team does with feedback, in two browsers at once. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const opened = async (viewport: typeof DESKTOP, person?: string) => {
  const { page, close } = await journey.visit({ viewport });
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.postData() ?? ''));
  await page.goto('/urgent');
  await signIn(page, person);
  await rows(page).first().waitFor();
  return { page, close, asked };
};
/** A page that hears of nothing: its first connection breaks, and the next takes until it is let through. */
async function cutOff(page: Page): Promise<() => void> {
  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  let times = 0;
  await page.route('**/api/live', async (route) => {
    times += 1;
    if (times === 1) return route.abort();
    await connected;
    return route.continue();
  });
  return () => connect();
}
const waiting = 'nav[aria-label="Main"] a[href="/urgent"]';

describe('working on feedback', () => {
  it('goes from the keyboard, is seen by a teammate, counts down, and is taken back', async () => {
    const [dana, teammate] = [await opened(DESKTOP), await opened(DESKTOP, sam.data.emailAddress)];
    const before = await dana.page.locator(waiting).textContent();
    const id = (await rows(dana.page).first().getAttribute('id')) ?? '';
    await rows(dana.page).first().click();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    await dana.page.getByRole('button', { name: 'Reopen' }).waitFor();
    await expect.poll(() => dana.page.locator(waiting).textContent()).not.toBe(before);
    // The row stays where it is, here and there, and says what became of it.
    for (const { page } of [dana, teammate]) await page.locator(`#${id}`).getByText('Done').waitFor();
    await expect.poll(() => teammate.page.locator(waiting).textContent()).not.toBe(before);
    await dana.page.keyboard.press('Control+z');
    await expect.poll(() => dana.page.locator(waiting).textContent()).toBe(before);
    await expect.poll(() => teammate.page.locator(waiting).textContent()).toBe(before);
    // Nothing of these pages shows the numbers of a period.
    expect(teammate.asked.filter((sent) => sent.includes('"summary"'))).toEqual([]);
    await teammate.page.locator(`#${id}`).click();
    await teammate.page.getByRole('button', { name: 'Show history' }).click();
    await teammate.page.getByText('Dana Moss marked it as new').waitFor();
    await teammate.page.getByRole('heading', { name: 'Alerts' }).waitFor();
    await teammate.page.getByText('You weren’t alerted: you aren’t on the property’s list for complaints.').waitFor();
    await expectAccessible(dana.page);
    // The focus is still on what it was chosen by.
    const status = dana.page.getByLabel('Feedback in full').getByLabel('Status');
    await status.focus();
    await status.selectOption('waiting');
    await dana.page.getByText('Marked as waiting.').waitFor();
    await dana.page.keyboard.press('Control+z');
    await dana.page.getByText('Undone.').waitFor();
    await expect.poll(() => status.inputValue()).toBe('new');
    // What was done on a page that was left stays done.
    await dana.page.locator(`#${id}`).focus();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    await dana.page.getByRole('link', { name: 'Properties' }).first().click();
    await dana.page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    await dana.page.goBack();
    await rows(dana.page).first().waitFor();
    await dana.page.keyboard.press('Control+z');
    await picture(dana.page, 'work-after-leaving');
    expect(await dana.page.getByText('Undone.').count()).toBe(0);
    expect(await dana.page.locator(`#${id}`).getAttribute('data-done')).toBe('true');
    await Promise.all([dana.close(), teammate.close()]);
  });

  it('is seen by a teammate whose connection was gone meanwhile, also where more came since than a page holds', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /api\/live/ });
    const connect = await cutOff(page);
    await page.goto('/urgent');
    await signIn(page, sam.data.emailAddress);
    const id = (await rows(page).first().getAttribute('id')) ?? '';
    for (let count = 0; count < 26; count += 1) await journey.app.call('feedback', 'save', submission({ rating: 1 }));
    const dana = await opened(DESKTOP);
    await dana.page.locator(`#${id}`).click();
    await dana.page.keyboard.press('e');
    await dana.page.getByText('Marked as done.').waitFor();
    expect(await page.locator(`#${id}`).getAttribute('data-done')).toBeNull();
    connect();
    await page.locator(`#${id}`).getByText('Done').waitFor();
    await Promise.all([dana.close(), close()]);
  });

  it('gives it a tag and a person on a phone, and many of them a status at once', async () => {
    const { page, close } = await opened(PHONE);
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
    await page.getByRole('button', { name: 'Select' }).press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('checkbox', { name: 'Select all shown' }))).toBe(true);
    // A checkbox takes no letters, so they mean what they mean elsewhere.
    await page.keyboard.press('j');
    await expect.poll(() => hasFocus(rows(page).first())).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('25 selected').waitFor();
    await page.evaluate(() => scrollTo(0, 700));
    for (const part of [page.getByText('25 selected'), page.getByRole('button', { name: 'Stop selecting' })])
      await expect.poll(() => isOnTop(part)).toBe(true);
    await page.getByLabel('Status').selectOption('waiting');
    await page.getByText('25 marked as waiting.').waitFor();
    // From the top, where the bar that stays in view covers nothing by half.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('button', { name: 'Stop selecting' }).press('Enter');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Select', exact: true }))).toBe(true);
    const token = await journey.app.signIn();
    // The page says so at once; the server follows.
    await expect
      .poll(async () => {
        const { feedback } = (await journey.app.call('feedback', 'list', { accountId: sam.data.accountId }, token)).body;
        return feedback.map(({ data }: { data: { status: string } }) => data.status);
      })
      .not.toContain('waiting');
    await close();
  });

  it('says on a phone that there is no network, and how to try again in all its words', async () => {
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
    // A select that is scrolled under the bar leaves nothing above it.
    const isBelow = await detail.getByLabel('Status').evaluate((select) => {
      const mark = select.parentElement?.querySelector<HTMLElement>('[data-position=right]');
      const bar = select.closest('[role=dialog]')?.querySelector('button')?.parentElement;
      if (!mark || !bar) return undefined;
      mark.style.pointerEvents = 'auto';
      bar.parentElement?.scrollBy(0, mark.getBoundingClientRect().top - 16);
      const { x, y, width, height } = mark.getBoundingClientRect();
      return bar.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isBelow).toBe(true);
    await page.context().setOffline(false);
    await close();
  });

  it('reaches what is older than a month, by days of one’s own', async () => {
    const { page, close } = await opened(DESKTOP);
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
