import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sam } from '#fixtures/business.ts';
import { submission } from '../../test/support/submission.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, settled } from '../support/journey.ts';
import { forgetRenders, recordRenders, renderingEnds, rendersIn } from '../support/renders.ts';

/* Counts the feed's renders when another part of the page changes. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const SUMMARY = 'section[aria-label="Summary"]';
const LIST = 'section[aria-label="List"]';

/** The parts that don't depend on other rows. */
const UNAFFECTED = {
  detail: 'section[aria-label="Feedback details"]',
  comments: '[data-feedback-detail] section:has(ul[aria-label^="Comments"])',
  tags: 'ul[aria-label="Tags"]',
  filters: 'ul[aria-label="Filters"]',
  period: '[aria-label="Period"]',
} as const;
const NOTHING = { detail: 0, comments: 0, tags: 0, filters: 0, period: 0 };

async function openFeed() {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await recordRenders(page);
  await page.goto('/?kind=regular');
  await signIn(page);
  await rows(page).first().waitFor();
  for (const selector of Object.values(UNAFFECTED)) await page.locator(selector).first().waitFor({ state: 'attached' });
  // The rest of the page loads now.
  await page.mouse.move(1, 1);
  await settled(page);
  await forgetRenders(page);
  return { page, close };
}

const rowsRendered = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...new Set(window.rendered.flatMap((element) => element.closest('main a[id^=EXPERIENCE]')?.id ?? []))]);

describe('the feed', () => {
  it('renders the counts and the line above the rows again when feedback arrives', async () => {
    const { page, close } = await openFeed();
    await journey.app.call('feedback', 'save', submission({ rating: 4, text: 'Quick and kind.' }));
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await expect.poll(async () => (await rendersIn(page, { SUMMARY }))['SUMMARY']).toBeGreaterThan(0);
    await renderingEnds(page);
    expect(await rendersIn(page, UNAFFECTED)).toEqual(NOTHING);
    expect(await rowsRendered(page)).toEqual([]);
    expect((await rendersIn(page, { LIST }))['LIST']).toBeGreaterThan(0);
    await close();
  });

  it('renders only the row that a teammate changes', async () => {
    const { page, close } = await openFeed();
    const id = (await rows(page).nth(3).getAttribute('id')) ?? '';
    const teammate = await journey.app.signIn(sam.data.emailAddress);
    await journey.app.call('feedback', 'modify', { changes: [{ feedbackId: id, status: 'waiting' }] }, teammate);
    await page.locator(`#${id}`).getByText('Waiting').waitFor();
    await renderingEnds(page);
    expect(await rowsRendered(page)).toEqual([id]);
    expect(await rendersIn(page, { ...UNAFFECTED, SUMMARY })).toEqual({ ...NOTHING, SUMMARY: 0 });
    await close();
  });
});
