import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { WORDS } from '#contract/language/all.ts';
import { type GuidePicture, PICTURE_DOTS, PICTURE_SIZES, pictureFile } from '#dashboard/pages/docs/guide.ts';
import { pier } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { exitKiosk } from '#fixtures/kiosks.ts';
import { sampleOpenings } from '#fixtures/views.ts';
import * as views from '../../server/view/store.ts';
import { newKey, submission } from '../../test/support/submission.ts';
import { heading, rows, signIn, text } from '../support/dashboard.ts';
import { type BrowserVisit, expectAccessible, type Journey, openJourney, settled, storeTheme } from '../support/journey.ts';
import { pairTablet } from '../support/kiosk.ts';
import { chooseTheme } from '../support/looks.ts';

/* The screens pictured in the guides. `npm run pictures -- guides` saves them in `docs/images`. */

interface Shot extends Pick<GuidePicture, 'name' | 'size'> {
  readonly path: string;
  /** Opens the pictured state, and waits until it is shown. */
  readonly shows: (page: Page) => Promise<unknown>;
}

const CONFIGURATION = '/properties/pier-4/configuration';
const FORM = `/feedback/${pier.data.formId}`;

async function openSnippet(page: Page, look: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to your website' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to your website' });
  await dialog.frameLocator('iframe').getByRole('radio', { name: 'Great' }).waitFor();
  await dialog.getByText(look, { exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy the snippet' }).waitFor();
}

async function reviewList(page: Page): Promise<void> {
  const visited = new Date(Date.now() - 2 * DAY).toISOString().slice(0, 10);
  const lines = [
    'Guest,Email,Checkout',
    `Ana Lopes,ana@mail.example,${visited}`,
    `Ben Orr,ben@mail.example,${visited}`,
    `Cas Lee,cas@mail,${visited}`,
  ];
  await page.getByRole('textbox', { name: 'Customers', exact: true }).fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: 'Ask 2 customers' }).waitFor();
}

const [WORDS_OF_VISITOR, LAST_MESSAGE] = ['You ran out of oat milk again.', 'Good to know, thank you. Do you have soy milk, too?'];

/** Has a conversation with a visitor, and returns the address of their page. */
async function converse(): Promise<string> {
  const { app, call, signIn } = journey.app;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const post = (url: string, fields: Record<string, string>) =>
    app.http.inject({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() });
  const key = newKey();
  const { feedback } = (await call('feedback', 'save', submission({ rating: 2, text: WORDS_OF_VISITOR }, { key }))).body;
  const address = String((await post(`${FORM}/reply`, { key })).headers.location);
  const text = 'Sorry about that! There’s a second delivery on Fridays from now on.';
  await call('conversation', 'answer', { feedbackId: feedback.id, text, idempotencyKey: newKey() }, await signIn());
  await post(address, { text: LAST_MESSAGE, key: newKey() });
  return address;
}

let conversation: Promise<string> | undefined;
/** Returns the address of the visitor's page. Only the last pictures have the conversation, because it's in the feed, too. */
function conversationAddress(): Promise<string> {
  conversation ??= converse();
  return conversation;
}

async function showReplies(page: Page): Promise<void> {
  await conversationAddress();
  // The list may be from before.
  await page.reload();
  await rows(page).filter({ hasText: WORDS_OF_VISITOR }).click();
  const replies = page.getByRole('region', { name: 'Reply to the visitor' });
  await replies.getByText(LAST_MESSAGE).waitFor();
  await replies.evaluate((element) => element.scrollIntoView({ block: 'end' }));
}

async function showPrivatePage(page: Page): Promise<void> {
  await page.goto(await conversationAddress());
  await page.getByText(LAST_MESSAGE).waitFor();
}

