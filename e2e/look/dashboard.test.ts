import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, noor, oldTown, pier } from '#fixtures/business.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { launch } from '../support/chromium.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import { textsOf } from '../support/frames.ts';
import {
  DESKTOP,
  expectAccessible,
  expectFit,
  expectNoFinding,
  holdBack,
  type Journey,
  OTHER_SIZES,
  openJourney,
  PHONE,
  picture,
  settled,
  visit,
} from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

/** Returns the controls that a touch 21 px above or below their center misses, except links within sentences. Runs in the page. */
function smallTargets(): (string | null)[] {
  const isHit = (control: Element, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    const label = hit?.closest('label');
    return hit !== null && (control.contains(hit) || label?.control === control || hit.contains(control));
  };
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((control) => {
    const isInSentence = getComputedStyle(control).display === 'inline' && !control.classList.contains('touch-link');
    return !isInSentence && control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().bottom > 0;
  });
  return controls
    .filter((control) => {
      control.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return !isHit(control, x, y - 21) || !isHit(control, x, y + 21);
    })
    .map(({ textContent, ariaLabel, outerHTML }) => textContent || ariaLabel || outerHTML);
}

const localData = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }));

describe('signing in', () => {
  it('shows what is missing and what is wrong', async () => {
    const { page, close } = await journey.visit({ expected: /400/ });
    await page.goto('/');
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await page.getByLabel('Email').fill('Dana');
    await page.getByLabel('Password', { exact: true }).focus();
    await page.getByText('Please enter a valid email').waitFor();
    await signIn(page, dana.data.emailAddress, 'not the password');
    await page.getByText('Incorrect email or password.').waitFor();
    await signIn(page, 'nobody@example.com', 'not the password');
    await page.getByText('Incorrect email or password.').waitFor();
    await close();
  });

  it('opens the requested page, and survives a reload', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/urgent?range=week');
    await signIn(page, 'DANA@HarborCoffee.test');
    await heading(page, 'Urgent').waitFor();
    expect(new URL(page.url()).search).toBe('?range=week');
    await page.reload();
    await heading(page, 'Urgent').waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
    await close();
  });

  it('ends in every tab on signing out, and removes the team’s data', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /401/ });
    await page.goto('/');
    await signIn(page);
    await rows(page).first().waitFor();
    await expect.poll(() => localData(page)).toContain('EXPERIENCE_');
    const otherTab = await page.context().newPage();
    await otherTab.goto('/');
    await rows(otherTab).first().waitFor();
    await page.goto('/signout');
    await heading(page, 'Sign in').waitFor();
    await heading(otherTab, 'Sign in').waitFor();
    const remaining = await localData(page);
    for (const secret of ['EXPERIENCE_', 'accessToken', 'refreshToken']) expect(remaining).not.toContain(secret);
    await close();
  });

  it('survives going offline, and a part of the page that fails to load', async () => {
    const { page, close } = await journey.visit({
      viewport: DESKTOP,
      expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|preload CSS|did not load/,
    });
    await page.route('**/TrendChart-*', (route) => route.abort());
    await page.goto('/');
    await signIn(page);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Show trend' }).click();
    await page.getByText('This part didn’t load.').waitFor();
    expect(await rows(page).count()).toBeGreaterThan(1);
    await page.context().setOffline(true);
    await page.getByText('You’re offline').waitFor();
    await page.getByRole('link', { name: 'Urgent' }).first().click();
    await heading(page, 'Urgent').waitFor();
    // Its code was never fetched.
    await page.getByRole('link', { name: 'Users' }).first().click();
    await heading(page, 'This page didn’t load').waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await heading(page, 'Users').waitFor();
    await close();
  });
});

