import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR } from '#contract/core/time.ts';
import { ACCOUNT_ID, airport, dana, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { openTestSmtp, type TestSmtp } from '../../test/support/smtp.ts';
import { openListLinks } from './property.ts';

/* Anyone who has the email can leave its list with one click, and no one else can. */

const SITE = 'https://feedback.example.com';
/** A Monday at 07:00 UTC, the zone of a property without one. */
const MONDAY = Date.UTC(2026, 10, 23, 7);
let now = MONDAY - 20 * HOUR;
let app: TestApp;
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await openTestSmtp();
  app = await openTestApp({ clock: () => now, settings: { SMTP_URL: smtp.url, PUBLIC_URL: SITE } });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

const links = () => openListLinks({ secret: app.app.platform.secret, site: SITE });
const linkOf = (propertyId: string, userId = sam.id) =>
  links().unsubscribeUrl({ accountId: ACCOUNT_ID, propertyId, userId, list: 'weekly' });
const pathOf = (link: string): string => link.slice(SITE.length);
const get = (link: string) => app.app.http.inject(pathOf(link));
/** Posts as a mail program does, which may send any origin or none (RFC 8058). */
const post = (link: string, payload = 'List-Unsubscribe=One-Click', type = 'application/x-www-form-urlencoded') =>
  app.app.http.inject({ method: 'POST', url: pathOf(link), headers: { 'content-type': type, origin: 'https://mail.example' }, payload });
const listOf = async (propertyId: string): Promise<string[]> =>
  (await app.stored<{ weekly: string[] }>('select weekly from property where id = $1', [propertyId]))[0]?.weekly ?? [];
const subscribe = async (propertyId: string) =>
  expect(
    (
      await app.call(
        'property',
        'save',
        { payload: { id: propertyId, data: { notifications: { weekly: [dana.id, sam.id] } } } },
        await app.signIn(),
      )
    ).status,
  ).toBe(200);
const undoTokenIn = (page: string): string => /name="back" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe('a report’s unsubscribe link', () => {
  it('is in the email’s header for one click, and removes its recipient from its list only', async () => {
    await subscribe(pier.id);
    now = MONDAY;
    const { platform } = app.app;
    await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'report.make', {}));
    const report = await vi.waitFor(() => {
      const mail = smtp.received.find(({ to, mail }) => to.includes(sam.data.emailAddress) && mail.subject?.startsWith('Pier 4'));
      if (!mail) throw new Error('No report came');
      return mail;
    }, PATIENT);
    const head = report.raw
      .slice(0, report.raw.indexOf('\r\n\r\n'))
      .replace(/\r\n[ \t]+/g, ' ')
      .replaceAll('\r', '');
    const [, link = ''] = /^List-Unsubscribe: <(.+)>$/m.exec(head) ?? [];
    expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    expect(report.mail.text?.replace(/\s+/g, '')).toContain(`Unsubscribe${link}`);
    expect(link).not.toContain(sam.id.slice(5));

    const boundary = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const { statusCode } = await post(link, boundary, 'multipart/form-data; boundary=x');
    expect(statusCode).toBe(200);
    expect([await listOf(pier.id), await listOf(oldTown.id)]).toEqual([[dana.id], [dana.id]]);
    const [event] = await app.stored(
      `select actor, data from event where name = 'property.notifications-changed' order by id desc limit 1`,
    );
    expect(event).toEqual({ actor: sam.id, data: { complaints: [dana.id], weekly: [dana.id] } });
  });

  it.each(['{"a":1}', '{'])('ignores what is posted as JSON (%s)', async (payload) => {
    await subscribe(pier.id);
    expect((await post(linkOf(pier.id), payload, 'application/json')).statusCode).toBe(200);
    expect(await listOf(pier.id)).toEqual([dana.id]);
  });

  it('opens a page with one button, without changing anything', async () => {
    await subscribe(oldTown.id);
    const page = await get(linkOf(oldTown.id));
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.body.match(/<button>/g)).toHaveLength(1);
    expect(page.body).toContain('the weekly report on Old Town');
    await app.app.http.inject({ method: 'HEAD', url: pathOf(linkOf(oldTown.id)) });
    expect(await listOf(oldTown.id)).toEqual([dana.id, sam.id]);
  });

  it('can be undone for an hour on the confirmation page', async () => {
    await subscribe(airport.id);
    const link = linkOf(airport.id);
    const token = undoTokenIn((await post(link)).body);
    expect(await listOf(airport.id)).toEqual([dana.id]);
    for (const foreign of [linkOf(pier.id), linkOf(airport.id, dana.id)])
      expect((await post(foreign, `back=${token}`)).statusCode).toBe(404);
    const later = `${now + 24 * HOUR}.${token.split('.')[1]}`;
    expect((await post(link, `back=${later}`)).statusCode).toBe(404);
    expect(await listOf(airport.id)).toEqual([dana.id]);
    expect((await post(link, `back=${token}`)).body).toContain('You’re back on the list');
    expect((await post(link, `back=${token}`)).body).toContain('You’re back on the list');
    expect(await listOf(airport.id)).toEqual([dana.id, sam.id]);
    const late = undoTokenIn((await post(link)).body);
    now += HOUR;
    expect((await post(link, `back=${late}`)).body).toContain('The hour is over');
    expect(await listOf(airport.id)).toEqual([dana.id]);
  });

  it('offers no undo to someone whom an admin removed, and records no second change', async () => {
    const events = async () => (await app.stored(`select from event where name = 'property.notifications-changed'`)).length;
    const before = await events();
    const again = await post(linkOf(airport.id));
    expect([again.statusCode, undoTokenIn(again.body)]).toEqual([200, '']);
    expect((await get(linkOf(airport.id))).body).not.toContain('<button>');
    expect(await events()).toBe(before);
  });

  it('can’t be forged or used for another list', async () => {
    const link = linkOf(oldTown.id);
    const key = link.split('/').at(-1) ?? '';
    const changed = `${key.slice(0, -2)}${key.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const forged of [changed, key.slice(0, 40), 'x', `${key}x`.slice(1)]) {
      for (const answer of [await get(`${SITE}/unsubscribe/${forged}`), await post(`${SITE}/unsubscribe/${forged}`)]) {
        expect(answer.statusCode).toBe(404);
        expect(answer.body).toContain('This link isn’t whole');
      }
    }
    const token = links().undoToken({ accountId: ACCOUNT_ID, propertyId: oldTown.id, userId: sam.id, list: 'weekly' }, now + HOUR);
    expect((await post(`${SITE}/unsubscribe/${token.split('.')[1]}`)).statusCode).toBe(404);
    expect(await listOf(oldTown.id)).toContain(sam.id);
  });

  it('shows a friendly page if the property or person no longer exists', async () => {
    const admin = await app.signIn();
    await app.call('property', 'delete', { propertyId: oldTown.id }, admin);
    for (const answer of [await get(linkOf(oldTown.id)), await post(linkOf(oldTown.id))]) {
      expect([answer.statusCode, answer.body.includes('You don’t get these mails')]).toEqual([200, true]);
    }
  });

  it('opens pages in the browser’s language', async () => {
    await subscribe(airport.id);
    const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };
    const { body } = await app.app.http.inject({ url: pathOf(linkOf(airport.id)), headers: german });
    for (const text of ['<html lang="de"', 'Diese Liste verlassen?', 'Sie bekommen den Wochenbericht zu Airport', 'Abmelden'])
      expect(body).toContain(text);
    expect((await get(linkOf(airport.id))).body).toContain('Leave this list?');
  });
});

it('limits a network to 600 unsubscriptions an hour, and shows when to try again', async () => {
  const press = (link: string) =>
    app.app.http.inject({ method: 'POST', url: pathOf(link), remoteAddress: '192.0.2.7', headers: { accept: 'text/html,*/*;q=0.8' } });
  await subscribe(airport.id);
  for (let pressed = 0; pressed < 600; pressed += 1) expect((await press(`${SITE}/unsubscribe/any`)).statusCode).toBe(404);
  const { statusCode, headers, body } = await press(linkOf(airport.id));
  expect([statusCode, headers['content-type'], headers['retry-after']]).toEqual([429, 'text/html; charset=utf-8', '3600']);
  expect(body).toContain('Open the link again in an hour.');
  expect(await listOf(airport.id)).toEqual([dana.id, sam.id]);
  // Opening the page changes nothing and isn't counted.
  expect((await get(linkOf(airport.id))).statusCode).toBe(200);
  now += HOUR;
  expect((await press(linkOf(airport.id))).statusCode).toBe(200);
  expect(await listOf(airport.id)).toEqual([dana.id]);
});
