import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, pier } from '#fixtures/business.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { heading, signIn } from '../support/dashboard.ts';
import { type BrowserVisit, crash, DESKTOP, expectNoFinding, type Journey, openJourney, picture } from '../support/journey.ts';
import { pairTablet } from '../support/kiosk.ts';
import { expectGoodLooks } from '../support/looks.ts';
import { readCode } from '../support/qr.ts';

/* A tablet from its pairing to its end. Whatever it is tapped, the database has each answer once. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const LANDSCAPE = { width: 1_024, height: 768 };
const PIN = '2580';
/** What the browser reports while there is no network. */
const OFFLINE = /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/;
let kiosks = 0;

async function call(action: string, input: object) {
  return (await journey.app.call('kiosk', action, input, await journey.app.signIn())).body;
}

interface PairedTablet extends BrowserVisit {
  readonly id: string;
}

/** Opens a tablet that is paired with a new kiosk of Pier 4. */
async function openTablet(
  { pin = PIN, repeatWithin = 0, ...settings }: { pin?: string; repeatWithin?: number; thanks?: string } = {},
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<PairedTablet> {
  kiosks += 1;
  const data = { propertyId: pier.id, displayName: `Door ${kiosks}`, pin, repeatWithin, ...settings };
  const { id } = (await call('save', { payload: { data } })).kiosk;
  const visit = await journey.visit({ viewport: LANDSCAPE, expected: OFFLINE });
  await prepare(visit.page);
  await pairTablet(journey, visit.page, id);
  return { ...visit, id };
}

const question = (page: Page) => heading(page, 'How was your visit?');
const face = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const next = (page: Page) => page.getByRole('button', { name: 'Next visitor' });

async function rate(page: Page, name: string): Promise<void> {
  await face(page, name).click();
  await next(page).click();
  await question(page).waitFor();
}

interface AnswerRow {
  readonly rating: number;
  readonly text: string | null;
  readonly suspected: boolean | null;
}
const answersOf = (id: string): Promise<AnswerRow[]> =>
  journey.app.stored<AnswerRow>('select rating, text, suspected from feedback where tool_id = $1 order by id', [id]);
const ratingsOf = async (id: string): Promise<number[]> => (await answersOf(id)).map(({ rating }) => rating);

/** Waits until the page opens without a network. */
const stored = (page: Page) =>
  expect.poll(() => page.evaluate(async () => (await (await caches.open('afterword-kiosk')).match('/kiosk')) !== undefined)).toBe(true);

async function openStaff(page: Page, pin = PIN): Promise<void> {
  await page.getByRole('button', { name: 'Staff' }).click();
  await page.getByLabel('PIN').fill(pin);
  await page.getByRole('button', { name: 'Open' }).click();
}

describe('a kiosk', () => {
  it('is added and paired in the dashboard, and collects a rating with one tap and words', async () => {
    const team = await journey.visit({ viewport: DESKTOP, expected: /status of 400/ });
    const { page } = team;
    await page.goto('/properties/pier-4/configuration?tab=share');
    await signIn(page);
    await page.getByText('No kiosks yet.').waitFor();
    await page.getByRole('button', { name: 'Add kiosk' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add kiosk' });
    await dialog.getByLabel('Name').fill('TILL');
    await dialog.getByLabel('PIN').fill(PIN);
    await dialog.getByRole('button', { name: 'Add kiosk' }).click();
    await dialog.getByText('This property already has a placement with this name').waitFor();
    await dialog.getByLabel('Name').fill('Exit');
    await dialog.getByLabel('Monday, to').fill('09:00');
    await dialog.getByRole('button', { name: 'Add kiosk' }).click();
    await dialog.getByText('Enter a closing time that differs from the opening time').waitFor();
    await dialog.getByRole('checkbox', { name: 'Monday' }).uncheck();
    await expectGoodLooks(page, 'kiosk-add');
    await dialog.getByRole('button', { name: 'Add kiosk' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Pair a tablet with Exit' }).click();
    const pairing = page.getByRole('dialog', { name: 'Pair a tablet with Exit' });
    const code = (await pairing.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()) ?? '';
    await pairing.getByText(`${journey.address}/kiosk`).waitFor();
    await expectGoodLooks(page, 'kiosk-pair');

    const tablet = await journey.visit({ viewport: LANDSCAPE, expected: /status of 404/ });
    await tablet.page.goto('/kiosk');
    await tablet.page.getByLabel('Code').fill('ABCD-2345');
    await tablet.page.getByRole('button', { name: 'Pair this tablet' }).click();
    await tablet.page.getByText('This code is wrong, was used or has expired.').waitFor();
    await expectNoFinding(tablet.page);
    await tablet.page.getByLabel('Code').fill(code.toLowerCase());
    await tablet.page.getByRole('button', { name: 'Pair this tablet' }).click();
    await question(tablet.page).waitFor();
    await page.getByText('Exit is paired.').waitFor();
    await pairing.waitFor({ state: 'hidden' });
    const row = page.getByRole('list', { name: 'Kiosks' }).getByRole('listitem');
    await row.getByText('Online').waitFor();
    await expectNoFinding(tablet.page);
    await picture(tablet.page, 'kiosk-question-1024');

    await face(tablet.page, 'Great').click();
    await heading(tablet.page, 'Thank you!').waitFor();
    // The screen stays for someone who touches it, however slow the machine is.
    const stay = () => tablet.page.keyboard.press('Shift');
    await expectNoFinding(tablet.page);
    await stay();
    await picture(tablet.page, 'kiosk-thanks-1024');
    await stay();
    const codes = tablet.page.getByRole('img', { name: 'Review us on Google' });
    expect(await readCode(await codes.screenshot())).toBe(`${journey.address}/feedback/${pier.data.formId}/review/Google`);
    await stay();
    expect(await tablet.page.locator('a').count()).toBe(0);
    await tablet.page.getByLabel('What did you enjoy?').fill('The lemon cake');
    await tablet.page.getByRole('button', { name: 'Send' }).click();
    await question(tablet.page).waitFor();
    const [{ id } = { id: '' }] = await journey.app.stored<{ id: string }>(
      "select id from tool where display_name = 'Exit' and property_id = $1",
      [pier.id],
    );
    await expect.poll(() => answersOf(id)).toEqual([{ rating: 5, text: 'The lemon cake', suspected: null }]);
    await tablet.close();
    await team.close();
  });

  it.each([
    [320, 640],
    [375, 812],
    [768, 1_024],
    [1_024, 768],
    [1_440, 900],
  ])('fits on a screen of %d by %d px, in Arabic and Japanese too', async (width, height) => {
    const { page, close } = await openTablet();
    await page.setViewportSize({ width, height });
    for (const [tag, direction] of [
      ['en', 'ltr'],
      ['ar', 'rtl'],
      ['ja', 'ltr'],
    ] as const) {
      await page.getByRole('combobox').selectOption(tag);
      await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe(direction);
      const tops = await page.locator('.face').evaluateAll((faces) => faces.map((each) => each.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      await expectNoFinding(page);
      await picture(page, `kiosk-${width}-${tag}`);
      await page.locator('.face').last().click();
      await page.locator('.next').waitFor();
      await expectNoFinding(page);
      await picture(page, `kiosk-${width}-${tag}-thanks`);
      await page.locator('.next').click();
      // The next visitor starts in the form's language.
      await question(page).waitFor();
    }
    await close();
  });

  it('counts taps within seconds once, and keeps the others apart', async () => {
    const { page, id, close } = await openTablet({ repeatWithin: 60 });
    for (const name of ['Awful', 'Awful', 'Bad']) await rate(page, name);
    await expect
      .poll(() => answersOf(id))
      .toMatchObject([
        { rating: 1, suspected: null },
        { rating: 1, suspected: true },
        { rating: 2, suspected: true },
      ]);
    await close();
  });

  it('stores a rating and its words although the team closes the form during the visit', async () => {
    const { page, id, close } = await openTablet({}, (page) => page.clock.install());
    await face(page, 'Good').dblclick();
    await page.getByLabel('What did you enjoy?').fill('The view');
    const token = await journey.app.signIn();
    await journey.app.call('form', 'close', { formId: pier.data.formId }, token);
    const reported = page.waitForResponse((response) => response.url().endsWith('/api/data'));
    await page.getByLabel('What did you enjoy?').press('End');
    await page.clock.fastForward(40_000);
    await page.getByLabel('What did you enjoy?').press('End');
    await page.clock.fastForward(25_000);
    await reported;
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This form is no longer open.').waitFor();
    await expect.poll(() => answersOf(id)).toEqual([{ rating: 4, text: 'The view', suspected: null }]);
    await journey.app.call('form', 'open', { formId: pier.data.formId }, token);
    await close();
  });

  it('returns to the question when a visitor has left, and keeps their words', async () => {
    const { page, id, close } = await openTablet({}, (page) => page.clock.install());
    await face(page, 'Bad').click();
    await page.getByLabel('What went wrong?').fill('Cold soup');
    await page.clock.fastForward(44_000);
    await expect(page.getByLabel('What went wrong?').inputValue()).resolves.toBe('Cold soup');
    await page.clock.fastForward(2_000);
    await question(page).waitFor();
    await face(page, 'Good').click();
    await page.clock.fastForward(13_000);
    await question(page).waitFor();
    await expect
      .poll(() => answersOf(id))
      .toMatchObject([
        { rating: 2, text: 'Cold soup' },
        { rating: 4, text: null },
      ]);
    await page.getByRole('combobox').selectOption('de');
    await page.clock.fastForward(46_000);
    await question(page).waitFor();
    expect(await page.locator('.attracting').count()).toBe(1);
    await face(page, 'Great').click();
    await heading(page, 'Thank you!').waitFor();
    await close();
  });
});

it('keeps the screen on, and moves its picture each minute so that nothing burns in', async () => {
  const { page, close } = await openTablet({}, async (tablet) => {
    await tablet.clock.install();
    await tablet.addInitScript(() => {
      const request = async (kind: string) => Object.assign(document.documentElement.dataset, { lock: kind });
      Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    });
  });
  await question(page).waitFor();
  expect(await page.locator('html').getAttribute('data-lock')).toBe('screen');
  const place = async () => (await face(page, 'Great').boundingBox())?.x;
  const before = await place();
  await page.clock.fastForward(61_000);
  await expect.poll(place).not.toBe(before);
  await close();
});

/** Makes the browser store nothing more, and returns a function that ends this. */
async function fillStorage(page: Page): Promise<() => Promise<void>> {
  const put = await page.evaluateHandle(() => {
    const { put: stored } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('It is full', 'QuotaExceededError');
    };
    return stored;
  });
  return () => put.evaluate((stored) => void Object.assign(IDBObjectStore.prototype, { put: stored }));
}

it('a kiosk counts a tap that follows one which it couldn’t store', async () => {
  const { page, id, close } = await openTablet({ repeatWithin: 60 });
  const empty = await fillStorage(page);
  await face(page, 'Bad').click();
  await page.getByText('We couldn’t save that').waitFor();
  await empty();
  await rate(page, 'Bad');
  await expect.poll(() => answersOf(id)).toEqual([{ rating: 2, text: null, suspected: null }]);
  await close();
});

it('a kiosk shows words that it can’t store to their visitor, and to no one after that', async () => {
  const { page, id, close } = await openTablet({}, (page) => page.clock.install());
  await face(page, 'Bad').click();
  await page.getByLabel('What went wrong?').fill('Call me at 040 12345');
  await fillStorage(page);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('We couldn’t save that').waitFor();
  await expect(page.getByLabel('What went wrong?').inputValue()).resolves.toBe('Call me at 040 12345');
  await page.clock.fastForward(46_000);
  await question(page).waitFor();
  expect(await page.getByText('We couldn’t save that').count()).toBe(0);
  await expect.poll(() => answersOf(id)).toMatchObject([{ rating: 2, text: null }]);
  await close();
});

describe('storage that the browser closes', () => {
  it('is opened again for the next tap', async () => {
    const { page, id, close } = await openTablet();
    await rate(page, 'Great');
    await expect.poll(() => ratingsOf(id)).toEqual([5]);
    await page.evaluate(() => {
      const { transaction } = IDBDatabase.prototype;
      let isClosed = false;
      IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given: Parameters<typeof transaction>) {
        if (!isClosed) this.close();
        isClosed = true;
        return transaction.apply(this, given);
      };
    });
    await rate(page, 'Bad');
    await expect.poll(() => ratingsOf(id)).toEqual([5, 2]);
    await close();
  });

  it('and can’t be opened is tried again by a new page', async () => {
    const { page, id, close } = await openTablet();
    await page.evaluate(() => {
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given: Parameters<typeof transaction>) {
        this.close();
        return transaction.apply(this, given);
      };
      indexedDB.open = () => {
        throw new Error('closed');
      };
    });
    const reloaded = page.waitForEvent('load');
    await face(page, 'Great').click();
    await reloaded;
    await rate(page, 'Okay');
    await expect.poll(() => ratingsOf(id)).toEqual([3]);
    await close();
  });
});

describe('without a network', () => {
  /** Opens the kiosk in a new page of the same tablet. */
  async function reopen(context: BrowserContext, page: Page): Promise<Page> {
    await crash(page);
    const reopened = await context.newPage();
    await reopened.goto('/kiosk');
    await question(reopened).waitFor();
    return reopened;
  }

  it('a kiosk opens from cold, and delivers each answer once with its time', async () => {
    const { page: first, id, close } = await openTablet();
    const context = first.context();
    await stored(first);
    await context.setOffline(true);
    const page = await reopen(context, first);
    await rate(page, 'Great');
    await face(page, 'Awful').click();
    await heading(page, 'We’re sorry about that').waitFor();
    // The tablet is switched off while its visitor reads.
    const again = await reopen(context, page);
    await rate(again, 'Okay');
    await openStaff(again);
    await again.getByText('3 answers waiting').waitFor();
    await again.getByText(/^None/).waitFor();
    await expectNoFinding(again);
    await again.getByRole('button', { name: 'Back to the kiosk' }).click();
    expect(await ratingsOf(id)).toEqual([]);
    const before = Date.now();
    await context.setOffline(false);
    await expect.poll(() => ratingsOf(id)).toEqual([5, 1, 3]);
    const [row] = await journey.app.stored<{ created: Date }>('select max(created) as created from feedback where tool_id = $1', [id]);
    expect(row?.created.getTime()).toBeLessThan(before);
    await openStaff(again);
    await again.getByText('All delivered').waitFor();
    await close();
  });

  it('a kiosk whose clock is corrected before it delivers dates answers by their age', async () => {
    const { page, id, close } = await openTablet();
    const setBack = (days: number) =>
      page.evaluate((ms) => {
        const { now } = Date;
        Date.now = () => now() - ms;
      }, days * 86_400_000);
    await stored(page);
    const before = new Date();
    await page.context().setOffline(true);
    await setBack(400);
    await rate(page, 'Great');
    await setBack(-400);
    await page.context().setOffline(false);
    await expect.poll(() => ratingsOf(id)).toEqual([5]);
    await page.context().setOffline(true);
    await setBack(400);
    await rate(page, 'Bad');
    // A new page has the right clock.
    await page.reload();
    await question(page).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => ratingsOf(id)).toEqual([5, 2]);
    expect(await journey.app.stored('select rating from feedback where tool_id = $1 and created < $2', [id, before])).toEqual([]);
    await close();
  });

  it('10,000 taps become 10,000 answers', { timeout: 6 * PATIENT.timeout }, async () => {
    const { page, id, close } = await openTablet();
    await page.context().setOffline(true);
    await rate(page, 'Great');
    await page.evaluate(async (count) => {
      const opening = indexedDB.open('afterword-kiosk');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const change = opening.result.transaction('waiting', 'readwrite');
      const waiting = change.objectStore('waiting');
      const reading = waiting.getAll();
      await new Promise((resolve) => {
        reading.onsuccess = resolve;
      });
      const [tapped] = reading.result;
      for (let tap = 1; tap < count; tap += 1) waiting.add({ ...tapped, key: crypto.randomUUID() });
      await new Promise((resolve) => {
        change.oncomplete = resolve;
      });
    }, 10_000);
    await page.context().setOffline(false);
    const count = async () =>
      (await journey.app.stored<{ count: number }>('select count(*)::integer as count from feedback where tool_id = $1', [id]))[0]?.count;
    await expect.poll(count, { timeout: 3 * PATIENT.timeout }).toBe(10_000);
    const [tally] = await journey.app.stored<{ five: number }>(
      'select sum(five)::integer as five from feedback_tally where account_id = $1 and place = $2',
      [ACCOUNT_ID, id],
    );
    expect(tally?.five).toBe(10_000);
    await openStaff(page);
    await page.getByText('All delivered').waitFor();
    await close();
  });
});

it('a kiosk repeats a refused delivery in smaller parts, and sets an answer apart only if its responses are wrong', async () => {
  const { page, id, close } = await openTablet();
  const paths: Readonly<Record<number, string>> = { 1: 'responses.0.response', 2: 'isNew' };
  await page.context().route('**/api/data', async (route) => {
    const { answers = [] } = route.request().postDataJSON();
    const path = paths[answers[0]?.responses[0].response];
    const json = { code: 'bad-input', errors: [{ path: `answers.0.${path}`, message: 'Not allowed' }] };
    if (answers.length > 1) await route.fulfill({ status: 413, body: '<h1>Request Entity Too Large</h1>' });
    else if (path) await route.fulfill({ status: 400, json });
    else await route.continue();
  });
  await page.context().setOffline(true);
  for (const name of ['Awful', 'Bad', 'Good']) await rate(page, name);
  await page.context().setOffline(false);
  await expect.poll(() => ratingsOf(id)).toEqual([4]);
  await openStaff(page);
  await page.getByText('1 answer waiting').waitFor();
  await page.getByText('1 answer to a form that no longer exists').waitFor();
  await page.context().unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Deliver now' }).click();
  await expect.poll(() => ratingsOf(id)).toEqual([2, 4]);
  await close();
});

it('a kiosk works in browsers without AbortSignal.timeout and randomUUID', async () => {
  const asOlder = () => {
    Reflect.deleteProperty(AbortSignal, 'timeout');
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
  };
  const { page, id, close } = await openTablet({}, (page) => page.addInitScript(asOlder));
  await rate(page, 'Great');
  await expect.poll(() => ratingsOf(id)).toEqual([5]);
  await stored(page);
  await page.context().serviceWorkers()[0]?.evaluate(asOlder);
  await page.context().setOffline(true);
  await page.reload();
  await question(page).waitFor();
  await close();
});

describe('a version', () => {
  it('that doesn’t start is replaced by the one that last did', async () => {
    const { page, close } = await openTablet({}, (page) => page.clock.install());
    await stored(page);
    await page.context().route('**/kiosk', async (route) => {
      const response = await route.fetch();
      const broken = (await response.text())
        .replace(/src="[^"]+"/, 'src="/assets/missing.js"')
        .replace(/data-version="\w+"/, 'data-version="bad"');
      await route.fulfill({ response, body: broken });
    });
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['version'])).toBe('bad');
    expect(await question(page).count()).toBe(0);
    await page.clock.fastForward(16_000);
    await question(page).waitFor();
    expect(page.url()).toContain('stored=bad');
    await stored(page);
    await close();
  });

  it('is replaced by a newer one while no one is there', async () => {
    const { page, close } = await openTablet({}, (page) => page.clock.install());
    await page.context().route('**/api/data', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), version: 'newer' } });
    });
    await page.evaluate(() => Object.assign(globalThis, { isOld: true }));
    await page.clock.fastForward(46_000);
    await page.locator('.attracting').waitFor();
    const reported = page.waitForResponse('**/api/data');
    await page.clock.fastForward(60_000);
    await reported;
    // Not a page that has just opened, which may be the stored version on a slow network.
    await page.clock.fastForward(46_000);
    expect(await page.evaluate(() => 'isOld' in globalThis)).toBe(true);
    await page.clock.fastForward(600_000);
    await expect.poll(() => page.evaluate(() => 'isOld' in globalThis)).toBe(false);
    await question(page).waitFor();
    await page.context().unrouteAll({ behavior: 'wait' });
    await close();
  });
});