describe('the feed', () => {
  it('announces new feedback, and moves no row until it is shown', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await signIn(page);
    const first = await rows(page).first().getAttribute('id');
    await journey.app.call('feedback', 'save', submission({ rating: 1, text: 'The door was locked at noon.' }));
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor();
    expect(await rows(page).first().getAttribute('id')).toBe(first);
    await pill.click();
    await expect.poll(() => rows(page).first().textContent()).toContain('The door was locked at noon.');
    await close();
  });

  it('keeps its filters in the address, and ignores unknown values', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/?range=eon&rating=9&kind=odd');
    await signIn(page);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: /Awful/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('rating')).toBe('1');
    await expect
      .poll(async () =>
        (await rows(page).locator('.visually-hidden').allTextContents()).every((words) => /^(?:Unread\. )?Awful\. $/.test(words)),
      )
      .toBe(true);
    await page.getByText('Week', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('week');
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).not.toBe('week');
    await close();
  });

  it('can be read by keyboard alone', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await signIn(page);
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const open = page.locator('main a[aria-current]');
    await expect.poll(() => open.count()).toBe(1);
    const ids = await rows(page).evaluateAll((links) => links.map(({ id }) => id));
    await expect.poll(async () => ids.indexOf((await open.getAttribute('id')) ?? '')).toBeGreaterThan(0);
    await page.keyboard.press('1');
    await expect.poll(() => new URL(page.url()).searchParams.get('rating')).toBe('1');
    await page.keyboard.press('0');
    await expect.poll(() => new URL(page.url()).searchParams.get('rating')).toBeNull();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await close();
  });

  it('loads page after page', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/');
    await signIn(page);
    await rows(page).nth(24).waitFor();
    await page.getByRole('button', { name: 'Load 25 more' }).click();
    await expect.poll(() => rows(page).count()).toBe(50);
    await close();
  });

  it.each([
    ['phone', PHONE],
    ['desk', DESKTOP],
  ] as const)('shows the last rows, read-only, until the server responds: on a %s', async (_device, viewport) => {
    const { page, close } = await journey.visit({ viewport });
    await page.goto('/');
    await signIn(page);
    await rows(page).first().waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('afterword'))).toContain('EXPERIENCE');
    const ids = () => rows(page).evaluateAll((all) => all.map(({ id }) => id).slice(0, 5));
    const [idsBefore, boxBefore] = [await ids(), await rows(page).first().boundingBox()];
    const release = await holdBack(page, '**/api/data');
    await page.reload();
    await rows(page).first().waitFor();
    expect(await ids()).toEqual(idsBefore);
    await expectNoFinding(page);
    await picture(page, `feed-kept-${viewport.width}`);
    const address = page.url();
    for (const key of ['j', 'e', 'Enter']) await page.keyboard.press(key);
    expect([page.url(), await page.getByText('Deleted property').count()]).toEqual([address, 0]);
    const texts = await textsOf(page, 'main', async () => {
      release();
      await page.locator('[inert]').waitFor({ state: 'detached' });
      await settled(page);
    });
    expect(texts.filter((text) => !text.startsWith('All feedback'))).toEqual([]);
    expect([await ids(), await rows(page).first().boundingBox()]).toEqual([idsBefore, boxBefore]);
    expect(await rows(page).first().textContent()).toMatch(/Pier 4|Old Town/);
    await close();
  });

  it.each([
    ['the team', '"service":"user","action":"list"', 'The server has a problem'],
    ['the list', '"service":"feedback","action":"list"', 'We couldn’t load feedback.'],
  ])('shows what failed when the server can’t load %s, and retries', async (_what, call, title) => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /500/ });
    await page.goto('/');
    await heading(page, 'Sign in').waitFor();
    let isBroken = true;
    // Nothing succeeds before the button was pressed, because the page also tries again automatically.
    const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
    await page.route('**/api/data', async (route) => {
      const isConcerned = route.request().postData()?.includes(call) === true;
      if (isConcerned && isBroken)
        return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","title":"Our fault."}' });
      if (isConcerned) await isPressed;
      await route.continue();
    });
    await signIn(page);
    await page.getByText(title).waitFor();
    await page.getByText('Our fault.').waitFor();
    expect(await page.getByText(/connection|reach the server/).count()).toBe(0);
    await expectNoFinding(page);
    await picture(page, `failed-${title}`);
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    press();
    await rows(page).first().waitFor();
    await close();
  });

  it('reports that it can’t reach the server, and continues once it can', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /ERR_CONNECTION_REFUSED/ });
    await page.goto('/');
    await heading(page, 'Sign in').waitFor();
    let attempts = 0;
    await page.route('**/api/data', (route) => {
      attempts += 1;
      return route.abort('connectionrefused');
    });
    await signIn(page);
    await heading(page, 'We couldn’t reach the server').waitFor();
    await expectNoFinding(page);
    const attemptsBefore = attempts;
    const headings = await textsOf(page, 'h1', () => expect.poll(() => attempts).toBeGreaterThan(attemptsBefore + 3));
    expect(headings).toEqual(['We couldn’t reach the server']);
    await page.unroute('**/api/data');
    await rows(page).first().waitFor();
    await close();
  });

  it('sets a flood aside until someone counts it, and undoes that', async () => {
    await Promise.all(
      Array.from({ length: 130 }, () =>
        journey.app.call('feedback', 'save', submission({ rating: 1 }, { form: formOf(oldTown.data.formId) })),
      ),
    );
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/properties/old-town/feedback');
    await signIn(page);
    const awful = page.getByRole('button', { name: /Awful/ });
    await page.getByRole('button', { name: 'Review them' }).waitFor();
    const before = await awful.textContent();
    await page.getByRole('button', { name: 'Review them' }).click();
    expect(new URL(page.url()).searchParams.get('kind')).toBe('suspected');
    await page.getByText('25 of 30').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Count these 25' }).click();
    await page.getByText('25 answers are now counted.').waitFor();
    await page.getByText('5 results').waitFor();
    await expect.poll(() => awful.textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('25 of 30').waitFor();
    await expect.poll(() => awful.textContent()).toBe(before);
    await page.getByRole('button', { name: 'Count it' }).click();
    await page.getByText('25 of 29').waitFor();
    await close();
  });

  it('opens for one property by its id and by its name only', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /404/ });
    await page.goto(`/properties/${pier.id}/feedback`);
    await signIn(page, noor.data.emailAddress);
    await heading(page, 'Pier 4').waitFor();
    await page.goto('/properties/pier-4/feedback');
    await heading(page, 'Pier 4').waitFor();
    await page.goto('/properties/pier-5/feedback');
    await page.getByText("You've reached a page that isn't available.").waitFor();
    await close();
  });
});

