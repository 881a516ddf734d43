import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { rows, signIn } from '../support/dashboard.ts';
import { type Frame, framesOf, painted, textsOf } from '../support/frames.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney, PHONE } from '../support/journey.ts';

/* Every frame that the browser paints between one page and the next. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

async function openFeed(page: Page): Promise<void> {
  await signIn(page);
  await rows(page).first().waitFor();
}

const ROUTES = ['/', '/urgent', '/properties', '/account/user-management', '/account/administration', '/profile', '/nowhere'];
const DEMO = ['/demo', '/demo/urgent', '/demo/properties'];
const OUTSIDE = ['/', '/signup', '/nowhere'];

/** The light theme is nearly white and the dark one nearly black; a frame in between fits neither. */
const IS = { light: (frame: Frame) => frame.lightness > 200, dark: (frame: Frame) => frame.lightness < 70 };
type ThemeShown = keyof typeof IS;

async function visitIn(theme: ThemeShown): Promise<BrowserVisit> {
  const visit = await journey.visit({ viewport: DESKTOP, expected: /404/ });
  await visit.page.goto('/demo');
  if (theme === 'dark') {
    await visit.page.getByRole('button', { name: 'Use dark theme' }).click();
    await visit.page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    // Waits for the paint, because the recording starts with the frame on screen.
    await visit.page.screenshot();
  }
  return visit;
}

async function open(page: Page, route: string): Promise<void> {
  await page.goto(route);
  await page.locator('h1').first().waitFor();
}

/** Returns a line for each painted frame of another theme, with its route. */
async function wrongFrames(page: Page, routes: readonly string[], theme: ThemeShown): Promise<string[]> {
  const wrong: string[] = [];
  let count = 0;
  for (const route of routes) {
    const frames = await framesOf(page, () => open(page, route), `${theme} ${route}`);
    count += frames.length;
    wrong.push(
      ...frames.filter((frame) => !IS[theme](frame)).map(({ at, lightness }) => `${route} after ${at} ms: ${Math.round(lightness)}`),
    );
  }
  expect(count).toBeGreaterThan(routes.length);
  return wrong;
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it('no page flashes the other theme', async () => {
    const { page, close } = await visitIn(theme);
    expect(await wrongFrames(page, [...DEMO, ...OUTSIDE], theme)).toEqual([]);
    await page.goto('/');
    await openFeed(page);
    expect(await wrongFrames(page, ROUTES, theme)).toEqual([]);
    await close();
  });
});

it('signing out shows no empty page in between', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/');
  await openFeed(page);
  await page.reload();
  await page.locator('main a[id^=EXPERIENCE]').first().waitFor();
  const texts = await textsOf(page, 'main', async () => {
    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
  expect(texts.filter((text) => !text.startsWith('All feedback'))).toEqual([
    'Afterword\nSigning out...',
    expect.stringMatching(/^Afterword\n.*\nSign in\n/s),
  ]);
  await close();
});

describe('signing up', () => {
  it('goes straight from the confirmed email to the plans, and grows the panel smoothly', async () => {
    const email = `${randomUUID().slice(0, 8)}@newshop.test`;
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/signup');
    await page.getByLabel('Company name').fill('New Shop');
    await page.getByLabel('Your name').fill('Ann Lee');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
    await page.getByLabel(/I accept the Terms/).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Verification code').fill(/\b(\d{6})\b/.exec(await journey.app.mailTo(email, /\d{6}/))?.[1] ?? '');
    // Slowly, so that a busy machine paints some frames, too.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Animation.enable');
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.1 });
    const widths = await page.evaluateHandle(() => {
      const widths: number[] = [];
      const look = (): void => {
        const width = document.querySelector('h1')?.closest('[class*=panel]')?.getBoundingClientRect().width ?? 0;
        if (widths.at(-1) !== width) widths.push(width);
        requestAnimationFrame(look);
      };
      look();
      return widths;
    });
    const texts = await textsOf(page, 'h1', async () => {
      await page.getByRole('button', { name: 'Verify Email' }).click();
      await page.getByRole('heading', { name: 'Monthly Or Annual' }).waitFor();
    });
    expect(texts).toEqual(['Verify your email', 'Monthly Or Annual']);
    await expect.poll(async () => (await widths.jsonValue()).at(-1)).toBe(612);
    const [first, ...widening] = await widths.jsonValue();
    expect(first).toBe(375);
    expect(widening.length).toBeGreaterThan(5);
    expect(widening).toEqual(widening.toSorted((a, b) => a - b));
    await close();
  });

  it('marks an invalid field without moving anything, so the click that left it counts', async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      const { page, close } = await journey.visit({ viewport });
      await page.goto('/signup');
      const tick = page.getByLabel(/I accept the Terms/);
      await page.getByLabel('Email address').fill('dana@');
      const before = await tick.boundingBox();
      await press(page, tick);
      await page.getByText('Please enter a valid email').waitFor();
      expect(await tick.isChecked()).toBe(true);
      expect(await tick.boundingBox()).toEqual(before);
      await page.getByLabel('Password', { exact: true }).fill('abc');
      await press(page, tick);
      await page.getByText('Use at least 8 characters').waitFor();
      expect(await tick.isChecked()).toBe(false);
      expect(await tick.boundingBox()).toEqual(before);
      await close();
    }
  });

  it('counts a click beside a two-line message in large text', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE });
    await page.goto('/signup');
    const tick = page.getByLabel(/I accept the Terms/);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '250%';
    });
    await page.getByLabel('Email address').fill('dana@');
    await tick.scrollIntoViewIfNeeded();
    await press(page, tick);
    await page.getByText('Please enter a valid email').waitFor();
    expect(await tick.isChecked()).toBe(true);
    await close();
  });
});

/** Presses and releases at one point, with a paint in between as by hand. */
async function press(page: Page, target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await painted(page);
  await page.mouse.up();
}
