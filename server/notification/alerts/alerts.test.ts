import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { feedbackId } from '#contract/core/ids.ts';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import type { Form } from '#contract/form/form.ts';
import { ACCOUNT_ID, airport, dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { openTestSmtp, type ReceivedMail, type TestSmtp } from '../../../test/support/smtp.ts';
import { formOf, newKey, responsesTo, submission } from '../../../test/support/submission.ts';
import { createApp } from '../../app.ts';
import { insertMany } from '../../feedback/store.ts';
import { createLog } from '../../platform/log/log.ts';

const [DANA, SAM] = [dana.data.emailAddress, sam.data.emailAddress];

let app: TestApp;
let smtp: TestSmtp;
let isMailDown = false;
let now = Date.parse('2026-11-22T12:00:00Z');
beforeAll(async () => {
  smtp = await openTestSmtp({ refuse: () => (isMailDown ? { code: 451, text: 'later' } : undefined) });
  app = await openTestApp({ settings: settings(), clock: () => now });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

/** Starts each test on a new day, without earlier alerts. */
beforeEach(async () => {
  isMailDown = false;
  now = Date.parse('2026-11-22T12:00:00Z') + Math.ceil((now - Date.parse('2026-11-22T12:00:00Z')) / DAY + 1) * DAY;
  await waitUntilIdle();
  await app.stored('delete from alert; delete from alert_recipient');
  await app.stored('update property set display_name = $1, time_zone = null, alerts = null where id = $2', [
    pier.data.displayName,
    pier.id,
  ]);
  await notify([dana.id]);
  smtp.received.length = 0;
});

const settings = () => ({ SMTP_URL: smtp.url, IDENTITY_SECRET: 'the same for every process of this test' });

type Answers = Parameters<typeof submission>[0];

/** Submits feedback, or amends it with a key. */
async function submit(answers: Answers, { key = newKey(), form = formOf() }: { key?: string; form?: Form } = {}): Promise<string> {
  const { status, body } = await app.call('feedback', 'save', submission(answers, { key, form }));
  expect(status).toBe(200);
  return body.feedback.id;
}

const notify = (complaints: string[], id = pier.id) => app.stored('update property set complaints = $1 where id = $2', [complaints, id]);
const mails = (to?: string): ReceivedMail[] => smtp.received.filter((each) => to === undefined || each.to.includes(to));
const subjects = (to?: string) => mails(to).map(({ mail }) => mail.subject);
const flat = ({ mail: { text = '' } }: ReceivedMail): string => text.replace(/\s+/g, ' ');

/** Waits until every event is relayed, nothing is due, and every mail is sent. */
async function waitUntilIdle(): Promise<void> {
  const waiting = async () => {
    const [row] = await app.stored<{ waiting: number }>(
      `select (select count(*) from event where not relayed)::int + (select count(*) from alert where due <= $1)::int
            + (select count(*) from alert_escalation where due <= $1)::int + (select count(*) from delivery where status = 'queued')::int as waiting`,
      [new Date(now)],
    );
    return row?.waiting;
  };
  await expect.poll(waiting).toBe(0);
}

/** Advances the clock in steps, and waits after each until nothing is due. */
async function advance(ms: number, step = ms): Promise<void> {
  await waitUntilIdle();
  for (let passed = 0; passed < ms; passed += step) {
    now += Math.min(step, ms - passed);
    await waitUntilIdle();
  }
}

describe('an urgent-feedback alert', () => {
  it('mails each joined member of the property’s list once', async () => {
    await app.stored(`update "user" set invited = true where id = $1`, [noor.id]);
    await notify([dana.id, sam.id, noor.id, 'USER_00000000-0000-4000-8000-000000000000']);
    await app.stored('update property set time_zone = $1 where id = $2', ['Europe/Lisbon', pier.id]);
    const id = await submit({
      rating: 1,
      text: 'Cold soup',
      contact: { answer: 'Yes', name: 'Ann', phone: '+351 (21) 555', email: 'ann@visitor.example' },
    });
    await waitUntilIdle();
    expect(
      mails()
        .map(({ to }) => to.join())
        .sort(),
    ).toEqual([DANA, SAM].sort());
    const [mail] = mails(DANA);
    expect(mail?.mail.subject).toBe(`Ann wants to be contacted – ${pier.data.displayName}`);
    const words = mail ? flat(mail) : '';
    for (const text of ['Awful, 1 of 5', `at ${pier.data.displayName}`, '“Cold soup”', 'Ann', '+351 (21) 555', 'ann@visitor.example'])
      expect(words).toContain(text);
    expect(words).toContain(' November 2026 at 12:00');
    expect(words).toContain(`/?id=${id}`);
    expect(mail?.raw).toMatch(/^List-Unsubscribe:\s+<\S+\/unsubscribe\//m);
    expect(mail?.mail.html).toContain('href="tel:+35121555"');
    expect(mail?.mail.html).toContain('href="mailto:ann@visitor.example"');
    // Relayed again, as after a crash.
    await app.stored(`update event set relayed = false where name = 'feedback.urgent' and subject = $1`, [id]);
    await advance(5 * MINUTE);
    expect(mails()).toHaveLength(2);
  });

  it('mails no one of a test, of feedback that isn’t urgent, or of suspected feedback until it counts', async () => {
    await submit({ rating: 4 });
    const test = submission({ rating: 1 });
    await app.call('feedback', 'save', { ...test, payload: { data: { ...test.payload.data, test: true } } });
    const id = await submit({ rating: 1, text: 'Too loud' });
    await waitUntilIdle();
    expect(mails()).toHaveLength(1);
    await app.stored('update feedback set suspected = true where id = $1', [id]);
    // As when a person is deleted, and their rows with them.
    await app.stored('delete from alert where feedback_id = $1', [id]);
    const token = await app.signIn();
    await app.call('feedback', 'trust', { feedbackIds: [id], counts: true }, token);
    await waitUntilIdle();
    expect(mails()).toHaveLength(2);
    await app.call('feedback', 'trust', { feedbackIds: [id], counts: false }, token);
    await app.call('feedback', 'trust', { feedbackIds: [id], counts: true }, token);
    await waitUntilIdle();
    expect(mails()).toHaveLength(2);
  });

  it('mails feedback that becomes urgent, and escapes markup and headers in the visitor’s words', async () => {
    await app.stored('update property set display_name = $1 where id = $2', ['Win <b>now</b> https://evil.example', pier.id]);
    const key = newKey();
    await submit({ rating: 5 }, { key });
    const hostile = '<img src=x onerror=alert(1)>\r\nBcc: everybody@evil.example\r\n\r\n\u202e https://evil.example';
    await submit(
      { text: hostile, contact: { answer: 'Yes', name: '<script>"\r\nSubject: x', email: 'a"b<c>@x.example'.replace(/["<>]/g, '') } },
      { key },
    );
    await waitUntilIdle();
    expect(subjects()).toEqual(['A visitor wants to be contacted']);
    const [{ mail, raw, to } = { mail: undefined, raw: '', to: [] }] = mails();
    expect(to).toEqual([DANA]);
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^(?:Bcc|Cc):/im);
    expect(mail?.html).not.toMatch(/<(?:img|script|b)\b/);
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    for (const link of links) expect(link).toMatch(/^(?:http:\/\/localhost|tel:|mailto:)/);
  });
});

describe('an addition to urgent feedback', () => {
  /** Submits feedback whose mail fails once and waits for a retry. */
  async function submitDuringOutage(answers: Answers, key: string): Promise<void> {
    isMailDown = true;
    await submit(answers, { key });
    await expect
      .poll(() => app.stored(`select attempts > 0 as tried from delivery where status = 'queued' and taken is null`))
      .toEqual([{ tried: true }]);
  }

  it('sends one follow-up in the same conversation after the visitor pauses', async () => {
    const key = newKey();
    await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    await advance(10_000);
    await submit({ text: 'The milk' }, { key });
    await advance(15_000);
    await submit({ text: 'The milk was sour' }, { key });
    await advance(15_000);
    expect(mails()).toHaveLength(1);
    await advance(5_000);
    const [first, second] = mails();
    expect(subjects()).toEqual([`Rated Bad at ${pier.data.displayName}`, `Re: Rated Bad at ${pier.data.displayName}`]);
    expect(second ? flat(second) : '').toContain('“The milk was sour”');
    expect(second?.mail.inReplyTo).toBe(first?.mail.messageId);
    expect(second?.mail.references).toBe(first?.mail.messageId);
    expect(second?.mail.messageId).not.toBe(first?.mail.messageId);
    await submit({ text: 'And more' }, { key });
    await advance(3 * MINUTE, MINUTE);
    expect(mails()).toHaveLength(2);
  });

  it('sends the follow-up after two minutes without a pause, and nothing for later additions', async () => {
    const key = newKey();
    await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    for (let word = 1; word <= 11; word += 1) {
      await advance(11_000);
      await submit({ text: 'word '.repeat(word) }, { key });
    }
    await waitUntilIdle();
    expect(mails()).toHaveLength(2);
    const late = newKey();
    await submit({ rating: 2 }, { key: late });
    await waitUntilIdle();
    await advance(2 * MINUTE + 1);
    await submit({ text: 'Too late' }, { key: late });
    await advance(5 * MINUTE, MINUTE);
    expect(mails()).toHaveLength(3);
  });

  it('rewrites a mail that has not left, and sends no other', async () => {
    const key = newKey();
    await submitDuringOutage({ rating: 2 }, key);
    await submit({ text: 'It was the tea' }, { key });
    await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
    isMailDown = false;
    await app.stored(`update pgboss.job set start_after = now() where name = 'mail.send'`);
    await waitUntilIdle();
    expect(mails().map(flat)).toEqual([expect.stringContaining('It was the tea')]);
    await advance(5 * MINUTE, MINUTE);
    expect(mails()).toHaveLength(1);
  });

  it('withdraws a mail that has not left when the feedback is no longer urgent, and sends nothing after one that has', async () => {
    const key = newKey();
    await submitDuringOutage({ rating: 2 }, key);
    await submit({ rating: 4, text: 'Oh, wrong face' }, { key });
    await waitUntilIdle();
    isMailDown = false;
    const nextKey = newKey();
    await submit({ rating: 1 }, { key: nextKey });
    await waitUntilIdle();
    await submit({ rating: 5, text: 'Sorry' }, { key: nextKey });
    await advance(5 * MINUTE, MINUTE);
    expect(subjects()).toEqual([`Rated Awful at ${pier.data.displayName}`]);
  });
});

describe('a request to be contacted', () => {
  const ANN = { answer: 'Yes', name: 'Ann', phone: '+351 21 555 0199' } as const;
  const SUBJECT = `Ann wants to be contacted – ${pier.data.displayName}`;
  const lastTo = (to: string): string => {
    const mail = mails(to).at(-1);
    return mail ? flat(mail) : '';
  };

  it('sends one mail of its own after the follow-up, and its link’s page shows the number', async () => {
    const key = newKey();
    const id = await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    await advance(20_000);
    await submit({ text: 'The soup was cold' }, { key });
    await advance(20_000);
    expect(subjects()).toEqual([`Rated Bad at ${pier.data.displayName}`, `Re: Rated Bad at ${pier.data.displayName}`]);
    await advance(39 * MINUTE, 13 * MINUTE);
    await submit({ contact: ANN }, { key });
    await waitUntilIdle();
    expect(subjects().slice(2)).toEqual([SUBJECT]);
    const mail = mails().at(-1);
    expect(mail?.mail.inReplyTo).toBeUndefined();
    for (const words of ['+351 21 555 0199', '“The soup was cold”', 'Bad, 2 of 5']) expect(lastTo(DANA)).toContain(words);
    const [, link = ''] = /http:\/\/localhost:8080(\/alert\/[\w-]+)/.exec(lastTo(DANA)) ?? [];
    const page = (await app.app.http.inject(link)).body;
    for (const words of ['Ann wants to be contacted', 'href="tel:+351215550199"', '+351 21 555 0199']) expect(page).toContain(words);

    // The visitor withdraws the request and makes it again, and the event is relayed twice.
    await submit({ contact: { answer: 'No' } }, { key });
    await submit({ contact: ANN }, { key });
    await app.stored(`update event set relayed = false where name = 'feedback.amended' and subject = $1`, [id]);
    await advance(10 * MINUTE, MINUTE);
    expect(mails()).toHaveLength(3);
  });

  it('sends a corrected number within two minutes as a follow-up in the same conversation', async () => {
    const key = newKey();
    await submit({ rating: 1, contact: ANN }, { key });
    await advance(30_000);
    await submit({ contact: { answer: 'Yes', phone: '+351 21 555 0100' } }, { key });
    await advance(3 * MINUTE, 20_000);
    expect(subjects()).toEqual([SUBJECT, `Re: ${SUBJECT}`]);
    expect(lastTo(DANA)).toContain('+351 21 555 0100');
  });

  it('sends its mail though the feedback was not urgent, was read or was done before', async () => {
    const [good, read, done] = [newKey(), newKey(), newKey()];
    await submit({ rating: 5 }, { key: good });
    const ids = [await submit({ rating: 2 }, { key: read }), await submit({ rating: 1 }, { key: done })];
    await waitUntilIdle();
    const token = await app.signIn(SAM);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: ids[0], unread: false }] }, token);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: ids[1], status: 'done' }] }, token);
    smtp.received.length = 0;
    await advance(10 * MINUTE);
    for (const key of [good, read, done]) await submit({ contact: ANN }, { key });
    await waitUntilIdle();
    expect(subjects()).toEqual([SUBJECT, SUBJECT, SUBJECT]);
    const link = (mail: ReceivedMail) => /http:\/\/localhost:8080(\/alert\/[\w-]+)/.exec(flat(mail))?.[1] ?? '';
    const [mail] = mails().filter((each) => flat(each).includes(ids[1] ?? 'nothing'));
    const url = mail ? link(mail) : '';
    expect((await app.app.http.inject(url)).body).toContain('<button');
    await app.app.http.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect(await app.stored('select status, assignee from feedback where id = $1', [ids[1]])).toEqual([
      { status: 'open', assignee: dana.id },
    ]);
    await advance(10 * MINUTE, 5 * MINUTE);
    expect(mails()).toHaveLength(3);
  });

  it('mails the list and everyone the feedback was escalated to', async () => {
    await app.stored('update property set alerts = $1 where id = $2', [
      JSON.stringify({ escalation: { after: 5, to: [sam.id] } }),
      pier.id,
    ]);
    const key = newKey();
    await submit({ rating: 2 }, { key });
    await advance(6 * MINUTE);
    expect(subjects(SAM)).toEqual([`Not opened yet: Rated Bad at ${pier.data.displayName}`]);
    await advance(53 * MINUTE);
    await submit({ contact: ANN }, { key });
    await waitUntilIdle();
    expect(subjects(DANA).slice(1)).toEqual([SUBJECT]);
    expect(subjects(SAM).slice(1)).toEqual([`Not opened yet: ${SUBJECT}`]);
    await advance(HOUR, 10 * MINUTE);
    expect(mails()).toHaveLength(4);
  });

  it('rewrites the first mail if it has not left', async () => {
    const key = newKey();
    isMailDown = true;
    await submit({ rating: 2 }, { key });
    await expect
      .poll(() => app.stored(`select attempts > 0 as tried from delivery where status = 'queued' and taken is null`))
      .toEqual([{ tried: true }]);
    await submit({ contact: ANN }, { key });
    await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
    isMailDown = false;
    await advance(5 * MINUTE, MINUTE);
    expect(subjects()).toEqual([SUBJECT]);
  });

  it('mails no one of a test, or of suspected feedback until it counts', async () => {
    const [test, suspected] = [newKey(), newKey()];
    const testSubmission = submission({ rating: 2 }, { key: test });
    await app.call('feedback', 'save', { ...testSubmission, payload: { data: { ...testSubmission.payload.data, test: true } } });
    const id = await submit({ rating: 4 }, { key: suspected });
    await app.stored('update feedback set suspected = true where id = $1', [id]);
    for (const key of [test, suspected]) await submit({ contact: ANN }, { key });
    await waitUntilIdle();
    expect(mails()).toEqual([]);
    await app.call('feedback', 'trust', { feedbackIds: [id], counts: true }, await app.signIn());
    await waitUntilIdle();
    expect(subjects()).toEqual([SUBJECT]);
  });

  it('puts the number in the digest after quiet hours, though the feedback was read before', async () => {
    await app.stored('update property set alerts = $1 where id = $2', [JSON.stringify({ quiet: { from: '12:05', to: '13:00' } }), pier.id]);
    const key = newKey();
    const id = await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    await app.call('feedback', 'modify', { changes: [{ feedbackId: id, unread: false }] }, await app.signIn(SAM));
    smtp.received.length = 0;
    await advance(6 * MINUTE);
    for (let visitor = 0; visitor < 12; visitor += 1) await submit({ rating: 1 });
    await submit({ contact: ANN }, { key });
    const [late, dealtWith] = [newKey(), newKey()];
    await submit({ rating: 3 }, { key: late });
    await submit({ contact: { ...ANN, name: 'Ben', phone: '030 555 01' } }, { key: late });
    const settledId = await submit({ rating: 1, contact: { ...ANN, name: 'Cleo' } }, { key: dealtWith });
    await advance(10 * MINUTE);
    expect(mails()).toEqual([]);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: settledId, status: 'done' }] }, await app.signIn(SAM));
    await advance(45 * MINUTE);
    expect(subjects()).toEqual([`14 urgent feedback items at ${pier.data.displayName}`]);
    const words = lastTo(DANA);
    for (const shown of ['Ann', '+351 21 555 0199', 'Ben', '030 555 01', 'And 4 more']) expect(words).toContain(shown);
    expect(words).not.toContain('Cleo');
    expect(words.indexOf('+351 21 555 0199')).toBeLessThan(words.indexOf('Awful, 1 of 5'));
    await advance(2 * HOUR, HOUR);
    expect(mails()).toHaveLength(1);
  });

  it('puts the number in the digest of what exceeds the hour’s mails', async () => {
    const keys = Array.from({ length: 12 }, newKey);
    for (const key of keys) await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    expect(mails()).toHaveLength(12);
    await submit({ contact: ANN }, { key: keys[3] ?? '' });
    await waitUntilIdle();
    expect(mails()).toHaveLength(12);
    await advance(70 * MINUTE, 10 * MINUTE);
    expect(mails()).toHaveLength(13);
    expect(subjects().at(-1)).toBe(`Urgent feedback at ${pier.data.displayName}`);
    expect(lastTo(DANA)).toContain('+351 21 555 0199');
  });
});

