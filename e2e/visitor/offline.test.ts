import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oldTown, pier } from '#fixtures/business.ts';
import { FORM, face, isLive, keyOf, switchApps } from '../support/form.ts';
import { type Journey, openJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const ratingsOf = (...keys: string[]) =>
  Promise.all(
    keys.map((key) =>
      journey.app.stored<{ rating: number }>('select rating from feedback where key_hash = sha256($1)', [Buffer.from(key)]),
    ),
  );
/** Returns the addresses that the form's worker has stored. */
const storedBy = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const requests = (await caches.has('afterword-forms')) ? await (await caches.open('afterword-forms')).keys() : [];
    return requests.map(({ url }) => new URL(url).pathname);
  });
/** Returns how often the form was opened. */
const viewsOf = async (): Promise<number> => {
  const [row] = await journey.app.stored<{ sum: string | null }>('select sum(count) from view where form_id = $1', [pier.data.formId]);
  return Number(row?.sum ?? 0);
};
const opened = /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/;

describe('a form that was opened on this device', () => {
  it('opens without a network, and delivers what is given there once', async () => {
    const { page, close } = await journey.visit({ expected: opened });
    const before = await viewsOf();
    await page.goto(FORM);
    await isLive(page);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    const first = await keyOf(page);
    await face(page, 'Great').click();
    await page.getByText('saved').waitFor();
    await expect.poll(() => storedBy(page)).toContain(FORM);
    expect((await storedBy(page)).some((address) => address.startsWith('/assets/entry-client'))).toBe(true);

    await page.context().setOffline(true);
    const later = await page.context().newPage();
    await page.close();
    await later.goto(`${FORM}?at=PierTill01`);
    await isLive(later);
    const second = await keyOf(later);
    await later.goto(FORM);
    await isLive(later);
    const third = await keyOf(later);
    expect(new Set([first, second, third]).size).toBe(3);
    await later.goBack();
    await isLive(later);
    expect(await keyOf(later)).toBe(second);
    await face(later, 'Bad').click();
    await later.getByText('No connection. Your').or(later.getByText('No connection. We’ve')).waitFor();
    await later.reload();
    await isLive(later);
    expect(await keyOf(later)).toBe(second);
    expect(await face(later, 'Bad').isChecked()).toBe(true);

    await later.context().setOffline(false);
    await expect.poll(() => ratingsOf(first, second)).toEqual([[{ rating: 5 }], [{ rating: 2 }]]);
    await expect.poll(viewsOf).toBe(before + 1);
    await close();
  });

  it('is stored after an answer arrived, also if the page was left without a network before', async () => {
    const { page, close } = await journey.visit({ expected: opened });
    await page.goto(FORM);
    await isLive(page);
    const key = await keyOf(page);
    await page.context().setOffline(true);
    await face(page, 'Okay').click();
    await page.getByText('No connection. We’ve').waitFor();
    await switchApps(page);
    await page.context().setOffline(false);
    await expect.poll(() => ratingsOf(key)).toEqual([[{ rating: 3 }]]);
    await expect.poll(() => storedBy(page)).toContain(FORM);
    await close();
  });

  it('is as new as the network, and forgotten when it closes', async () => {
    const { page, close } = await journey.visit({ expected: /410/ });
    const path = `/feedback/${oldTown.data.formId}`;
    await page.goto(path);
    await isLive(page);
    await face(page, 'Okay').click();
    await expect.poll(() => storedBy(page)).toContain(path);
    await journey.app.stored("update property set display_name = 'New Town' where id = $1", [oldTown.id]);
    const token = await journey.app.signIn();
    await journey.app.call('form', 'save', { payload: { id: oldTown.data.formId, data: {} } }, token);
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.locator('.place').textContent();
      })
      .toContain('New Town');
    await journey.app.call('form', 'close', { formId: oldTown.data.formId }, token);
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.getByRole('heading', { level: 1 }).textContent();
      })
      .toBe('This form is no longer open.');
    await expect.poll(() => storedBy(page)).not.toContain(path);
    await close();
  });

  it('opens where the browser refuses its storage', async () => {
    const { page, close } = await journey.visit();
    await page.goto(FORM);
    await isLive(page);
    await face(page, 'Good').click();
    await expect.poll(() => storedBy(page)).toContain(FORM);
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(() => Object.assign(caches, { open: () => Promise.reject(new Error('Refused')) }));
    await page.goto(FORM);
    await isLive(page);
    await close();
  });

  it('opens without a network after a visitor left it in the background', async () => {
    const { page, close } = await journey.visit({ expected: opened });
    const before = await viewsOf();
    await page.goto(FORM);
    await isLive(page);
    await switchApps(page);
    await expect.poll(() => storedBy(page)).toContain(FORM);
    await page.context().setOffline(true);
    const later = await page.context().newPage();
    await page.close();
    await later.goto(FORM);
    await isLive(later);
    await expect.poll(viewsOf).toBe(before + 1);
    await close();
  });

  it('is not stored while a teammate tries it', async () => {
    const { page, close } = await journey.visit();
    await page.goto(`${FORM}?test=1`);
    await isLive(page);
    await face(page, 'Good').click();
    await page.getByText('saved').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(await storedBy(page)).toEqual([]);
    await close();
  });
});
