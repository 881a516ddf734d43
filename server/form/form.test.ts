import { gunzipSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactField } from '#contract/form-page.ts';
import { oldTown, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { blockIn, formOf, newKey, responsesTo, submission } from '../../test/support/submission.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn();
});
afterAll(() => app.stop());

const address = `/feedback/${pier.data.formId}`;
/** Asked for by no test before, so no cache knows it. */
const LATE = 'FORM_Airprt';
const gauge = blockIn(formOf(), 'EmojiGauge').uuid;
const openText = blockIn(formOf(), 'OpenText').uuid;
const contact = blockIn(formOf(), 'ContactMe');
const get = (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> => app.app.http.inject({ url, headers });
const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.app.http.inject({
    method: 'POST',
    url: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const keyIn = (html: string): string => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';

describe('the form’s page', () => {
  it('is whole in one response of at most 14 kB, with nothing else needed before the first tap', async () => {
    const answer = await get(address, { 'accept-encoding': 'gzip' });
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.length).toBeLessThanOrEqual(14 * 1024);
    const html = gunzipSync(answer.rawPayload).toString();
    expect(html).toContain('How was your visit?');
    expect(html).not.toMatch(/<link[^>]+stylesheet|<img|@font-face|url\(/);
    expect(html.match(/(?:src|href)="https?:/g)).toBeNull();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('comes uncompressed to a client that accepts no compression', async () => {
    for (const encoding of ['', 'br', 'gzip;q=0']) {
      const answer = await get(address, { 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.body).toMatch(/<\/html>$/);
    }
  });

  it('has a key of its own each time', async () => {
    const keys = await Promise.all([get(address), get(address)]).then((answers) => answers.map(({ body }) => keyIn(body)));
    expect(keys[0]).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('runs no script but its own', async () => {
    const policy = String((await get(address)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('is found with a slash at the end, as some scanners add one', async () => {
    expect((await get(`${address}/`)).body).toContain('How was your visit?');
  });

  it.each([
    ['unknown', '/feedback/FORM_nobody', 404],
    ['malformed', '/feedback/%00', 404],
    ['endless', `/feedback/${'x'.repeat(500)}`, 404],
  ])('says in one sentence that an %s form is not open', async (_name, url, status) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(status);
    expect(body).toContain('This form is no longer open.');
  });

  it('shows words as words', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Quay_9' } } }, token);
    const steps = body.form.data.steps.map((step: { title: string }) => ({ ...step, title: '</script><script>alert(1)</script>' }));
    const saved = await app.call('form', 'save', { payload: { id: body.form.id, data: { steps } } }, token);
    expect(saved.body.status).toBe('ok');
    const html = (await get(`/feedback/${body.form.id}`)).body;
    expect(html).not.toContain('<script>alert(1)');
    expect(html).toContain('&lt;script&gt;alert(1)');
  });
});

describe('a post from another site', () => {
  it.each(['cross-site', 'same-site'])('(%s) is refused, and changes nothing', async (site) => {
    const count = async () => (await app.stored('select from feedback')).length;
    const before = await count();
    const answer = await post({ [gauge]: '5', [`step-${gauge}`]: '5', key: newKey() }, { 'sec-fetch-site': site });
    expect([answer.statusCode, await count()]).toEqual([403, before]);
  });
});

describe('data that takes its time', () => {
  const lateFor = (seconds: number) =>
    app.stored(`do $$ begin lock table form in access exclusive mode; perform pg_sleep(${seconds}); end $$`);

  it('lets the skeleton go ahead, and the form follows in the same answer, without a script', async () => {
    const slow = lateFor(0.7);
    await expect
      .poll(() => app.stored(`select 1 from pg_locks where mode = 'AccessExclusiveLock' and relation = 'form'::regclass`))
      .toHaveLength(1);
    const { statusCode, body } = await get(`/feedback/${formOf(LATE).id}`);
    await slow;
    expect(statusCode).toBe(200);
    const [skeleton, button, style, form] = [
      'class="card skeleton"',
      'Submit feedback</span>',
      '.skeleton{display:none}',
      'id="experience"',
    ].map((part) => body.lastIndexOf(part));
    expect([skeleton, button, style, form]).toEqual([skeleton, button, style, form].toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(skeleton).toBeGreaterThan(0);
  });

  it('shows no skeleton when it is there in time', async () => {
    expect((await get(address)).body).not.toContain('class="card skeleton"');
  });

  it('says that it will not come, when the database is away for too long', async () => {
    const slow = lateFor(4.6);
    await expect
      .poll(() => app.stored(`select 1 from pg_locks where mode = 'AccessExclusiveLock' and relation = 'form'::regclass`))
      .toHaveLength(1);
    const { body } = await get('/feedback/FORM_late99');
    await slow;
    expect(body).toContain('We can’t show this form right now');
    expect(body).toContain('Try again');
  });
});

describe('without JavaScript', () => {
  it('a rating is saved and thanked for', async () => {
    const key = keyIn((await get(address)).body);
    const answer = await post({ key, [gauge]: '5', [openText]: 'Lovely', [contact.uuid]: 'No' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${address}?key=${key}&screen=done`]);
    const done = await get(String(answer.headers.location));
    expect(done.body).toContain('Spread the word');
    expect(done.body).toContain('Review us on Google');
  });

  it('a bad one is answered with an apology, and can be changed', async () => {
    const key = newKey();
    await post({ key, [gauge]: '1', [contact.uuid]: 'No' });
    expect((await get(`${address}?key=${key}&screen=done`)).body).toContain('sorry');
    const again = (await get(`${address}?key=${key}`)).body;
    expect(again).toMatch(/<input[^>]*value="1"[^>]*checked|<input[^>]*checked[^>]*value="1"/);
    await post({ key, [gauge]: '4', [contact.uuid]: 'No' });
    const rows = await app.stored(`select rating from feedback where key_hash = sha256($1)`, [Buffer.from(key)]);
    expect(rows).toEqual([{ rating: 4 }]);
  });

  it('no step shows words or contact that were given before, and an empty field erases none', async () => {
    const key = keyIn((await get(address)).body);
    const [name, phone, email] = (['name', 'phone', 'email'] as const).map((part) => contactField(contact, part)) as [
      string,
      string,
      string,
    ];
    const rated = { key, [gauge]: '2', [contact.uuid]: 'Yes' };
    const stored = () =>
      app.stored<{ text: string; contact: object }>(
        `select text, (select r->'response' from jsonb_array_elements(responses) r where r->>'block' = 'ContactMe') as contact
           from feedback where key_hash = sha256($1)`,
        [Buffer.from(key)],
      );
    const pages: string[] = [];
    const step = async (fields: Record<string, string>) => {
      const answer = await post({ ...rated, ...fields });
      expect(answer.statusCode).toBe(303);
      pages.push(answer.body, (await get(String(answer.headers.location))).body, (await get(`${address}?key=${key}`)).body);
    };
    await step({ [openText]: 'Cold coffee', [name]: 'Ann Mole', [phone]: '040 98765' });
    await step({ [openText]: '', [name]: '', [phone]: '', [email]: '' });
    expect(await stored()).toEqual([{ text: 'Cold coffee', contact: { answer: 'Yes', name: 'Ann Mole', phone: '040 98765' } }]);
    await step({ [openText]: 'Cold soup', [email]: 'ann@mole.example' });
    expect(await stored()).toEqual([
      { text: 'Cold soup', contact: { answer: 'Yes', name: 'Ann Mole', phone: '040 98765', email: 'ann@mole.example' } },
    ]);
    const wrong = await post({ key, [contact.uuid]: 'Yes', [email]: 'nobody' });
    expect(wrong.statusCode).toBe(400);
    for (const body of [...pages, wrong.body]) expect(body).not.toMatch(/Cold|Ann Mole|98765|mole\.example/);
    expect(pages.at(-1)).toContain('You left a note.');
    expect(pages.at(-1)).toMatch(/<input[^>]*value="Yes"[^>]*checked|<input[^>]*checked[^>]*value="Yes"/);
    await step({ [contact.uuid]: 'No' });
    expect(await stored()).toEqual([{ text: 'Cold soup', contact: { answer: 'No' } }]);
  });

  it('a key that names nothing any more opens a new visit', async () => {
    const key = newKey();
    await post({ key, [gauge]: '1' });
    expect(keyIn((await get(`${address}?key=${key}`)).body)).toBe(key);
    for (const gone of [newKey(), 'short']) expect(keyIn((await get(`${address}?key=${gone}`)).body)).not.toBe(gone);
  });

  it('a native post of a page whose script runs is answered without the key in any address', async () => {
    const key = newKey();
    const answer = await post({ key, [gauge]: '5', [openText]: 'Lovely soup', script: '1' });
    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.body).toContain('Spread the word');
    expect(answer.body).not.toMatch(new RegExp(`(?:href|action|src)="[^"]*${key}`));
    expect(answer.body).not.toContain('Lovely soup');
  });

  it('what is missing is said beside its field, and what was typed stays', async () => {
    const key = newKey();
    const nothing = await post({ key, [openText]: 'I typed this', [contact.uuid]: 'No' });
    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain('Choose a face to continue');
    expect(nothing.body).toContain('I typed this');
    const unreachable = await post({ key, [gauge]: '2', [contact.uuid]: 'Yes', [contactField(contact, 'email')]: 'nobody' });
    expect(unreachable.statusCode).toBe(400);
    expect(unreachable.body).toContain('Please enter a valid email');
    expect(unreachable.body).toContain('value="nobody"');
  });

  it('a page that is sent twice makes one record', async () => {
    const key = newKey();
    await Promise.all([post({ key, [gauge]: '3' }), post({ key, [gauge]: '3' }), post({ key, [gauge]: '3' })]);
    expect(await app.stored(`select rating from feedback where key_hash = sha256($1)`, [Buffer.from(key)])).toHaveLength(1);
  });

  it('a post too large is refused', async () => {
    expect((await post({ key: newKey(), [gauge]: '3', [openText]: 'x'.repeat(70_000) })).statusCode).toBe(413);
  });

  it('a script’s post gets an answer for scripts', async () => {
    const answer = await post({ key: newKey(), [gauge]: '3' }, { accept: 'application/json' });
    expect(answer.json()).toMatchObject({ status: 'ok', feedback: { data: { rating: 3 } } });
  });
});

describe('the way to a review', () => {
  it('leads to that service only, and is counted as converted', async () => {
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 5 }, { key }));
    const answer = await get(`${address}/review/Google?key=${key}`);
    expect(answer.statusCode).toBe(303);
    expect(new URL(String(answer.headers.location)).protocol).toBe('https:');
    const [row] = await app.stored<{ converted: Date | null; source: string }>(
      `select converted, source from feedback where key_hash = sha256($1)`,
      [Buffer.from(key)],
    );
    expect(row?.converted).toBeInstanceOf(Date);
    expect(row?.source).toBe('Google');
  });

  it('is not counted when a browser only looks ahead, and leads nowhere else', async () => {
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 5 }, { key }));
    await get(`${address}/review/Google?key=${key}`, { 'sec-purpose': 'prefetch' });
    expect(await app.stored(`select converted from feedback where key_hash = sha256($1)`, [Buffer.from(key)])).toEqual([
      { converted: null },
    ]);
    for (const service of ['Bing', 'https:%2F%2Fevil.test', '__proto__'])
      expect((await get(`${address}/review/${service}`)).statusCode).toBe(404);
  });
});

describe('a saved form', () => {
  it('shows at once, and answers given to the page before are still taken', async () => {
    const form = formOf(oldTown.data.formId);
    const url = `/feedback/${form.id}`;
    await get(url);
    const [experience, ...others] = form.data.steps;
    const steps = [{ ...experience, title: 'How was it today?' }, ...others];
    await app.call('form', 'save', { payload: { id: form.id, data: { steps } } }, token);
    await expect.poll(async () => (await get(url)).body).toContain('How was it today?');
    const { body } = await app.call('feedback', 'save', {
      idempotencyKey: newKey(),
      payload: { data: { formId: form.id, responses: responsesTo(form, { rating: 5 }) } },
    });
    expect(body.status).toBe('ok');
  });

  it('of a deleted property is closed, and its feedback no longer listed or counted', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Short lived' } } }, token);
    const { form, property } = body;
    await app.call('feedback', 'save', submission({ rating: 1 }, { form }));
    await app.call('property', 'delete', { propertyId: property.id }, token);
    await expect.poll(async () => (await get(`/feedback/${form.id}`)).statusCode).toBe(410);
    const { status, body: refused } = await app.call('feedback', 'save', submission({ rating: 1 }, { form }));
    expect([status, refused.code]).toEqual([410, 'form-closed']);
    expect((await app.call('feedback', 'list', { propertyId: property.id }, token)).status).toBe(404);
  });
});

describe('what a visit weighs', () => {
  it.each(['gzip', 'br'])('is at most 75 kB in all, compressed by %s', async (encoding) => {
    const page = await get(address, { 'accept-encoding': encoding });
    const scripts = [...(await get(address)).body.matchAll(/src="([^"]+)"/g)].map(([, source]) => source ?? '');
    const answers = await Promise.all(scripts.map((script) => get(script, { 'accept-encoding': encoding })));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([encoding]);
    const html = page.headers['content-encoding'] === undefined ? gzipSync(page.body) : page.rawPayload;
    expect(html.length + answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)).toBeLessThanOrEqual(75_000);
  });
});