it('a digest loses deleted words before it is sent', async () => {
  for (let count = 0; count < 12; count += 1) await submit({ rating: 2 });
  await waitUntilIdle();
  await submit({ rating: 1, text: 'Other words' });
  await submit({ rating: 1, text: 'Gone words', contact: { answer: 'Yes', email: 'gone@example.com' } });
  await waitUntilIdle();
  isMailDown = true;
  now += 70 * MINUTE;
  const queued = () =>
    app.stored(`select attempts > 0 as tried from delivery where mail = 'urgent-digest' and status = 'queued' and taken is null`);
  await expect.poll(queued).toEqual([{ tried: true }]);
  const erased = await app.call('privacy', 'erase', { contact: 'gone@example.com' }, await app.signIn());
  expect(erased.body.erased).toBe(1);
  await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
  smtp.received.length = 0;
  isMailDown = false;
  await app.stored(`update pgboss.job set start_after = now() where name = 'mail.send' and state in ('created', 'retry')`);
  await waitUntilIdle();
  const [digest, ...others] = mails(DANA).filter(({ mail }) => mail.subject?.startsWith('2 urgent feedback items'));
  expect(others).toEqual([]);
  expect(digest && flat(digest)).toContain('Other words');
  expect(JSON.stringify(mails().map(({ mail }) => mail.text))).not.toMatch(/gone/i);
});

