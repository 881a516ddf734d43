import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pier, sam } from '#fixtures/business.ts';
import { newKey, submission } from '../../test/support/submission.ts';
import { hasFocus, holdCalls, rows, signIn } from '../support/dashboard.ts';
import { FORM, face, isLive } from '../support/form.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';
import { chooseTheme, expectGoodLooks } from '../support/looks.ts';

/* A private conversation: the visitor's page and the team's dashboard, side by side. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const PLACE = pier.data.displayName;
const UNREACHABLE = 'left no email address and didn’t ask for a private page';
const WIDTHS = [320, 375, 768, 1440] as const;
/** A round trip to the server is slow on a busy machine. */

const talk = (page: Page) => page.getByRole('region', { name: 'Reply to the visitor' });
const field = (page: Page) => talk(page).getByRole('textbox', { name: 'Reply' });
const messages = (page: Page) => talk(page).getByRole('list', { name: 'Messages, oldest first' }).getByRole('listitem');
const ownMessage = (page: Page) => page.getByLabel(`Your message to ${PLACE}`);

const askButton = (page: Page) => page.getByRole('button', { name: 'I’d like an answer' });
const ownButton = (page: Page) => page.getByRole('button', { name: 'Your feedback' });

/** Rates and writes on the form, up to its last page. */
async function fillIn(page: Page, words: string, { hasScript = true } = {}): Promise<void> {
  await page.goto(FORM);
  if (hasScript) await isLive(page);
  await face(page, 'Okay').click();
  await page.getByRole('textbox').first().fill(words);
  await page.getByRole('button', { name: /^(?:Submit feedback|Send)$/ }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
}

/** Asks for an answer, too; returns when the private page is open. */
async function askForAnswer(page: Page, words: string, options?: { readonly hasScript: boolean }): Promise<void> {
  await fillIn(page, words, options);
  await askButton(page).click();
  await page.getByRole('heading', { level: 1, name: `Your conversation with ${PLACE}` }).waitFor();
}

/** Writes to the team on the open private page. */
async function write(page: Page, words: string): Promise<void> {
  await ownMessage(page).fill(words);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(`Sent. ${PLACE} can read it now.`).waitFor();
}

/** Submits feedback and returns its id. */
const rate = async (answers: Parameters<typeof submission>[0]): Promise<string> =>
  (await journey.app.call('feedback', 'save', submission(answers))).body.feedback.id;

async function openFeedback(id: string, options: Parameters<Journey['visit']>[0] = { viewport: DESKTOP }) {
  const visit = await journey.visit(options);
  await visit.page.goto(`/?id=${id}`);
  await signIn(visit.page);
  return visit;
}

describe('a private conversation', () => {
  it('goes from the form to the team and back, is read, closed and reopened', async () => {
    const { page: visitor, close } = await journey.visit({ viewport: PHONE });
    const words = 'Is the terrace open in winter?';
    await askForAnswer(visitor, words);
    const { page, close: leave } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await signIn(page);
    // The newest, if this is run again.
    const row = rows(page).filter({ hasText: words }).first();
    await row.click();
    await row.getByText('Wants an answer').waitFor();
    await field(page).waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => hasFocus(field(page))).toBe(true);
    await talk(page).getByText('The visitor sees this on their private page.').waitFor();
    expect(await talk(page).getByRole('button', { name: 'Send reply' }).isDisabled()).toBe(true);
    await talk(page).getByRole('button', { name: 'Saved replies' }).click();
    await page.getByRole('menuitem', { name: 'Thank you' }).click();
    await expect.poll(() => field(page).inputValue()).toBe(`Thank you! We’ve passed this on to everyone at ${PLACE}.`);
    await field(page).fill('');
    await page.keyboard.type('Yes, with heaters.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Reply sent.').waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('');
    await row.getByText('Replied').waitFor();
    await row.getByText('Waiting').waitFor();
    await expect.poll(() => page.getByLabel('Feedback details').getByLabel('Status').inputValue()).toBe('waiting');
    expect(await talk(page).getByText('Read', { exact: true }).count()).toBe(0);

    // The visitor's page shows the answer, and reports that it is visible.
    await visitor.reload();
    await visitor.getByText('Yes, with heaters.').waitFor();
    await talk(page).getByText('Read', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Done' }).click();
    await write(visitor, 'Wonderful, see you in December.');
    await row.getByText('New message').waitFor();
    await row.getByText('Urgent').waitFor();
    await expect.poll(() => messages(page).allTextContents()).toHaveLength(2);
    expect((await messages(page).allTextContents()).join()).toMatch(/Dana Moss.*Yes, with heaters\..*Read.*Visitor.*see you in December\./);
    await page.getByRole('button', { name: 'Show history' }).click();
    await page.getByText('The visitor wrote, which reopened it').waitFor();

    await talk(page).getByRole('button', { name: 'Close conversation' }).click();
    await page.getByText('Conversation closed.').waitFor();
    await talk(page)
      .getByText(/^Closed by Dana Moss, .* The visitor can read it, but no longer write\.$/)
      .waitFor();
    await expect.poll(() => hasFocus(talk(page).getByRole('heading'))).toBe(true);
    await visitor.reload();
    await visitor.getByText(`${PLACE} closed this conversation. You can still read it.`).waitFor();
    expect(await ownMessage(visitor).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await field(page).waitFor();
    await talk(page).getByRole('button', { name: 'Close conversation' }).click();
    await talk(page).getByRole('button', { name: 'Reopen conversation' }).click();
    await expect.poll(() => hasFocus(field(page))).toBe(true);
    await visitor.reload();
    await ownMessage(visitor).waitFor();

    await visitor.getByText('Report this conversation').first().click();
    await visitor.getByRole('button', { name: 'Report this conversation' }).click();
    await talk(page)
      .getByText(/^The visitor reported this conversation on /)
      .waitFor();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const bell = page.getByRole('list', { name: 'Notifications, newest first' });
    await bell.getByText('A visitor reported a conversation').waitFor();
    await bell.getByText('A visitor wrote to you').waitFor();
    await expectAccessible(page);
    await Promise.all([close(), leave()]);
  });

  it('is among the urgent feedback again once the visitor writes, also if the list is from before and has newer feedback', async () => {
    const { page: visitor, close } = await journey.visit({ viewport: PHONE });
    const words = 'Is there parking?';
    await askForAnswer(visitor, words);
    await rate({ rating: 1, text: 'Newer.' });
    const { page, close: leave } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await signIn(page);
    await rows(page).filter({ hasText: words }).first().click();
    await field(page).fill('Behind the house.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Reply sent.').waitFor();
    await page.goto('/urgent');
    await rows(page).filter({ hasText: 'Newer.' }).first().waitFor();
    expect(await rows(page).filter({ hasText: words }).count()).toBe(0);
    await visitor.reload();
    await write(visitor, 'Found it.');
    await page.getByRole('button', { name: /^1 new/ }).click();
    await rows(page).filter({ hasText: words }).getByText('New message').waitFor();
    expect((await rows(page).allTextContents()).findIndex((row) => row.includes(words))).toBeLessThan(
      (await rows(page).allTextContents()).findIndex((row) => row.includes('Newer.')),
    );
    await Promise.all([close(), leave()]);
  });

  it('works without JavaScript on the visitor’s side', async () => {
    const { page: visitor, close } = await journey.visit({ viewport: PHONE, javaScriptEnabled: false });
    const words = 'Do you take cards?';
    await askForAnswer(visitor, words, { hasScript: false });
    await write(visitor, 'I only have a card.');
    const { page, close: leave } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/urgent');
    await signIn(page);
    await rows(page).filter({ hasText: words }).click();
    await messages(page).filter({ hasText: 'I only have a card.' }).waitFor();
    await field(page).fill('We do.');
    await talk(page).getByRole('button', { name: 'Send reply' }).click();
    await messages(page).filter({ hasText: 'We do.' }).waitFor();
    // Only writing shows that the answer was read.
    await visitor.reload();
    await visitor.getByText('We do.').waitFor();
    expect(await talk(page).getByText('Read', { exact: true }).count()).toBe(0);
    await write(visitor, 'Thanks.');
    await talk(page).getByText('Read', { exact: true }).waitFor();
    await picture(visitor, 'conversation-visitor-no-js');
    await Promise.all([close(), leave()]);
  });

  it('keeps a draft with its feedback, and sends a reply once after a lost response', async () => {
    const { app } = journey;
    const id = await rate({ rating: 2, text: 'Cold soup.', contact: { answer: 'Yes', name: 'Ann Mole', email: 'ann@mole.example' } });
    const teammate = await app.signIn(sam.data.emailAddress);
    const stored = async (): Promise<string[]> =>
      (await app.call('conversation', 'get', { feedbackId: id }, teammate)).body.conversation.messages.map(
        ({ text }: { text: string }) => text,
      );
    const { page, close } = await openFeedback(id, { viewport: DESKTOP, expected: /Failed to load resource/ });
    await talk(page).getByText('The visitor gets this by email.').waitFor();
    await field(page).fill('Sorry, Ann');
    await page.getByRole('button', { name: 'Next feedback' }).click();
    const drafts = () => field(page).evaluateAll((fields) => fields.map((each) => (each as HTMLTextAreaElement).value));
    await expect.poll(drafts).not.toContain('Sorry, Ann');
    await page.getByRole('button', { name: 'Previous feedback' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Sorry, Ann');

    // The server sends the reply, but the response is lost.
    await page.route('**/api/data', async (route) => {
      if (!route.request().postData()?.includes('"action":"answer"')) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await talk(page).getByRole('button', { name: 'Send reply' }).click();
    await talk(page)
      .getByText(/^Not sent\./)
      .waitFor();
    expect(await field(page).inputValue()).toBe('Sorry, Ann');
    await page.getByRole('button', { name: 'Next feedback' }).click();
    await page.getByRole('button', { name: 'Previous feedback' }).click();
    await talk(page)
      .getByText(/^Not sent\./)
      .waitFor();
    await page.unroute('**/api/data');
    await talk(page).getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('');
    await expect.poll(() => messages(page).count()).toBe(1);
    expect(await stored()).toEqual(['Sorry, Ann']);
    await talk(page).getByText('The visitor sees this on their private page, and by email.').waitFor();
    expect(await app.mailTo('ann@mole.example', 'Sorry, Ann')).toContain('/reply/');

    // A teammate closes it while a reply is being written.
    await field(page).fill('Come again');
    await app.call('conversation', 'close', { feedbackId: id }, teammate);
    await talk(page)
      .getByText(/^Closed by Sam Lee/)
      .waitFor();
    await talk(page).getByRole('button', { name: 'Reopen conversation' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Come again');
    await close();
  });

  it('shows long conversations from the end', async () => {
    const { app } = journey;
    const id = await rate({ rating: 3, contact: { answer: 'Yes', email: 'bo@mole.example' } });
    const token = await app.signIn(sam.data.emailAddress);
    for (let count = 1; count <= 8; count += 1)
      await app.call('conversation', 'answer', { idempotencyKey: newKey(), feedbackId: id, text: `Message ${count}` }, token);
    await app.stored(`update conversation_message set undelivered = true where text = 'Message 8'`);
    const { page, close } = await openFeedback(id);
    await messages(page).first().waitFor();
    expect(await messages(page).count()).toBe(6);
    expect(await messages(page).getByText('Email not delivered').count()).toBe(1);
    await messages(page).last().getByText('Email not delivered').waitFor();
    await talk(page).getByRole('button', { name: 'Show 2 earlier messages' }).click();
    await expect.poll(() => messages(page).first().textContent()).toContain('Message 1');
    await close();
  });
});

describe('feedback that no reply reaches', () => {
  it.each([PHONE, DESKTOP])('has one line, whose space is reserved ($width px)', async (viewport) => {
    const id = await rate({ rating: 1, text: 'No bread.', contact: { answer: 'Yes', phone: '555-0199' } });
    const { page, close } = await journey.visit({ viewport });
    const release = await holdCalls(page, '"service":"conversation","action":"get"');
    await page.goto(`/?id=${id}`);
    await signIn(page);
    const comments = page.getByRole('heading', { name: 'Comments' });
    await page.getByText('No comments yet.').waitFor();
    const before = await comments.boundingBox();
    release();
    await page.getByText(UNREACHABLE).waitFor();
    expect(await page.getByText(UNREACHABLE).getByRole('link').getAttribute('href')).toBe('tel:5550199');
    expect(await talk(page).count()).toBe(0);
    expect(await comments.boundingBox()).toEqual(before);
    await page.keyboard.press('r');
    await expectAccessible(page);
    await picture(page, `conversation-none-${viewport.width}`);
    await close();
  });
});

describe('a private conversation looks good', () => {
  it.each(WIDTHS)('at %i px', async (width) => {
    const { page: visitor, close } = await journey.visit({ viewport: { width, height: 812 } });
    const words = `Cold tea, ${width}.`;
    await askForAnswer(visitor, words);
    await write(visitor, 'Could someone look at the kettle? It has been like that for a week, and nobody at the counter knew about it.');
    await expectAccessible(visitor);
    const { page, close: leave } = await journey.visit({ viewport: { width, height: 900 } });
    await page.goto('/');
    await signIn(page);
    await rows(page).filter({ hasText: words }).click();
    await field(page).fill('We had it repaired this morning.');
    await talk(page).getByRole('button', { name: 'Send reply' }).click();
    await messages(page).nth(1).waitFor();
    await visitor.reload();
    await talk(page).getByText('Read', { exact: true }).waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await chooseTheme(page, theme);
      await expectAccessible(page);
      await talk(page).scrollIntoViewIfNeeded();
      await picture(page, `conversation-${width}-${theme}`);
    }
    await Promise.all([close(), leave()]);
  });
});

describe('a property without private replies', () => {
  const pageHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Your feedback' });

  it('lets visitors correct and delete their answers, and continues conversations', async () => {
    const { page: earlier, close: leaveEarlier } = await journey.visit({ viewport: PHONE });
    await askForAnswer(earlier, 'Do you open on Sundays?');
    const { page: late, close: leaveLate } = await journey.visit({ viewport: PHONE, expected: /status of 409/ });
    await fillIn(late, 'Do you have oat milk?');
    await askButton(late).waitFor();

    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/properties/pier-4/configuration?tab=privacy');
    await signIn(page);
    const card = page.getByRole('region', { name: 'Private replies' });
    await card.getByRole('checkbox', { name: 'Let visitors ask for a private answer' }).uncheck();
    await card.getByRole('button', { name: 'Save choice' }).click();
    await page.getByText('Visitors can no longer ask for an answer.').waitFor();
    await expectGoodLooks(page, 'private-replies-off');

    for (const hasScript of [true, false]) {
      const { page: visitor, close: leave } = await journey.visit({ viewport: PHONE, javaScriptEnabled: hasScript });
      await fillIn(visitor, 'The tee was cold.', { hasScript });
      await ownButton(visitor).waitFor();
      expect(await askButton(visitor).count()).toBe(0);
      if (hasScript) await expectAccessible(visitor);
      await picture(visitor, `private-replies-off-last-page-${hasScript}`);
      await ownButton(visitor).click();
      await pageHeading(visitor).waitFor();
      expect(await ownMessage(visitor).count()).toBe(0);
      if (hasScript) await expectAccessible(visitor);
      await picture(visitor, `private-replies-off-page-${hasScript}`);
      await visitor.getByRole('textbox', { name: 'Your feedback' }).fill('The tea was cold.');
      await visitor.getByRole('button', { name: 'Save' }).click();
      await visitor.getByText('Saved.').waitFor();
      await visitor.getByText('The tea was cold.').first().waitFor();
      await visitor.getByText('Delete what you wrote').first().click();
      await visitor.getByRole('button', { name: 'Delete what you wrote' }).click();
      await visitor.getByText('What you wrote was deleted.').waitFor();
      await leave();
    }

    // A form that was opened before.
    await askButton(late).click();
    await late.getByRole('heading', { name: `${PLACE} doesn’t offer private answers.` }).waitFor();
    await expectAccessible(late);
    await picture(late, 'private-replies-not-offered');
    await ownButton(late).click();
    await pageHeading(late).waitFor();
    await write(earlier, 'And on holidays?');

    await card.getByRole('checkbox', { name: 'Let visitors ask for a private answer' }).check();
    await card.getByRole('button', { name: 'Save choice' }).click();
    await page.getByText('Visitors can ask for an answer.').waitFor();
    await askForAnswer(late, 'Do you have soy milk?');
    await Promise.all([leaveEarlier(), leaveLate(), close()]);
  });
});