async function showTopics(page: Page): Promise<void> {
  const token = await journey.app.signIn();
  await journey.app.call('topic', 'setUp', { businessType: 'restaurant' }, token);
  const card = page.getByRole('region', { name: 'Topics' });
  await card
    .getByRole('row', { name: /Staff|Service/ })
    .first()
    .waitFor();
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

const SHOTS: readonly Shot[] = [
  {
    name: 'form',
    size: 'phone',
    path: FORM,
    shows: (page) => page.getByRole('radio', { name: 'Great' }).waitFor(),
  },
  {
    name: 'form-answered',
    size: 'phone',
    path: FORM,
    async shows(page) {
      await page.waitForFunction(() => 'live' in document.documentElement.dataset);
      await page.getByRole('radio', { name: 'Bad' }).click();
      await page.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'form-arabic',
    size: 'phone',
    path: `${FORM}?lang=ar`,
    shows: (page) => page.getByRole('heading', { name: WORDS.ar.standard.question }).waitFor(),
  },
  {
    name: 'pairing',
    size: 'desk',
    path: '/properties/old-town/configuration?tab=share',
    async shows(page) {
      await page.getByRole('button', { name: 'Pair a tablet with Exit' }).click();
      await page.getByText('Works once').waitFor();
    },
  },
  {
    name: 'kiosk',
    size: 'desk',
    path: '/kiosk',
    shows: (page) => pairTablet(journey, page, exitKiosk.id),
  },
  { name: 'embed', size: 'desk', path: `${CONFIGURATION}?tab=share`, shows: (page) => openSnippet(page, 'In the page') },
  { name: 'embed-mail', size: 'desk', path: `${CONFIGURATION}?tab=share`, shows: (page) => openSnippet(page, 'Email') },
  { name: 'requests', size: 'desk', path: `${CONFIGURATION}?tab=requests`, shows: reviewList },
  { name: 'share', size: 'desk', path: `${CONFIGURATION}?tab=share`, shows: text('Table') },
  { name: 'feed', size: 'phone', path: '/', shows: (page) => rows(page).first().waitFor() },
  {
    name: 'detail',
    size: 'desk',
    path: '/urgent',
    async shows(page) {
      await rows(page).first().click();
      await page.getByText('Received').first().waitFor();
    },
  },
  {
    name: 'bell',
    size: 'phone',
    path: '/',
    async shows(page) {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
    },
  },
  {
    name: 'comments',
    size: 'phone',
    path: '/urgent',
    async shows(page) {
      await rows(page).filter({ hasText: 'comments' }).first().click();
      await page.getByRole('button', { name: 'Comments', exact: true }).click();
      await page.getByRole('list', { name: 'Comments, newest first' }).waitFor();
    },
  },
  { name: 'topics', size: 'desk', path: '/overview?range=month', shows: showTopics },
  { name: 'overview', size: 'desk', path: '/overview?range=month', shows: text('Over time') },
  { name: 'editor', size: 'desk', path: CONFIGURATION, shows: text('First screen') },
  { name: 'alerts', size: 'desk', path: `${CONFIGURATION}?tab=notifications`, shows: text('Quiet hours') },
  { name: 'users', size: 'desk', path: '/account/user-management', shows: (page) => heading(page, 'Users').waitFor() },
  { name: 'administration', size: 'desk', path: '/account/administration', shows: (page) => heading(page, 'Administration').waitFor() },
  { name: 'brand', size: 'desk', path: '/account/brand', shows: text('Accent color') },
  { name: 'profile', size: 'phone', path: '/profile', shows: text('Two-step') },
  { name: 'webhook', size: 'desk', path: '/account/webhooks', shows: (page) => heading(page, 'Webhooks').waitFor() },
  { name: 'replies', size: 'desk', path: '/urgent', shows: showReplies },
  { name: 'private-page', size: 'phone', path: FORM, shows: showPrivatePage },
];

const folder = process.env['GUIDE_PICTURES'];
let journey: Journey;
let visit: BrowserVisit;
beforeAll(async () => {
  // The address appears in the pictures and in their QR codes.
  journey = await openJourney({ PUBLIC_URL: 'https://feedback.harborcoffee.example' });
  await views.add(journey.app.app.platform.database, sampleOpenings(sampleFeedback(Date.now())));
  visit = await journey.visit({ viewport: PICTURE_SIZES.desk });
  await visit.page.goto('/');
  await signIn(visit.page);
  await heading(visit.page, 'All feedback').waitFor();
});
afterAll(async () => {
  await visit.close();
  await journey.stop();
});

describe('a screen in a guide', () => {
  // Removed, so that one broken screen fails one test.
  afterEach(() => expect(visit.complaints.splice(0)).toEqual([]));

  it.each(SHOTS)('$name opens at $size size', async ({ path: address, shows, ...picture }) => {
    const { page } = visit;
    await page.setViewportSize(PICTURE_SIZES[picture.size]);
    // Going to the same address is a reload, which may keep a dialog open.
    if (page.url().endsWith(address)) await page.goto('about:blank');
    await page.goto(address);
    await shows(page);
    await settled(page);
    if (folder !== undefined) await save(page, { folder, picture });
  });
});

describe('a guide', () => {
  it.each(['light', 'dark'] as const)('loads only the pictures of the %s theme', async (theme) => {
    const { page, close } = await journey.visit({ theme });
    const addresses: string[] = [];
    page.on('request', (request) => request.url().endsWith('.webp') && addresses.push(request.url()));
    await page.goto('/docs/feedback');
    const picture = page.getByRole('img', { name: 'The feed on a phone' });
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect(addresses.filter((address) => !address.includes(`-${theme}-`))).toEqual([]);
    await expectAccessible(page);
    await close();
  });
});

async function save(page: Page, { folder, picture }: { folder: string; picture: Pick<GuidePicture, 'name' | 'size'> }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const theme of ['light', 'dark'] as const) {
    await chooseThemeOf(page, theme);
    await settled(page);
    // A page scrolls to what is clicked.
    const y = await page.evaluate(() => scrollY);
    const clip = { x: 0, y, ...PICTURE_SIZES[picture.size], scale: PICTURE_DOTS };
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 75, clip });
    await writeFile(path.join(folder, pictureFile(picture, theme)), Buffer.from(data, 'base64'));
  }
}

/**
 * A form is light unless the device stores the dark theme, so its pictures come before a theme is stored. A private page reads what is
 * stored as it opens, and a kiosk follows its device.
 */
async function chooseThemeOf(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const url = page.url();
  if (url.endsWith('/kiosk')) return page.emulateMedia({ colorScheme: theme });
  if (url.includes('/reply/')) {
    await storeTheme(page, theme);
    await page.reload();
  } else if (!url.includes(FORM)) await chooseTheme(page, theme);
}