describe('several worker processes', () => {
  it('send each alert once and keep to the hourly limit', async () => {
    const { config } = app.app.platform;
    const log = createLog({ logLevel: 'silent' }, { write: () => undefined });
    const others = await Promise.all(
      [1, 2].map(() => createApp({ config, log, connection: app.connection, now: () => now, recurring: false })),
    );
    try {
      await notify([dana.id, sam.id]);
      await Promise.all(Array.from({ length: 30 }, () => submit({ rating: 1 })));
      await waitUntilIdle();
      expect([mails(DANA).length, mails(SAM).length]).toEqual([12, 12]);
      await advance(70 * MINUTE, 10 * MINUTE);
      expect([mails(DANA).length, mails(SAM).length]).toEqual([13, 13]);
      expect(new Set(mails().map(({ mail }) => mail.messageId)).size).toBe(26);
      expect(mails(SAM).at(-1)?.mail.subject).toBe(`18 urgent feedback items at ${pier.data.displayName}`);
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
  });

  it('resend the mail of one that died under the same id, and send an addition after it', async () => {
    const key = newKey();
    await submit({ rating: 2 }, { key });
    await waitUntilIdle();
    // The mail server accepted the mail, but the process died before recording it.
    await app.stored(`update delivery set status = 'queued', sent_at = null where created >= $1`, [new Date(now)]);
    await submit({ text: 'The tea was cold' }, { key });
    await expect.poll(() => app.stored('select 1 from event where not relayed')).toEqual([]);
    await app.stored(`update pgboss.job set state = 'created', completed_on = null where name = 'mail.send' and data ->> 'deliveryId' in
      (select id from delivery where status = 'queued')`);
    await waitUntilIdle();
    await advance(20_000);
    const [first, again, addition, ...others] = mails();
    expect(others).toEqual([]);
    expect(again?.mail.messageId).toBe(first?.mail.messageId);
    expect(again?.mail.text).toBe(first?.mail.text);
    expect(addition?.mail.inReplyTo).toBe(first?.mail.messageId);
    expect(addition ? flat(addition) : '').toContain('The tea was cold');
  });
});

describe('the link of an alert', () => {
  const linkIn = (to: string): string => {
    const mail = mails(to).at(-1);
    const [, path] = /http:\/\/localhost:8080(\/alert\/[\w-]+)/.exec(mail ? flat(mail) : '') ?? [];
    if (path === undefined) throw new Error(`No mail to ${to} has a link`);
    return path;
  };
  const ask = (method: 'GET' | 'HEAD' | 'POST', url: string) =>
    app.app.http.inject({
      method,
      url,
      ...(method === 'POST' && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' }),
    });
  const workOn = (id: string) => app.stored('select status, status_by, assignee from feedback where id = $1', [id]);
  const NEW = { status: 'new', status_by: null, assignee: null };

  it('changes nothing when viewed, assigns the feedback once when its button is pressed, and shows who has it', async () => {
    await notify([dana.id, sam.id]);
    const id = await submit({ rating: 1, text: 'Cold <b>soup' });
    await waitUntilIdle();
    const link = linkIn(SAM);
    for (const method of ['HEAD', 'GET', 'GET'] as const) expect((await ask(method, link)).statusCode).toBe(200);
    const page = await ask('GET', link);
    for (const text of ['Awful, 1 of 5', pier.data.displayName, 'Cold &lt;b&gt;soup', 'marks it as open', sam.data.displayName])
      expect(page.body).toContain(text);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(page.body).not.toContain('<script');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const other of [{ origin: 'null' }, { origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await app.app.http.inject({ method: 'POST', url: link, headers: { ...headers, ...other } })).statusCode).toBe(403);
    expect(await workOn(id)).toEqual([NEW]);

    const [first, second] = await Promise.all([ask('POST', link), ask('POST', link)]);
    expect([first?.statusCode, second?.statusCode]).toEqual([200, 200]);
    expect(await workOn(id)).toEqual([{ status: 'open', status_by: sam.id, assignee: sam.id }]);
    const events = `select name, actor, data - 'propertyId' as data from event where subject = $1 and actor <> 'visitor' order by id`;
    expect(await app.stored(events, [id])).toEqual([
      { name: 'feedback.status-changed', actor: sam.id, data: { from: 'new', to: 'open' } },
      { name: 'feedback.assigned', actor: sam.id, data: { from: null, to: sam.id } },
    ]);
    expect((await ask('GET', link)).body).toContain('You have it now');

    // Another person's link shows who has it and reassigns it. After that, the first link only shows who has it.
    expect((await ask('GET', linkIn(DANA))).body).toContain(`${sam.data.displayName} has it now`);
    await ask('POST', linkIn(DANA));
    expect((await ask('POST', link)).body).toContain(`${dana.data.displayName} has it now`);
    expect(await workOn(id)).toEqual([{ status: 'open', status_by: sam.id, assignee: dana.id }]);
    const [stored] = await app.stored<{ all: string }>(`select string_agg(alert_link::text, '') as all from alert_link`);
    expect(stored?.all).not.toContain(link.slice('/alert/'.length));
  });

  it('answers 404 when it has expired, is forged, or its person or account is gone', async () => {
    const id = await submit({ rating: 2 });
    await waitUntilIdle();
    const link = linkIn(DANA);
    await app.stored('update account set deleted = now() where id = $1', [ACCOUNT_ID]);
    expect((await ask('POST', link)).statusCode).toBe(404);
    await app.stored('update account set deleted = null where id = $1', [ACCOUNT_ID]);
    const forged = `${link.slice(0, -4)}${link.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const german = await app.app.http.inject({ url: forged, headers: { 'accept-language': 'fr;q=0.5,de-CH' } });
    expect(german.body).toContain('<html lang="de"');
    expect(german.body).toContain('Dieser Link ist abgelaufen');
    for (const wrong of ['/alert/x', forged])
      for (const method of ['GET', 'POST'] as const) expect((await ask(method, wrong)).statusCode).toBe(404);
    now += 3 * DAY + 1;
    for (const method of ['GET', 'POST'] as const) expect((await ask(method, link)).statusCode).toBe(404);
    now -= 3 * DAY + 1;
    // As when a person is deleted, and their rows with them.
    await app.stored('delete from alert where feedback_id = $1', [id]);
    expect((await ask('POST', link)).statusCode).toBe(404);
    expect(await workOn(id)).toEqual([NEW]);
  });

  it('doesn’t reopen feedback that is done', async () => {
    const id = await submit({ rating: 2 });
    await waitUntilIdle();
    const token = await app.signIn(SAM);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: id, status: 'done' }] }, token);
    expect((await ask('GET', linkIn(DANA))).body).not.toContain('<button');
    expect((await ask('POST', linkIn(DANA))).body).toContain('It is done');
    expect(await workOn(id)).toEqual([{ status: 'done', status_by: sam.id, assignee: null }]);
  });
});

describe('quiet hours', () => {
  const NIGHT = { quiet: { from: '22:00', to: '07:00' } };
  const set = (alerts: object, zone = 'Europe/Berlin') =>
    app.stored('update property set alerts = $1, time_zone = $2 where id = $3', [JSON.stringify(alerts), zone, pier.id]);

  it('hold alerts until they end, and send what no one opened in one digest', async () => {
    await set(NIGHT);
    await notify([dana.id, sam.id]);
    // It is 21:30 in Berlin.
    await advance(8.5 * HOUR);
    await submit({ rating: 1, text: 'Still loud' });
    await waitUntilIdle();
    expect(mails()).toHaveLength(2);
    await advance(HOUR);
    const [first, second, third, fourth] = [
      await submit({ rating: 1, text: 'Closed doors' }),
      await submit({ rating: 2 }),
      await submit({ rating: 1, text: 'Dealt with' }),
      await submit({ rating: 1, text: 'Read by Sam' }),
    ];
    await submit({ rating: 1, text: 'Elsewhere' }, { form: formOf(airport.data.formId) });
    await advance(8 * HOUR, HOUR);
    expect(mails().filter((each) => flat(each).includes('quiet hours'))).toEqual([]);
    const token = await app.signIn(SAM);
    await app.call(
      'feedback',
      'modify',
      {
        changes: [
          { feedbackId: third, status: 'waiting' },
          { feedbackId: fourth, unread: false },
        ],
      },
      token,
    );
    smtp.received.length = 0;
    await advance(30 * MINUTE, 10 * MINUTE);
    expect(
      mails()
        .map(({ to }) => to.join())
        .sort(),
    ).toEqual([DANA, SAM].sort());
    const [digest] = mails(DANA);
    expect(digest?.mail.subject).toBe(`2 urgent feedback items at ${pier.data.displayName}`);
    const words = digest ? flat(digest) : '';
    for (const text of ['This arrived during quiet hours', 'Closed doors', first, second]) expect(words).toContain(text);
    for (const text of ['Dealt with', 'Read by Sam', third, fourth]) expect(words).not.toContain(text);
    await advance(2 * HOUR, 30 * MINUTE);
    expect(mails()).toHaveLength(2);
  });

  it('hold a digest that falls due in them, and send nothing when everything was opened', async () => {
    await set(NIGHT);
    // It is 21:40 in Berlin, so the hour's digest is due at 22:40.
    await advance(8 * HOUR + 40 * MINUTE);
    const ids: string[] = [];
    for (let visitor = 0; visitor < 14; visitor += 1) ids.push(await submit({ rating: 1 }));
    await waitUntilIdle();
    expect(mails()).toHaveLength(12);
    await advance(70 * MINUTE, 10 * MINUTE);
    expect(mails()).toHaveLength(12);
    const [deferred] = await app.stored<{ count: number }>(`select count(*)::int from alert where held = 'quiet'`);
    expect(deferred).toEqual({ count: 2 });
    await app.call('feedback', 'markAllRead', {}, await app.signIn(SAM));
    await advance(10 * HOUR, HOUR);
    expect(mails()).toHaveLength(12);
    await app.stored('delete from feedback_reader');
  });
});

describe('the result of an alert', () => {
  const alertsOf = async (feedbackId: string) =>
    (await app.call('notification', 'alerts', { feedbackId }, await app.signIn(SAM))).body.alerts;
  const results = async () => (await app.stored<{ result: string }>('select result from alert order by 1')).map(({ result }) => result);

  it('is stored when the alert is sent, and when the digest contains it or leaves it out', async () => {
    for (let visitor = 0; visitor < 14; visitor += 1) await submit({ rating: 1 });
    await waitUntilIdle();
    expect(await results()).toEqual([...Array<string>(12).fill('sent'), null, null]);
    const [deferred] = await app.stored<{ id: string }>(`select feedback_id as id from alert where held = 'hour'`);
    const toDana = { userId: dana.id, created: expect.any(Number), devices: 0 };
    expect(await alertsOf(deferred?.id ?? '')).toEqual([{ ...toDana, waitsFor: 'hour', until: now + HOUR }]);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: deferred?.id, unread: false }] }, await app.signIn(SAM));
    await advance(70 * MINUTE, 10 * MINUTE);
    expect(await results()).toEqual(['opened', ...Array<string>(12).fill('sent'), 'sent-in-digest']);
    expect(await alertsOf(deferred?.id ?? '')).toEqual([{ ...toDana, result: 'opened', openedBy: sam.id }]);
  });

  it('is missing while quiet hours hold the alert, and names the teammate who has dealt with it by their end', async () => {
    const quiet = JSON.stringify({ quiet: { from: '12:30', to: '14:30' } });
    await app.stored(`update property set alerts = $1, time_zone = 'Europe/Berlin' where id = $2`, [quiet, pier.id]);
    const id = await submit({ rating: 1 });
    await waitUntilIdle();
    expect(await alertsOf(id)).toEqual([{ userId: dana.id, created: now, waitsFor: 'quiet', until: now + 90 * MINUTE, devices: 0 }]);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: id, status: 'done' }] }, await app.signIn(SAM));
    await advance(100 * MINUTE, 20 * MINUTE);
    expect(await alertsOf(id)).toMatchObject([{ result: 'opened', openedBy: sam.id }]);
    expect(mails()).toEqual([]);
  });
});

describe('an escalation', () => {
  const order = (to: string[], quiet?: object) =>
    app.stored('update property set alerts = $1 where id = $2', [
      JSON.stringify({ escalation: { after: 30, to }, ...(quiet && { quiet }) }),
      pier.id,
    ]);

  it('mails the next person in the order, and the one after, until someone opens the feedback', async () => {
    await order([dana.id, sam.id, noor.id]);
    const id = await submit({ rating: 1, text: 'Cold soup' });
    await submit({ rating: 2, text: 'Someone is on this' });
    await waitUntilIdle();
    await app.stored(`update feedback set status = 'open' where text = 'Someone is on this'`);
    await advance(29 * MINUTE);
    expect(mails()).toHaveLength(2);
    // Dana is skipped, because she was notified already.
    await advance(2 * MINUTE);
    expect(subjects(SAM)).toEqual([`Not opened yet: Rated Awful at ${pier.data.displayName}`]);
    expect(mails()).toHaveLength(3);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: id, unread: false }] }, await app.signIn(SAM));
    await advance(HOUR, 10 * MINUTE);
    expect(mails()).toHaveLength(3);
    expect(await app.stored('select 1 from alert_escalation')).toEqual([]);
  });

  it('counts no minutes in quiet hours, and skips someone who has left', async () => {
    await notify([]);
    // It is 12:00; quiet from 12:10 to 13:00.
    await order([sam.id, 'USER_00000000-0000-4000-8000-000000000000', noor.id], { from: '12:10', to: '13:00' });
    await app.stored('update "user" set invited = false where id = $1', [noor.id]);
    await submit({ rating: 1 });
    await advance(79 * MINUTE, 10 * MINUTE);
    expect(mails()).toEqual([]);
    await advance(2 * MINUTE);
    expect(mails().map(({ to }) => to.join())).toEqual([SAM]);
    await advance(31 * MINUTE);
    expect(mails().map(({ to }) => to.join())).toEqual([SAM, noor.data.emailAddress]);
    await advance(2 * HOUR, HOUR);
    expect(mails()).toHaveLength(2);
  });
});

describe('the rate limits of alert links', () => {
  it('refuse the 301st view and the 101st press in an hour with a page that says when to retry', async () => {
    const open = (method: 'GET' | 'POST', remoteAddress = '192.0.2.7') =>
      app.app.http.inject({ method, url: '/alert/any', remoteAddress, headers: { accept: 'text/html,*/*;q=0.8' } });
    for (const [method, most] of [
      ['GET', 300],
      ['POST', 100],
    ] as const) {
      for (let opened = 0; opened < most; opened += 1) expect((await open(method)).statusCode).toBe(404);
      const { statusCode, headers, body } = await open(method);
      expect([statusCode, headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(HOUR / 1000 - 60);
      expect(body).toContain('<h1>Too many requests. Please wait a moment.</h1>');
      expect(body).toContain('Open the link again in an hour.');
    }
    expect((await open('GET', '192.0.2.8')).statusCode).toBe(404);
    now += HOUR;
    expect((await open('GET')).statusCode).toBe(404);
  });
});

describe('a flood of urgent feedback', () => {
  /** Stores urgent feedback of many visitors, spread over the last `over` ms, as the form's page would. Returns the ids. */
  async function flood(count: number, { over, places = [pier] }: { over: number; places?: (typeof pier)[] }): Promise<string[]> {
    const stored: string[] = [];
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
        const at = now - over + Math.floor((over * (from + index)) / count);
        const place = places[index % places.length] ?? pier;
        const form = formOf(place.data.formId);
        const text = `Visit ${from + index} <b>`;
        const responses = responsesTo(form, { rating: 1, text });
        const answers = { rating: 1, urgent: true, kind: 'complaint', source: 'open text', text, responses } as const;
        const of = { accountId: ACCOUNT_ID, propertyId: place.id, formId: form.id, formVersion: form.data.version };
        const none = { suspected: undefined, converted: undefined, diagnostics: undefined, url: undefined };
        const id = feedbackId(at, (size) => randomBytes(size));
        return { ...answers, ...of, ...none, id, created: at, keyHash: randomBytes(32).toString('hex') };
      });
      const { ids } = await insertMany(app.app.platform.database, rows, { lane: 0, subscribedNames: ['feedback.urgent'] });
      stored.push(...ids);
    }
    return stored.sort();
  }

  it('of 1,000 items sends each person 12 mails and a digest, and is all stored', async () => {
    await notify([dana.id, sam.id]);
    await notify([dana.id], airport.id);
    const sizes = [40, 960];
    const ids: string[] = [];
    for (const size of sizes) {
      now += 5 * MINUTE;
      ids.push(...(await flood(size, { over: 5 * MINUTE, places: [pier, airport] })));
      await expect
        .poll(() => app.stored('select count(*)::int as left from event where not relayed'), { interval: 500 })
        .toEqual([{ left: 0 }]);
    }
    await waitUntilIdle();
    expect([mails(DANA).length, mails(SAM).length]).toEqual([12, 12]);
    expect(new Set(mails().map(({ mail }) => mail.messageId)).size).toBe(24);
    await advance(45 * MINUTE, 5 * MINUTE);
    expect(mails()).toHaveLength(24);
    const deferred = `select feedback_id as id from alert where held = 'hour' and user_id = $1 order by 1 limit 5`;
    const opened = (await app.stored<{ id: string }>(deferred, [sam.id])).map(({ id }) => id);
    await app.stored(`update feedback set status = 'done' where id = any($1)`, [opened]);
    await advance(15 * MINUTE, 5 * MINUTE);
    expect([mails(DANA).length, mails(SAM).length]).toEqual([13, 13]);
    const [digest] = mails(SAM).slice(-1);
    expect(digest?.mail.subject).toBe(`483 urgent feedback items at ${pier.data.displayName}`);
    const words = digest ? flat(digest) : '';
    expect(words.match(/Awful, 1 of 5/g)).toHaveLength(10);
    expect(words).toContain('And 473 more');
    expect(words).toContain('/urgent');
    for (const id of opened) expect(words).not.toContain(id);
    expect(mails(DANA).at(-1)?.mail.subject).toBe('983 urgent feedback items');
    // The limit resets in the next hour, and nothing is sent twice.
    await advance(2 * HOUR, 30 * MINUTE);
    expect(mails()).toHaveLength(26);
    await submit({ rating: 2 });
    await waitUntilIdle();
    expect([mails(DANA).length, mails(SAM).length]).toEqual([14, 14]);
    expect(await app.stored('select count(*)::int as kept from feedback where id = any($1)', [ids])).toEqual([{ kept: 1_000 }]);
  });
});
