import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noor, sam } from '#fixtures/business.ts';
import { newKey, submission } from '../../test/support/submission.ts';
import { holdCalls, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture, storeTheme } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const focusedLabel = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () =>
      (document.activeElement as HTMLTextAreaElement | null)?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? undefined,
  );

describe('a slow list', () => {
  it.each([
    ['comments', '"service":"comment","action":"list"', '?panel=comments&about=', 'Loading comments', 'No comments yet'],
    ['notifications', '"service":"notification","action":"list"', '?panel=notifications&about=', 'skeleton', 'Mark all as read'],
  ])('of %s never shows its loading sign beside its rows', async (_what, call, panel, sign, content) => {
    const { app } = journey;
    const feedbackId = (await app.call('feedback', 'save', submission({ rating: 1, text: 'Slow.' }))).body.feedback.id;
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/properties');
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    const release = await holdCalls(page, call);
    await page.goto(`/properties${panel}${feedbackId}`);
    const dialog = page.getByRole('dialog');
    const loading = sign === 'skeleton' ? dialog.locator('[class*=skeleton]').first() : dialog.getByText(sign);
    await loading.waitFor();
    const overlapsHandle = await page.evaluateHandle(
      ([loads, loaded]) => {
        const overlaps: boolean[] = [];
        const look = (): void => {
          const shown = document.querySelector<HTMLElement>('[role=dialog]');
          const isLoading = shown?.innerText.includes(loads) || shown?.querySelector(`[class*=${loads}]`) != null;
          overlaps.push(isLoading && (shown?.innerText.includes(loaded) ?? false));
          requestAnimationFrame(look);
        };
        look();
        return overlaps;
      },
      [sign.split(' ')[0] ?? '', content] as const,
    );
    release();
    await dialog.getByText(content).first().waitFor();
    await loading.waitFor({ state: 'detached' });
    expect(await overlapsHandle.jsonValue()).not.toContain(true);
    await close();
  });
});

