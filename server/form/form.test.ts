import { hash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Step } from '#contract/form/form.ts';
import { contactField, privacyPath } from '#contract/form/form-page.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { LANGUAGE_TAGS } from '#contract/language/languages.ts';
import { ACCOUNT_ID, airport, dana, oldTown, pier } from '#fixtures/business.ts';
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
/** A form that no earlier test opens, so it isn't cached. */
const LATE_FORM = 'FORM_Airprt';
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
/** Returns the inline styles and scripts of a page. */
const inlineIn = (html: string): string[] => [...html.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, , text = '']) => text);
const keyIn = (html: string): string => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';

describe('the form’s page', () => {
  it('is complete in one response of at most 14 kB', async () => {
    const answer = await get(address, { 'accept-encoding': 'gzip' });
    expect(answer.statusCode).toBe(200);
    // The first screen, compressed (bytes): what one round trip carries on a weak connection. @limit first-screen
    expect(answer.rawPayload.length).toBeLessThanOrEqual(14 * 1024);
    const html = gunzipSync(answer.rawPayload).toString();
    expect(html).toContain('How was your visit?');
    expect(html).not.toMatch(/<link[^>]+stylesheet|<img|@font-face|url\(/);
    expect(html.match(/(?:src|href)="https?:/g)).toBeNull();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is uncompressed for a client that accepts no compression', async () => {
    for (const encoding of ['', 'br', 'gzip;q=0']) {
      const answer = await get(address, { 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.body).toMatch(/<\/html>$/);
    }
  });

  it('has a new key each time', async () => {
    const keys = await Promise.all([get(address), get(address)]).then((answers) => answers.map(({ body }) => keyIn(body)));
    expect(keys[0]).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('allows only its own scripts', async () => {
    const policy = String((await get(address)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('shows the current names of the business and place', async () => {
    const place = (html: string) => />Harbor[^<]*<\/b>[^<]*(?:<!-- -->)?Pier 4</.test(html);
    expect(place((await get(address)).body)).toBe(true);
    const { body } = await app.call('account', 'get', { accountId: ACCOUNT_ID }, token);
    const rename = (displayName: string) => app.call('account', 'save', { payload: { id: ACCOUNT_ID, data: { displayName } } }, token);
    await rename('Harbor Tea');
    await expect.poll(async () => (await get(address)).body).toContain('Harbor Tea');
    await rename(body.account.data.displayName);
    await expect.poll(async () => place((await get(address)).body)).toBe(true);
    expect((await app.call('form', 'get', { formId: pier.data.formId })).body.form.data.accountId).toBe(ACCOUNT_ID);
  });

  it('shows a name once if business and place share it', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Harbor Coffee' } } }, token);
    expect((await get(`/feedback/${body.form.id}`)).body).toMatch(/<p class="place"><b>Harbor Coffee<\/b><\/p>/);
  });

  it('opens with a trailing slash, which some scanners add', async () => {
    expect((await get(`${address}/`)).body).toContain('How was your visit?');
  });

  it.each([
    ['unknown', '/feedback/FORM_nobody', 404],
    ['malformed', '/feedback/%00', 404],
    ['endless', `/feedback/${'x'.repeat(500)}`, 404],
  ])('for an %s form says that it isn’t open, and what to do', async (_name, url, status) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(status);
    expect(body).toContain('This form is no longer open.');
    expect(body).toContain('ask the team there for a new one');
  });

  it('escapes text', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Quay_9' } } }, token);
    const steps = body.form.data.steps.map((step: { title: string }) => ({ ...step, title: '</script><script>alert(1)</script>' }));
    const saved = await app.call('form', 'save', { payload: { id: body.form.id, data: { steps } } }, token);
    expect(saved.body.status).toBe('ok');
    const html = (await get(`/feedback/${body.form.id}`)).body;
    expect(html).not.toContain('<script>alert(1)');
    expect(html).toContain('&lt;script&gt;alert(1)');
  });
});

describe('a native post', () => {
  const count = async () => (await app.stored('select from feedback')).length;
  const rate = (headers: Record<string, string>) => post({ [gauge]: '5', [`step-${gauge}`]: '5', key: newKey() }, headers);

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8080' },
    { origin: 'https://elsewhere.example' },
    { origin: 'http://localhost:8081' },
    { origin: 'http://localhost:8080.elsewhere.example' },
    { origin: 'null' },
    { origin: '' },
  ])('from another site’s page is refused: %o', async (headers) => {
    const before = await count();
    expect([(await rate(headers)).statusCode, await count()]).toEqual([403, before]);
  });

  it.each([
    // A browser from before 2020, a program, or a proxy that removes both headers.
    {},
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    // The configured address, behind a proxy that sends another host; and the host of the request.
    { origin: 'http://localhost:8080', host: 'inside:3000' },
    { origin: 'https://by-another-name.example', host: 'By-another-name.example' },
  ])('from our page, or without an origin, is stored: %o', async (headers) => {
    const before = await count();
    expect([(await rate(headers)).statusCode, await count()]).toEqual([303, before + 1]);
  });

  it('includes an origin from our pages with a form', async () => {
    expect((await get(address)).headers['referrer-policy']).toBe('same-origin');
  });
});

describe('late data', () => {
  /** Locks the forms until the returned connection ends. */
  async function lockForms() {
    const holder = await app.connect();
    await holder.query('begin; lock table form in access exclusive mode');
    return holder;
  }

  /** Opens a form that isn't cached while its data can't be read, and returns the response with its parts. */
  async function openLate(language = 'en') {
    const holder = await lockForms();
    const headers = { 'accept-language': language };
    const response = await app.app.http.inject({ url: `/feedback/${formOf(LATE_FORM).id}`, headers, payloadAsStream: true });
    const chunks: string[] = [];
    for await (const chunk of response.stream()) {
      if (chunks.length === 0) await holder.end();
      chunks.push(String(chunk));
    }
    expect(chunks[0]).not.toContain('id="experience"');
    return { response, body: chunks.join('') };
  }

  it('sends the skeleton first and the form in the same response', async () => {
    const { response, body } = await openLate();
    expect(response.statusCode).toBe(200);
    const [skeleton, button, style, form] = [
      'class="card skeleton"',
      'Submit feedback</span>',
      '.skeleton{display:none}',
      'id="experience"',
    ].map((part) => body.lastIndexOf(part));
    expect([skeleton, button, style, form]).toEqual([skeleton, button, style, form].toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(skeleton).toBeGreaterThan(0);
  });

  it('has the brand’s style, which its policy allows', async () => {
    const show = async (accent: string | null): Promise<void> => {
      await app.call('brand', 'save', { payload: { id: ACCOUNT_ID, data: { accent } } }, token);
      await expect.poll(async () => (await get(address)).body.includes(':root{--accent:#856e00')).toBe(accent !== null);
    };
    await show('#ffd400');
    const { response, body } = await openLate();
    const [, nonce] = /<style nonce="([^"]+)">:root\{--accent:#856e00/.exec(body) ?? [];
    expect(response.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    await show(null);
  });

  it('has the language it’s written in, if it doesn’t have the browser’s', async () => {
    const { id, data } = formOf(LATE_FORM);
    const steps = data.steps.map((step) => (step.stepType === 'experience' ? { ...step, title: 'How was the ferry?' } : step));
    expect((await app.call('form', 'save', { payload: { id, data: { steps } } }, token)).status).toBe(200);
    const { body } = await openLate('ar');
    expect(body).toContain('<html lang="ar" dir="rtl">');
    expect(body).toContain('<div id="form" lang="en" dir="ltr">');
  });

  it('shows no skeleton if the data isn’t late', async () => {
    expect((await get(address)).body).not.toContain('class="card skeleton"');
  });

  it('shows an error when the database takes too long', async () => {
    const holder = await lockForms();
    const { body } = await get('/feedback/FORM_late99');
    await holder.end();
    expect(body).toContain('We can’t show this form right now');
    expect(body).toContain('Try again');
  });
});

describe('without JavaScript', () => {
  it('saves a rating and shows the thanks', async () => {
    const key = keyIn((await get(address)).body);
    const answer = await post({ key, [gauge]: '5', [openText]: 'Lovely', [contact.uuid]: 'No' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${address}?key=${key}&screen=done`]);
    const doneScreen = await get(String(answer.headers.location));
    expect(doneScreen.body).toContain('Spread the word');
    expect(doneScreen.body).toContain('Review us on Google');
  });

  it('shows an apology after a bad rating, which can be changed', async () => {
    const key = newKey();
    await post({ key, [gauge]: '1', [contact.uuid]: 'No' });
    expect((await get(`${address}?key=${key}&screen=done`)).body).toContain('sorry');
    const changePage = (await get(`${address}?key=${key}`)).body;
    expect(changePage).toMatch(/<input[^>]*value="1"[^>]*checked|<input[^>]*checked[^>]*value="1"/);
    await post({ key, [gauge]: '4', [contact.uuid]: 'No' });
    const rows = await app.stored(`select rating from feedback where key_hash = sha256($1)`, [Buffer.from(key)]);
    expect(rows).toEqual([{ rating: 4 }]);
  });

  it('never shows previous text or contact, and an empty field doesn’t erase it', async () => {
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
    const refused = await post({ key, [contact.uuid]: 'Yes', [email]: 'nobody' });
    expect(refused.statusCode).toBe(400);
    for (const body of [...pages, refused.body]) expect(body).not.toMatch(/Cold|Ann Mole|98765|mole\.example/);
    expect(pages.at(-1)).toContain('You left a note.');
    expect(pages.at(-1)).toMatch(/<input[^>]*value="Yes"[^>]*checked|<input[^>]*checked[^>]*value="Yes"/);
    await step({ [contact.uuid]: 'No' });
    expect(await stored()).toEqual([{ text: 'Cold soup', contact: { answer: 'No' } }]);
  });

  it('starts a new visit for an unknown key', async () => {
    const key = newKey();
    await post({ key, [gauge]: '1' });
    expect(keyIn((await get(`${address}?key=${key}`)).body)).toBe(key);
    for (const unusableKey of [newKey(), 'short']) expect(keyIn((await get(`${address}?key=${unusableKey}`)).body)).not.toBe(unusableKey);
  });

  it('answers a native post of a page with JavaScript without the key in any address', async () => {
    const key = newKey();
    const answer = await post({ key, [gauge]: '5', [openText]: 'Lovely soup', script: '1' });
    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.body).toContain('Spread the word');
    expect(answer.body).not.toMatch(new RegExp(`(?:href|action|src)="[^"]*${key}`));
    expect(answer.body).not.toContain('Lovely soup');
  });

  it('shows errors beside their fields, and keeps the input', async () => {
    const key = newKey();
    const unrated = await post({ key, [openText]: 'I typed this', [contact.uuid]: 'No' });
    expect(unrated.statusCode).toBe(400);
    expect(unrated.body).toContain('Choose a face to continue');
    expect(unrated.body).toContain('I typed this');
    const unreachable = await post({ key, [gauge]: '2', [contact.uuid]: 'Yes', [contactField(contact, 'email')]: 'nobody' });
    expect(unreachable.statusCode).toBe(400);
    expect(unreachable.body).toContain('Please enter a valid email');
    expect(unreachable.body).toContain('value="nobody"');
  });

  it('stores one record of a form that is sent twice', async () => {
    const key = newKey();
    await Promise.all([post({ key, [gauge]: '3' }), post({ key, [gauge]: '3' }), post({ key, [gauge]: '3' })]);
    expect(await app.stored(`select rating from feedback where key_hash = sha256($1)`, [Buffer.from(key)])).toHaveLength(1);
  });

  it('refuses a post that is too large', async () => {
    expect((await post({ key: newKey(), [gauge]: '3', [openText]: 'x'.repeat(70_000) })).statusCode).toBe(413);
  });

  it('answers a script’s post in JSON', async () => {
    const answer = await post({ key: newKey(), [gauge]: '3' }, { accept: 'application/json' });
    expect(answer.json()).toMatchObject({ status: 'ok', feedback: { data: { rating: 3 } } });
  });
});

describe('the redirect to a review service', () => {
  it('goes to the service, and is stored as converted', async () => {
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

  it('isn’t stored for a prefetch, and goes nowhere else', async () => {
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
  it('with the former, false default shows the current one', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Since long' } } }, token);
    const claim = (text: string) =>
      body.form.data.steps.map((step: Step) => (step.stepType === 'sorry' ? { ...step, title: `Sorry: ${text}`, subtitle: text } : step));
    const saveSteps = (steps: Step[]) => app.call('form', 'save', { payload: { id: body.form.id, data: { steps } } }, token);
    const page = async () => (await get(`/feedback/${body.form.id}`)).body;
    await saveSteps(claim('Your note went straight to the team.'));
    await expect.poll(page).toContain('"title":"Sorry: Your note went straight to the team."');
    expect(await page()).not.toContain('"subtitle":"Your note');
    expect(await page()).toContain('"subtitle":"Thank you for telling us."');
    await saveSteps(claim('Your note went straight to the kitchen.'));
    await expect.poll(page).toContain('"subtitle":"Your note went straight to the kitchen."');
  });

  it('shows immediately, and answers to the previous page are still accepted', async () => {
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

  it('of a deleted property is closed, and its feedback is no longer listed', async () => {
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

describe('the team’s side of a form', () => {
  const formId = oldTown.data.formId;
  const save = (data: object) => app.call('form', 'save', { payload: { id: formId, data } }, token);

  it('refuses a save based on an old version', async () => {
    const { body: before } = await app.call('form', 'read', { formId }, token);
    const { version, steps } = before.form.data;
    const withTitle = (title: string) => steps.map((step: Step) => (step.stepType === 'thanks' ? { ...step, title } : step));
    expect((await save({ steps: withTitle('One'), basedOn: version })).body.form.data.version).toBe(version + 1);
    const late = await save({ steps: withTitle('Two'), basedOn: version });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    const { body: now } = await app.call('form', 'read', { formId }, token);
    expect(now.form.data.steps[2].title).toBe('One');
    const { body: old } = await app.call('form', 'read', { formId, version }, token);
    expect(old.form.data.steps).toEqual(steps);
  });

  it('lists when and by whom the review invitation was changed', async () => {
    const invitations = async () => (await app.call('form', 'versions', { formId }, token)).body.invitations;
    const [first, ...none] = await invitations();
    expect([first.version, first.inviteToReview, none]).toEqual([1, 'good', []]);
    for (const inviteToReview of ['everyone', 'everyone', 'good']) await save({ inviteToReview });
    const all = await invitations();
    expect(all.map(({ inviteToReview }: { inviteToReview: string }) => inviteToReview)).toEqual(['good', 'everyone', 'good']);
    expect(all[0].savedBy).toBe(dana.id);
    expect(all[0].saved).toBeGreaterThan(all[2].saved);
  });

  it('stores each answer with the version that its page showed', async () => {
    const { body } = await app.call('form', 'read', { formId }, token);
    const { version, steps } = body.form.data;
    const page = await get(`/feedback/${formId}`);
    await save({ steps: steps.map((step: Step) => ({ ...step, title: `${step.title} today` })) });
    const [, shown] = /name="version" value="(\d+)"/.exec(page.body) ?? [];
    expect(shown).toBe(String(version));
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const face = blockIn(body.form, 'EmojiGauge').uuid;
    const fields = { key: keyIn(page.body), version: String(shown), [face]: '3' };
    const payload = new URLSearchParams(fields).toString();
    await app.app.http.inject({ method: 'POST', url: `/feedback/${formId}`, headers, payload });
    const { idempotencyKey, payload: sent } = submission({ rating: 3 }, { form: body.form });
    await app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...sent.data, formVersion: version } } });
    await app.call('feedback', 'save', submission({ rating: 3 }, { form: body.form }));
    const { body: list } = await app.call('feedback', 'list', { propertyId: oldTown.id, limit: 3 }, token);
    expect(list.feedback.map(({ data }: { data: { formVersion: number } }) => data.formVersion)).toEqual([version + 1, version, version]);
  });

  it('keeps its property’s links while it has no review block', async () => {
    const { body } = await app.call('form', 'read', { formId }, token);
    await save({
      steps: body.form.data.steps.map(({ blocks, ...step }: Step) => (step.stepType === 'spread the word' ? step : { ...step, blocks })),
    });
    expect((await app.call('property', 'get', { propertyId: oldTown.id }, token)).body.property.data.service).toEqual(oldTown.data.service);
    await save({ steps: body.form.data.steps });
  });
});

describe('a closed form', () => {
  const formId = LATE_FORM;
  const visit = async () => {
    const { statusCode, body } = await get(`/feedback/${formId}`);
    return [statusCode, body.includes('<h1>This form is no longer open.</h1>')];
  };
  const form = formOf(formId);
  const rate = () => app.call('feedback', 'save', submission({ rating: 4 }, { form }));

  it('says so at its address until it is reopened', async () => {
    expect(await visit()).toEqual([200, false]);
    await app.call('form', 'close', { formId }, token);
    await expect.poll(visit).toEqual([410, true]);
    expect((await rate()).body.code).toBe('form-closed');
    expect((await get(`/feedback/${formId}/review/Google`)).statusCode).toBe(404);
    await app.call('form', 'open', { formId }, token);
    await expect.poll(visit).toEqual([200, false]);
    expect((await rate()).status).toBe(200);
  });

  it('can be replaced after deletion, and keeps its answers and versions', async () => {
    const { body: before } = await app.call('feedback', 'list', { propertyId: airport.id }, token);
    await app.call('form', 'delete', { formId }, token);
    await expect.poll(visit).toEqual([410, true]);
    const [first, second] = await Promise.all([1, 2].map(() => app.call('form', 'create', { propertyId: airport.id }, token)));
    expect([first?.status, second?.status].sort()).toEqual([200, 409]);
    const { property } = (await app.call('property', 'get', { propertyId: airport.id }, token)).body;
    expect(property.data.formId).not.toBe(formId);
    expect((await get(`/feedback/${property.data.formId}`)).statusCode).toBe(200);
    expect((await app.call('form', 'open', { formId }, token)).status).toBe(404);
    expect((await app.call('feedback', 'list', { propertyId: airport.id }, token)).body.feedback).toEqual(before.feedback);
    const { body: old } = await app.call('form', 'read', { formId, version: 1 }, token);
    expect([old.standing, old.form.data.steps]).toEqual(['deleted', form.data.steps]);
  });
});

describe.each(['/form-preview', '/kiosk-preview'])('the preview at %s', (preview) => {
  it('opens only in this site’s frames, and can’t send anything', async () => {
    const { statusCode, body, headers } = await get(preview);
    const policy = String(headers['content-security-policy']);
    expect(statusCode).toBe(200);
    for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]) expect(policy).toContain(rule);
    expect(policy).not.toContain('connect-src');
    const [, script = ''] = /src="([^"]+)"/.exec(body) ?? [];
    expect((await get(script)).statusCode).toBe(200);
    expect((await get(address)).body).not.toContain(script);
  });
});

describe('the form in another site’s frame', () => {
  const framed = `${address}?embed=1`;
  const policyOf = async (url: string) => String((await get(url)).headers['content-security-policy']);

  it('may be framed by anyone, and only at that address', async () => {
    expect(await policyOf(framed)).toContain('frame-ancestors *');
    for (const url of [address, `${address}?embed=0`, `${address}?embed=1&embed=1`, '/feedback/FORM_nobody', '/form-preview?embed=1'])
      expect(await policyOf(url), url).not.toContain('frame-ancestors *');
    const { headers } = await get(framed);
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-embedder-policy': 'require-corp' });
    expect((await get(address)).headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('allows its own style and script, and no other page has them', async () => {
    const [page, usual] = [(await get(framed)).body, (await get(address)).body];
    const policy = await policyOf(framed);
    const inline = inlineIn(page);
    expect(inline).toHaveLength(5);
    for (const text of inline) expect(policy).toContain(hash('sha256', text, 'base64'));
    expect(page).toContain('postMessage');
    expect(usual).not.toMatch(/postMessage|"embed"/);
    expect(policy).not.toMatch(/unsafe|https?:/);
  });

  it('keeps to the frame without JavaScript', async () => {
    const page = (await get(framed)).body;
    expect(page).toContain('href="?lang=de&amp;embed=1"');
    expect(page).toContain(`<a href="${privacyPath(pier.data.formId, 'en')}" target="_blank">`);
    const answer = await app.app.http.inject({
      method: 'POST',
      url: framed,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ key: keyIn(page), [gauge]: '4' }).toString(),
    });
    expect(answer.headers.location).toMatch(/&screen=done&embed=1$/);
    const done = await get(String(answer.headers.location));
    expect(done.body).toMatch(/href="[^"]+&amp;embed=1">Change my answer/);
    for (const url of [String(answer.headers.location), '/feedback/FORM_nobody?embed=1'])
      expect(await policyOf(url), url).toContain('frame-ancestors *');
  });
});

describe('the script for other sites’ pages', () => {
  it('has at most 3 kB, may be loaded by any site, and is loaded again only if it changed', async () => {
    const { rawPayload, headers } = await get('/embed.js');
    // The script for other sites' pages, uncompressed (bytes). @limit embed-script
    expect(rawPayload.length).toBeLessThanOrEqual(3_000);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const again = await get('/embed.js', { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/embed.js', { 'if-none-match': '"another"' })).statusCode).toBe(200);
  });
});

describe('a face in a mail', () => {
  const chosen = (html: string) =>
    /<input[^>]*data-rating="(\d)"[^>]*checked|<input[^>]*checked[^>]*data-rating="(\d)"/.exec(html)?.slice(1).join('');

  it('is chosen in the page, and saved or counted by no request', async () => {
    const count = async () =>
      (await app.stored('select (select count(*) from feedback) as answers, (select coalesce(sum(count), 0) from view) as openings'))[0];
    // Openings are counted a moment later, so this one shows that those before it aren't.
    const before = (await count()) as { answers: string; openings: string };
    for (const method of ['GET', 'HEAD'] as const)
      for (const headers of [{}, { 'sec-purpose': 'prefetch' }, { 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }] as Record<
        string,
        string
      >[])
        expect((await app.app.http.inject({ method, url: `${address}?rating=2`, headers })).statusCode).toBe(200);
    await get(address);
    await expect.poll(count).toEqual({ answers: before.answers, openings: String(Number(before.openings) + 1) });
    expect(chosen((await get(`${address}?rating=2`)).body)).toBe('2');
    expect(chosen((await get(`${address}?rating=5&lang=de`)).body)).toBe('5');
    expect(chosen((await get(address)).body)).toBeUndefined();
  });

  it.each(['0', '6', '4.0', '04', '%00', '__proto__', '4&rating=5'])('is ignored if it’s %s', async (wrong) => {
    const { body } = await get(`${address}?rating=${wrong}`);
    expect(chosen(body)).toBeUndefined();
    expect(body).not.toContain('prerendering');
  });

  it('has a script that its page’s policy allows, and no other page has it', async () => {
    const { body, headers } = await get(`${address}?rating=2`);
    const script = inlineIn(body).find((text) => text.includes('prerendering')) ?? '';
    expect(String(headers['content-security-policy'])).toContain(hash('sha256', script, 'base64'));
    expect((await get(address)).body).not.toContain('prerendering');
    const key = newKey();
    await post({ key, [gauge]: '4' });
    const existing = (await get(`${address}?key=${key}&rating=1`)).body;
    expect([chosen(existing), existing.includes('prerendering')]).toEqual(['4', false]);
  });

  it('fits in one response of at most 14 kB', async () => {
    expect((await get(`${address}?rating=4&embed=1`, { 'accept-encoding': 'gzip' })).rawPayload.length).toBeLessThanOrEqual(14 * 1024);
  });
});

describe('the form’s language', () => {
  const langOf = (html: string) => /<html lang="([^"]+)" dir="([^"]+)">/.exec(html)?.slice(1);
  const languageOf = async (url: string, header = '') => langOf((await get(url, { 'accept-language': header })).body);

  it('is the first of the browser’s that it has, or the one in the address', async () => {
    expect(await languageOf(address)).toEqual(['en', 'ltr']);
    expect(await languageOf(address, 'sr, de-AT;q=0.8, en;q=0.5')).toEqual(['de', 'ltr']);
    expect(await languageOf(address, 'en;q=0.5, ar;q=0.9')).toEqual(['ar', 'rtl']);
    expect(await languageOf(`${address}?lang=ja`, 'de')).toEqual(['ja', 'ltr']);
    for (const wrong of ['xx', 'DE', '%00', '__proto__']) expect(await languageOf(`${address}?lang=${wrong}`, 'de')).toEqual(['de', 'ltr']);
    expect((await get(address)).headers['vary']).toContain('accept-language');
    expect(await languageOf('/feedback/FORM_000000', 'de')).toEqual(['de', 'ltr']);
  });

  it.each(LANGUAGE_TAGS)('%s fits in one response of at most 14 kB', async (tag) => {
    const { rawPayload } = await get(`${address}?lang=${tag}`, { 'accept-encoding': 'gzip' });
    expect(rawPayload.length).toBeLessThanOrEqual(14 * 1024);
    const html = gunzipSync(rawPayload).toString();
    expect(html).toContain(STANDARD_TEXTS[tag].question);
    expect(html).toContain(WORDS[tag].page.submit);
  });

  it('stays after a post without script, and is stored unless it is the form’s own', async () => {
    const languageStored = async (key: string) =>
      (
        await app.stored<{ language: string | null }>(
          `select language from feedback where key_hash = decode('${hash('sha256', key)}', 'hex')`,
        )
      )[0]?.language;
    const [german, english] = [newKey(), newKey()];
    const answer = await app.app.http.inject({
      method: 'POST',
      url: `${address}?lang=de`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ key: german, lang: 'de', [gauge]: '4' }).toString(),
    });
    expect(answer.statusCode).toBe(303);
    const done = await get(String(answer.headers['location']));
    expect(done.body).toContain('Vielen Dank!');
    expect(done.body).toContain(`key=${german}&amp;lang=de`);
    expect(await languageStored(german)).toBe('de');
    await post({ key: english, lang: 'en', [gauge]: '4' });
    expect(await languageStored(english)).toBeNull();
    const { body } = await app.call('feedback', 'list', { propertyId: pier.id, language: 'de' }, token);
    expect(body.feedback.map(({ data }: Feedback) => data.language)).toEqual(['de']);
  });

  it('shows errors of a post without script', async () => {
    const { body, statusCode } = await post({ key: newKey(), lang: 'de' }, { 'accept-language': 'ja' });
    expect(statusCode).toBe(400);
    expect(body).toContain('Bitte wählen Sie ein Gesicht');
  });

  it('is offered once nothing is missing in it', async () => {
    const { form } = (await app.call('form', 'read', { formId: pier.data.formId }, token)).body;
    const [step, ...others] = form.data.steps;
    const steps = [{ ...step, title: 'How was the gate?' }, ...others];
    const save = (data: object) => app.call('form', 'save', { payload: { id: form.id, data } }, token);
    const page = `/feedback/${form.id}`;
    await save({ steps });
    await expect.poll(async () => languageOf(page, 'de')).toEqual(['en', 'ltr']);
    expect((await get(page)).body).not.toContain('class="languages"');
    const saved = await save({ translations: { de: { [step.uuid]: 'Wie war das Gate?', [randomUUID()]: 'Left over' } } });
    expect(saved.body.form.data.translations).toEqual({ de: { [step.uuid]: 'Wie war das Gate?' } });
    await expect.poll(async () => languageOf(page, 'de')).toEqual(['de', 'ltr']);
    expect((await get(page, { 'accept-language': 'de' })).body).toContain('Wie war das Gate?');
    for (const translations of [{ xx: {} }, { de: { title: 'x' } }, { de: { [step.uuid]: '' } }, { de: { [step.uuid]: 'x'.repeat(301) } }])
      expect((await save({ translations })).status, JSON.stringify(translations)).toBe(400);
    await save({ steps: form.data.steps, translations: {} });
  });
});

describe('the size of a visit', () => {
  it.each(['gzip', 'br'])('is at most 75 kB in all, compressed by %s', async (encoding) => {
    const page = await get(address, { 'accept-encoding': encoding });
    const scripts = [...(await get(address)).body.matchAll(/src="([^"]+)"/g)].map(([, source]) => source ?? '');
    const answers = await Promise.all(scripts.map((script) => get(script, { 'accept-encoding': encoding })));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([encoding]);
    const html = page.headers['content-encoding'] === undefined ? gzipSync(page.body) : page.rawPayload;
    // The form's page with its scripts, compressed (bytes). @limit page-weight
    expect(html.length + answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)).toBeLessThanOrEqual(75_000);
  });
});

describe('an answer after an hour', () => {
  it('is stored as a new answer, and the page says so', async () => {
    const key = newKey();
    await post({ key, [gauge]: '2' });
    app.advance(60 * 60_000 + 1);
    const count = async () => (await app.stored('select from feedback where rating = 2')).length;
    const before = await count();
    for (const script of [{}, { script: '1' }] as Record<string, string>[]) {
      const answer = await post({ key, [gauge]: '2', ...script });
      const page = answer.statusCode === 303 ? await get(String(answer.headers.location)) : answer;
      expect(page.body.includes('Saved as a new answer')).toBe(true);
    }
    expect(await count()).toBe(before + 2);
  });
});
