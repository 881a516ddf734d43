import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPath } from '#contract/form/form-page.ts';
import { MOST_UNREAD } from '#contract/notification/limits.ts';
import { pier } from '#fixtures/business.ts';
import { openPushService, type ReceivedPush, type SubscribedBrowser, type TestPushService } from '../../test/support/push-service.ts';
import { submission } from '../../test/support/submission.ts';
import { heading, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* Notifications other than email: the bell, and push notifications on a device. */

let journey: Journey;
let service: TestPushService;
beforeAll(async () => {
  service = await openPushService();
  journey = await openJourney({ OUTBOUND_ALLOW_PRIVATE: 'true' }, { isWhole: true });
});
afterAll(async () => {
  await journey.stop();
  await service.stop();
});

describe('the bell', () => {
  it('counts new notifications, opens one, and clears the count', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/properties');
    await signIn(page);
    await heading(page, 'Properties').waitFor();
    const bell = page.getByRole('button', { name: /^Notifications/ });
    await page.mouse.move(5, 5);
    await expect.poll(() => bell.getAttribute('aria-label')).toMatch(/^Notifications, \d+ unread$/);
    const before = Number.parseInt((await bell.getAttribute('aria-label'))?.match(/\d+/)?.[0] ?? '0', 10);
    const { body } = await journey.app.call('feedback', 'save', submission({ rating: 1, text: 'Cold soup' }));
    await page.getByRole('button', { name: `Notifications, ${before + 1} unread`, exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    const first = panel.getByRole('listitem').first();
    await first.getByText('Rated Awful').waitFor();
    await first.getByText('“Cold soup”').waitFor();
    await first.getByText(pier.data.displayName).waitFor();
    await expectGoodLooks(page, 'notifications');
    await first.getByRole('link').click();
    await page.getByText('Cold soup').first().waitFor();
    expect(new URL(page.url()).search).toBe(`?id=${body.feedback.id}`);
    await page.getByRole('button', { name: `Notifications, ${before} unread`, exact: true }).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await page.keyboard.press('Escape');
    // The focus returns to the bell, which shows no count.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Notifications');
    await close();
  });
});

describe('the number on the bell', () => {
  it.each([PHONE, DESKTOP])('is never cut at $width px, also in text of double size', async (viewport) => {
    const { page, close } = await journey.visit({ viewport });
    await page.route('**/api/data', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: 'notifications' in body ? { ...body, unread: MOST_UNREAD } : body });
    });
    await page.goto('/properties');
    await signIn(page);
    const bell = page.getByRole('button', { name: 'Notifications, 99+ unread', exact: true });
    for (const size of ['100%', '200%']) {
      await page.evaluate((value) => {
        document.documentElement.style.fontSize = value;
      }, size);
      const [count, button] = await Promise.all([bell.getByText('99+').boundingBox(), bell.boundingBox()]);
      expect(count?.x).toBeGreaterThanOrEqual(button?.x ?? Infinity);
      expect((count?.x ?? Infinity) + (count?.width ?? 0)).toBeLessThanOrEqual((button?.x ?? 0) + (button?.width ?? 0));
      expect(await bell.getByText('99+').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    await close();
  });
});

describe('push notifications', () => {
  it('appear once turned on, and disappear when the feedback is opened or the person signs out', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const phone = service.browser();
    await page.context().grantPermissions(['notifications'], { origin: journey.address });
    await subscribeAt(page, phone);
    const deliver = await openDelivery(page);
    await page.goto('/profile');
    await signIn(page);
    const toggle = page.getByRole('switch', { name: 'Show notifications on this device' });
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(() => phone.received.map(({ shown }) => shown.title)).toEqual(['Test notification from Afterword']);
    await expectGoodLooks(page, 'push');
    const { body } = await journey.app.call('feedback', 'save', submission({ rating: 2, text: 'Stale bread' }));
    await expect.poll(() => phone.received.length).toBe(2);
    await deliver(phone.received[1]?.shown);
    expect(await shownIn(page)).toEqual(['Rated Bad']);
    const program = await page.request.get('/push-worker.js');
    expect([program.headers()['cache-control'], (await program.text()).includes('fetch')]).toEqual(['no-cache', false]);
    await page.goto(`/?id=${body.feedback.id}`);
    await page.getByText('Stale bread').first().waitFor();
    await page.mouse.move(5, 5);
    await expect.poll(() => shownIn(page)).toEqual([]);
    await deliver(phone.received[0]?.shown);
    await page.goto('/signout');
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => shownIn(page)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('subscribed by the test'))).toBeNull();
    // The visitor's form registers no service worker.
    const visitor = await journey.visit();
    await visitor.page.goto(formPath(pier.data.formId));
    expect(await visitor.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    await visitor.close();
    await close();
  });
});

/** Subscribes the browser at the test's push service, because the internet can't be reached. */
const subscribeAt = (page: Page, { subscription }: SubscribedBrowser): Promise<unknown> =>
  page.addInitScript((input) => {
    const key = 'subscribed by the test';
    const pushSubscription = {
      endpoint: input.endpoint,
      toJSON: () => input,
      async unsubscribe() {
        localStorage.removeItem(key);
        return true;
      },
    } as unknown as PushSubscription;
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) === null ? null : pushSubscription);
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem(key, 'yes');
      return pushSubscription;
    };
  }, subscription);

/**
 * Returns a function that delivers a push message and waits until it is shown. It starts the worker first, because the browser drops
 * messages that arrive while it starts; it doesn't repeat them, because one that arrives late would be shown again.
 */
async function openDelivery(page: Page): Promise<(shown: ReceivedPush['shown'] | undefined) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  let worker = { registrationId: '', runningStatus: '', status: '' };
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    worker = versions.at(-1) ?? worker;
  });
  await devtools.send('ServiceWorker.enable');
  return async (shown) => {
    await devtools.send('ServiceWorker.startWorker', { scopeURL: `${journey.address}/` });
    await expect.poll(() => worker).toMatchObject({ runningStatus: 'running', status: 'activated' });
    const { registrationId } = worker;
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: journey.address, registrationId, data: JSON.stringify(shown) });
    await expect.poll(() => shownIn(page)).toContain(shown?.title);
  };
}

const shownIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return ((await registration?.getNotifications()) ?? []).map(({ title }) => title).sort();
  });