describe('comments', () => {
  it('are written, synced with teammates, edited, deleted and restored, with a mention by keyboard alone', async () => {
    const { app } = journey;
    const feedbackId = (await app.call('feedback', 'save', submission({ rating: 2, text: 'Cold soup.' }))).body.feedback.id;
    const teammate = await app.signIn(sam.data.emailAddress);
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /Failed to load resource/ });
    await page.goto(`/?id=${feedbackId}`);
    await signIn(page);
    const list = page.getByRole('list', { name: 'Comments, newest first' }).getByRole('listitem');
    const stored = async (): Promise<string[]> =>
      (await app.call('comment', 'list', { feedbackId }, teammate)).body.comments.map(({ data }: { data: { text: string } }) => data.text);
    const field = page.getByLabel('Comment', { exact: true });
    await page.getByText('No comments yet.').waitFor();

    await page.keyboard.press('c');
    await expect.poll(() => focusedLabel(page)).toBe('Comment');
    await page.keyboard.type('Who cooked? @no');
    await page.getByRole('listbox').getByRole('option', { name: 'Noor Haddad' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'talk-1440-light-mention');
    await page.keyboard.press('Enter');
    await page.keyboard.type('do you know?');
    await page.keyboard.press('Control+Enter');
    await expect.poll(stored).toEqual([`Who cooked? @${noor.id} do you know?`]);
    expect(await app.mailTo(noor.data.emailAddress, `/?id=${feedbackId}`)).toContain('mentioned you');
    await expect.poll(() => rows(page).first().textContent()).toContain('1 comment');

    // A teammate's comment arrives automatically.
    const answer = { idempotencyKey: 'k'.repeat(22), payload: { data: { feedbackId, text: 'I did.' } } };
    await app.call('comment', 'save', answer, teammate);
    await expect.poll(() => list.first().textContent()).toContain('I did.');
    await page.getByRole('button', { name: 'Comment by Sam Lee: actions' }).click();
    await page.getByText('Only the author can edit this.').waitFor();
    await page.keyboard.press('Escape');

    // A draft stays with its feedback.
    await field.fill('Half a');
    await page.getByRole('button', { name: 'Next feedback' }).click();
    await expect.poll(() => field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Previous feedback' }).click();
    await expect.poll(() => field.inputValue()).toBe('Half a');

    // A failed comment is marked, and a retry sends it once.
    await page.route('**/api/data', (route) =>
      (route.request().postData() ?? '').includes('"service":"comment","action":"save"') ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Not sent.').waitFor();
    await page.unroute('**/api/data');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(stored).toHaveLength(3);
    await expect.poll(() => list.count()).toBe(3);

    await page.getByRole('button', { name: 'Comment by Dana Moss: actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Edit comment').fill('A whole sentence.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => list.first().textContent()).toContain('edited');
    await page.getByRole('button', { name: 'Comment by Dana Moss: actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(() => list.count()).toBe(2);
    await expect.poll(stored).toHaveLength(2);
    await expect.poll(() => focusedLabel(page)).toMatch(/^Comments/);
    await picture(page, 'talk-1440-light-undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => list.first().textContent()).toContain('A whole sentence.');
    expect(await stored()).toHaveLength(3);
    await close();
  });
});

describe('panels on a phone', () => {
  it('show comments over the feedback, and show what a bug report includes', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE });
    await storeTheme(page, 'dark');
    await page.goto('/urgent');
    await signIn(page, sam.data.emailAddress);
    await rows(page).filter({ hasText: '2 comments' }).first().click();
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    const comments = page.getByRole('dialog', { name: 'Comments' });
    const field = comments.getByLabel('Comment', { exact: true });
    await field.pressSequentially('@');
    await comments.getByRole('option', { name: 'Dana Moss' }).click();
    await expect.poll(() => field.inputValue()).toBe('@Dana Moss ');
    // The caret moves with the text, so that a key pressed right afterward doesn't come before it.
    await field.pressSequentially('and @no');
    await comments.getByRole('option', { name: 'Noor Haddad' }).waitFor();
    const written = await field.evaluate((area: HTMLTextAreaElement) => {
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      return area.value.slice(0, area.selectionEnd);
    });
    expect(written).toBe('@Dana Moss and @Noor Haddad ');
    await field.fill('@Dana Moss ');
    await picture(page, 'talk-375-dark-panel');
    await page.goBack();
    await comments.waitFor({ state: 'hidden' });
    await page.getByRole('dialog', { name: 'Feedback' }).waitFor();
    await page.goBack();

    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Report a bug' }).click();
    const panel = page.getByRole('dialog', { name: 'Report a bug' });
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText('Please fill this in').waitFor();
    await panel.getByLabel('What happened?').fill('The chart is empty.');
    await panel.getByText('/urgent').waitFor();
    await panel.getByText('Mozilla/5.0').waitFor();
    const file = { name: 'screen.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await panel.getByLabel('Screenshot', { exact: true }).setInputFiles(file);
    await panel.getByAltText('The screenshot to send').waitFor();
    await panel.getByLabel('You may reply to me at sam@harborcoffee.test').check();
    await expectAccessible(page);
    await picture(page, 'talk-375-dark-bug');
    await panel.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you. Message sent.').waitFor();
    await panel.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('more');
    expect(await journey.app.stored('select kind, text, url, may_reply, screenshot is not null as pictured from message')).toEqual([
      { kind: 'bug', text: 'The chart is empty.', url: '/urgent', may_reply: true, pictured: true },
    ]);
    await close();
  });
});

describe('the docs', () => {
  it('open on a phone without signing in: contents, search, next page, and every operation', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE });
    await page.goto('/docs');
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'docs-375-light');
    await page.getByLabel('Search the docs').fill('deleted comment');
    await page.getByRole('link', { name: 'Comments: Edit and delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#edit-and-delete');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
    await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link', { name: /Next/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Reply privately' }).waitFor();
    await expect.poll(() => page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1']);
    await storeTheme(page, 'dark');
    await page.setViewportSize(DESKTOP);
    await page.goto('/docs/api#comment.save');
    await page.getByRole('heading', { level: 3, name: 'comment.save' }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    await page.getByRole('region', { name: 'Sample call of message.handle' }).getByText('MESSAGE_a1B2c3D4e5').waitFor();
    await picture(page, 'docs-1440-dark-api');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Contents' }).isVisible()).toBe(false);
    await page.goto('/docs/nowhere');
    await page.getByRole('heading', { level: 1, name: 'This page doesn’t exist.' }).waitFor();
    await close();
  });
});

it('keeps an edit while other feedback is open, and says why more comments can’t be loaded', async () => {
  const { app } = journey;
  const [first, second] = await Promise.all(
    ['Cold tea.', 'Warm milk.'].map(async (text) => (await app.call('feedback', 'save', submission({ rating: 2, text }))).body.feedback.id),
  );
  const dana = await app.signIn();
  for (let count = 1; count <= 26; count += 1) {
    const payload = { data: { feedbackId: first, text: `Comment ${count}` } };
    await app.call('comment', 'save', { idempotencyKey: newKey(), payload }, dana);
  }
  const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /Failed to load resource/ });
  await page.goto(`/?id=${first}`);
  await signIn(page);
  const list = page.getByRole('list', { name: 'Comments, newest first' }).getByRole('listitem');
  await list
    .first()
    .getByRole('button', { name: /actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Edit comment').fill('Half an edit');
  await page.locator(`#${second}`).click();
  await page.getByText('No comments yet.').waitFor();
  await page.locator(`#${first}`).click();
  expect(await page.getByLabel('Edit comment').inputValue()).toBe('Half an edit');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await list.first().getByText('Comment 26').waitFor();

  const comments = page.getByRole('region', { name: /^Comments/ });
  const more = comments.getByRole('button', { name: 'Load 25 more' });
  const refuse = (route: Route) => (route.request().postData()?.includes('"cursor"') ? route.abort() : route.continue());
  await page.route('**/api/data', refuse);
  await more.click();
  await comments.getByText('We couldn’t load more. Try again.').waitFor();
  await page.unroute('**/api/data', refuse);
  await more.click();
  await list.nth(25).getByText('Comment 1', { exact: true }).waitFor();
  await expect.poll(() => list.nth(25).evaluate((row) => row.contains(document.activeElement))).toBe(true);
  await close();
});