describe('the demo', () => {
  it('needs no sign-in, calls no API, and stores no feedback', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/demo');
    await rows(page).first().waitFor();
    await page.getByText('Demo data. Nothing is saved; changes last until you leave.').waitFor();
    await page.getByRole('link', { name: 'Properties' }).first().click();
    await heading(page, 'Properties').waitFor();
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
    expect(await localData(page)).not.toContain('EXPERIENCE_');
    await close();
  });

  it('accepts changes until the page is left, and says what needs a server', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/demo');
    await rows(page).first().waitFor();

    await page.getByRole('link', { name: 'Administration' }).first().click();
    await page.getByLabel('Company name').fill('Harbor Tea');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('banner').getByText('Harbor Tea').waitFor();

    await page.getByRole('link', { name: 'Users' }).first().click();
    await page.getByRole('button', { name: 'Sam Lee' }).click();
    await page.getByLabel('Level').selectOption('admin');
    await page.getByRole('button', { name: 'Save level' }).click();
    await page.getByText('Sam Lee is now an admin.').waitFor();
    await page.getByRole('button', { name: 'Remove user' }).click();
    await page.getByRole('dialog', { name: 'Remove Sam Lee?' }).getByRole('button', { name: 'Remove user' }).click();
    await page.getByText('Sam Lee was removed.').waitFor();

    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel('Name').fill('Ann Lee');
    await dialog.getByLabel('Email').fill('ann@harborcoffee.test');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('This is a demo: no mail is sent.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Properties' }).first().click();
    await page.getByRole('link', { name: 'Users' }).first().click();
    await heading(page, 'Users').waitFor();
    expect(await page.getByRole('button', { name: 'Sam Lee' }).count()).toBe(0);
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Sam Lee' }).waitFor();
    await page.getByRole('banner').getByText('Harbor Coffee').waitFor();
    await close();
  });
});

describe('every page', () => {
  it('opens at an address that ends with a slash', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const pathAt = async (address: string, name: string) => {
      await page.goto(`${journey.address}${address}`);
      await heading(page, name).waitFor();
      return page.url().replace(journey.address, '');
    };
    expect(await pathAt('/signup/', 'Create An Account')).toBe('/signup');
    expect(await pathAt('/docs/feedback//', 'Feedback')).toBe('/docs/feedback');
    expect(await pathAt('/demo/urgent/?range=all', 'Urgent')).toBe('/demo/urgent?range=all');
    expect(await pathAt('//elsewhere.example/', 'Sign in')).toBe('//elsewhere.example/');
    await page.goto('/account/administration/#top');
    await signIn(page);
    await heading(page, 'Administration').waitFor();
    expect(page.url().replace(journey.address, '')).toBe('/account/administration#top');
    await page.getByRole('link', { name: 'Administration' }).and(page.locator('[aria-current=page]')).waitFor();
    await page.goto('/');
    await heading(page, 'All feedback').waitFor();
    expect(await pathAt('/signup/', 'All feedback')).toBe('/');
    await close();
  });

  it('reflows at 320 px', async () => {
    const { page, close } = await journey.visit({ viewport: { width: 320, height: 640 } });
    for (const path of ['/demo', '/demo/urgent', '/demo/properties']) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await expectAccessible(page);
    }
    await close();
  });

  it('has targets of at least 44 px on a touch screen', async () => {
    const { page, close } = await journey.visit({ viewport: PHONE, hasTouch: true, isMobile: true });
    const pages = ['/demo', '/demo/overview', '/demo/properties', '/demo/profile', '/demo/properties/pier-4/configuration?tab=services'];
    for (const path of ['/', '/about', '/docs', ...pages]) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await settled(page);
      expect([path, await page.evaluate(smallTargets)]).toEqual([path, []]);
    }
    await close();
  });

  it('reflows with text twice as large', async () => {
    const browser = await launch({ textSize: 32 });
    const { page } = await visit(browser, { baseURL: journey.address });
    const account = ['administration', 'webhooks', 'brand', 'user-management'].map((name) => `/demo/account/${name}`);
    const tabs = ['share', 'notifications', 'services'].map((name) => `/demo/properties/pier-4/configuration?tab=${name}`);
    const paths = ['/demo', '/demo/overview', '/nowhere', ...tabs, ...account];
    const cutOff = page.locator('.mantine-Button-label, dt').filter({ visible: true });
    const isCut = (labels: Element[]) => labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent);
    const expectReflow = async (name: string) => {
      for (const viewport of [PHONE, DESKTOP, ...OTHER_SIZES]) {
        await page.setViewportSize(viewport);
        await settled(page);
        await expectFit(page);
        expect([name, viewport.width, await cutOff.evaluateAll(isCut)]).toEqual([name, viewport.width, []]);
      }
    };
    for (const path of paths) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await expectReflow(path);
    }
    await page.goto('/demo');
    await rows(page).first().click();
    await page.getByText('Received').first().waitFor();
    await expectReflow('an open item');
    await browser.close();
  });
});