describe('the staff', () => {
  it('need the PIN, with a pause after five wrong ones, and can leave the kiosk', async () => {
    const { page, id, close } = await openTablet({}, (page) => page.clock.install());
    // The kiosk's picture has moved by then.
    await page.clock.fastForward(61_000);
    await page.getByRole('button', { name: 'Staff' }).click();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await page.getByLabel('PIN').fill('0000');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('This PIN is wrong.').waitFor();
    }
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Too many attempts. Wait half a minute.').waitFor();
    await expectNoFinding(page);
    // Closing doesn't end the pause.
    await page.getByRole('button', { name: 'Back to the kiosk' }).click();
    await openStaff(page);
    await page.getByText('Too many attempts. Wait half a minute.').waitFor();
    await page.clock.fastForward(31_000);
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Leave kiosk' }).click();
    await expectNoFinding(page);
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await heading(page, 'Pair this tablet').waitFor();
    await expect.poll(() => journey.app.stored('select 1 from kiosk where id = $1 and token_hash is not null', [id])).toEqual([]);
    await page.reload();
    await heading(page, 'Pair this tablet').waitFor();
    await close();
  });

  it('see that a tablet was revoked, and deliver what waits by pairing it again', async () => {
    const { page, id, close } = await openTablet();
    await page.context().setOffline(true);
    await rate(page, 'Bad');
    await call('revoke', { kioskId: id });
    await page.context().setOffline(false);
    await heading(page, 'This tablet is no longer paired').waitFor();
    await page.getByText('1 answer wait').waitFor();
    await pairTablet(journey, page, id);
    await expect.poll(() => ratingsOf(id)).toEqual([2]);
    await close();
  });
});
