import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LINK_LIFETIME } from '#contract/conversation/conversation.ts';
import { MOST_MESSAGES } from '#contract/conversation/messages.ts';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import type { Step } from '#contract/form/form.ts';
import { ACCOUNT_ID, dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { duringTransaction } from '../../test/support/at-once.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { openTestSmtp, type TestSmtp } from '../../test/support/smtp.ts';
import { newKey, submission } from '../../test/support/submission.ts';

const ANN = { answer: 'Yes' as const, name: 'Ann', email: 'ann@example.com' };

let app: TestApp;
let smtp: TestSmtp;
let isMailDown = false;
let isAddressUnknown = false;
let now = Date.parse('2026-11-22T12:00:00Z');
let tokens: Record<'dana' | 'sam', string>;
beforeAll(async () => {
  const unknown = () => (isAddressUnknown ? { code: 550, text: '5.1.1 No such mailbox' } : undefined);
  smtp = await openTestSmtp({ refuse: () => (isMailDown ? { code: 451, text: 'later' } : unknown()) });
  app = await openTestApp({ also: addOtherAccount, settings: { SMTP_URL: smtp.url, BILLING: 'sandbox' }, clock: () => now });
  tokens = await signIn();
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(async () => {
  await app.stored('delete from rate_limit');
  await app.stored('update property set complaints = $1 where id = $2', [[dana.id], pier.id]);
});

const signIn = async () => ({ dana: await app.signIn(), sam: await app.signIn(sam.data.emailAddress) });

/** Moves the clock beyond the life of tokens. */
async function pass(ms: number): Promise<void> {
  now += ms;
  tokens = await signIn();
}

interface OwnVisit {
  readonly feedbackId: string;
  readonly key: string;
}

async function visit(answers: Parameters<typeof submission>[0] = { rating: 4 }): Promise<OwnVisit> {
  const key = newKey();
  const { body } = await app.call('feedback', 'save', submission(answers, { key }));
  return { feedbackId: body.feedback.id, key };
}

const post = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.app.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const get = (url: string) => app.app.http.inject(url);

/** Opens a visit's private page, and returns its address. */
async function openPage({ key }: OwnVisit): Promise<string> {
  const { statusCode, headers } = await post(`/feedback/${pier.data.formId}/reply`, { key });
  expect(statusCode).toBe(303);
  return String(headers.location);
}

const ask = (action: string, sent: object, by: keyof typeof tokens = 'sam') => app.call('conversation', action, sent, tokens[by]);
const answer = (feedbackId: string, text: string, key = newKey()) => ask('answer', { feedbackId, text, idempotencyKey: key });
const conversationOf = async (feedbackId: string) => (await ask('get', { feedbackId })).body.conversation;
const textsOf = async (feedbackId: string) => (await conversationOf(feedbackId)).messages.map(({ text }: { text: string }) => text);
const itemOf = async (feedbackId: string) => (await app.call('feedback', 'get', { feedbackId }, tokens.sam)).body.feedback;
const eventsOf = async (feedbackId: string): Promise<string[]> =>
  (await app.stored<{ name: string }>('select name from event where subject = $1 order by id', [feedbackId])).map(({ name }) => name);

describe('a private page', () => {
  it('is opened by the holder of the submission’s key, and by no other key', async () => {
    const visited = await visit({ rating: 4, text: 'Lovely <b>place</b>' });
    const page = await openPage(visited);
    expect(page).toMatch(/^\/reply\/[\w-]{80,}$/);
    const { statusCode, body, headers } = await get(page);
    expect(statusCode).toBe(200);
    expect(body).toContain('Lovely &lt;b&gt;place&lt;/b&gt;');
    expect(body).toContain('No answer yet.');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect((await post(`/feedback/${pier.data.formId}/reply`, { key: newKey() })).statusCode).toBe(404);
    expect((await post('/feedback/FORM_abcdef/reply', { key: visited.key })).statusCode).toBe(404);
    for (const wrong of [`${page}a`, page.slice(0, -2), '/reply/nonsense']) expect((await get(wrong)).statusCode).toBe(404);
  });

  it('stores only the hash of its key', async () => {
    const page = await openPage(await visit());
    const stored = JSON.stringify(
      await app.stored('select account_id, encode(hash, $1) as hash, feedback_id from conversation_key', ['hex']),
    );
    const sealed = page.slice('/reply/'.length);
    expect(stored).not.toContain(sealed);
    expect(JSON.stringify(await app.stored('select * from event where name = $1', ['conversation.opened']))).not.toContain(sealed);
  });

  it('isn’t changed by requests from other sites', async () => {
    const page = await openPage(await visit());
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await post(page, { text: 'Hi', key: newKey() }, foreign)).statusCode).toBe(403);
  });

  it('expires 90 days after the last message, and a later answer doesn’t revive it', async () => {
    const visited = await visit({ rating: 4, contact: ANN });
    const page = await openPage(visited);
    await pass(LINK_LIFETIME - HOUR);
    expect((await answer(visited.feedbackId, 'Thank you')).status).toBe(200);
    now += LINK_LIFETIME - HOUR;
    expect((await get(page)).statusCode).toBe(200);
    await pass(HOUR);
    expect((await get(page)).statusCode).toBe(404);
    expect((await conversationOf(visited.feedbackId)).reach).toEqual(['email']);
    await answer(visited.feedbackId, 'Once more');
    expect((await get(page)).statusCode).toBe(404);
  });

  it('is gone with its property or its account', async () => {
    const visited = await visit();
    const page = await openPage(visited);
    const statuses = async () => [
      (await get(page)).statusCode,
      (await post(`/feedback/${pier.data.formId}/reply`, { key: visited.key })).statusCode,
    ];
    await app.stored('update account set deleted = $1', [new Date(now)]);
    expect(await statuses()).toEqual([404, 404]);
    await app.stored('update account set deleted = null');
    expect(await statuses()).toEqual([200, 303]);
    await app.stored('update property set deleted = $1 where id = $2', [new Date(now), pier.id]);
    expect(await statuses()).toEqual([404, 404]);
    await app.stored('update property set deleted = null');
  });

  it('still deletes the answer to a deleted property', async () => {
    const visited = await visit({ rating: 2, text: 'ERASEME words' });
    const page = await openPage(visited);
    await app.stored('update property set deleted = $1 where id = $2', [new Date(now), pier.id]);
    const { body } = await get(`${page}?done=saved`);
    expect(body).toContain('This page is no longer available');
    expect(body).toContain(`action="${page}/erase"`);
    const erased = await post(`${page}/erase`);
    expect([erased.statusCode, erased.body.includes('What you wrote was deleted.')]).toEqual([200, true]);
    const [row] = await app.stored('select rating, text, responses::text as responses from feedback where id = $1', [visited.feedbackId]);
    expect(row).toMatchObject({ rating: 2, text: null });
    expect(JSON.stringify(row)).not.toContain('ERASEME');
    const gone = await get(page);
    expect([gone.statusCode, gone.body.includes('/erase')]).toEqual([404, false]);
    await app.stored('update property set deleted = null');
  });

  it('is in the language of the visit', async () => {
    const key = newKey();
    const { payload } = submission({ rating: 4 }, { key });
    const { body } = await app.call('feedback', 'save', { idempotencyKey: key, payload: { data: { ...payload.data, language: 'ar' } } });
    const page = await openPage({ feedbackId: body.feedback.id, key });
    expect((await get(page)).body).toContain('<html lang="ar" dir="rtl">');
  });
});

describe('a property without private replies', () => {
  const FORM = `/feedback/${pier.data.formId}`;
  const lastPage = async ({ key }: OwnVisit) => (await get(`${FORM}?key=${key}&screen=done`)).body;
  const openForRights = async ({ key }: OwnVisit) => String((await post(`${FORM}/rights`, { key })).headers.location);

  async function offer(privateReplies: boolean): Promise<void> {
    const { status, body } = await app.call('property', 'save', { payload: { id: pier.id, data: { privateReplies } } }, tokens.dana);
    expect([status, body.property.data.privateReplies]).toEqual([200, privateReplies ? undefined : false]);
    // Each process drops the form from its cache.
    const shown = async () => (await get(`${FORM}/privacy`)).body.includes('I’d like an answer');
    await expect.poll(shown).toBe(privateReplies);
  }
  afterEach(() => offer(true));

  it('links to a visitor’s own feedback instead of offering an answer', async () => {
    const visited = await visit();
    const before = await lastPage(visited);
    expect(before).toContain('I’d like an answer</button>');
    expect(before).not.toContain('/rights"');
    expect((await get(FORM)).body).not.toContain('"privatePage"');
    await offer(false);
    const after = await lastPage(visited);
    expect(after).toContain(`action="${FORM}/rights"`);
    expect(after).toContain('Your feedback</button>');
    expect(after).not.toMatch(/I’d like an answer<|You get a private page\.</);
    // A form that was prepared for other visitors follows, too.
    expect((await get(FORM)).body).toContain('"privatePage":"Your feedback"');
    expect((await get(`${FORM}/privacy`)).body).toContain('“Your feedback”, at the end of the form, opens a private page');
    const events = await app.stored(`select data from event where name = 'property.private-replies-changed' order by id desc limit 1`);
    expect(events).toEqual([{ data: { to: false } }]);
  });

  it('refuses to ask for an answer, in the visitor’s language', async () => {
    const visited = await visit({ rating: 4 });
    await offer(false);
    const { statusCode, body } = await post(`${FORM}/reply`, { key: visited.key }, { 'accept-language': 'de' });
    expect([statusCode, body.includes('<h1>Pier 4 bietet keine privaten Antworten an.</h1>')]).toEqual([409, true]);
    expect(body).toContain(`action="${FORM}/rights"`);
    expect(body).toContain(`value="${visited.key}"`);
    expect(await eventsOf(visited.feedbackId)).toEqual(['feedback.submitted']);
    expect((await itemOf(visited.feedbackId)).data.reply).toBeUndefined();
    expect(await app.stored('select 1 from conversation_key where feedback_id = $1', [visited.feedbackId])).toEqual([]);
    expect((await post(`${FORM}/reply`, { key: newKey() })).statusCode).toBe(404);
  });

  it('lets visitors correct and delete their answer, which asks and alerts no one', async () => {
    const visited = await visit({ rating: 4, text: 'Colt coffee' });
    await offer(false);
    expect((await post(`${FORM}/rights`, { key: newKey() })).statusCode).toBe(404);
    const page = await openForRights(visited);
    const { body } = await get(page);
    expect(body).toContain('<h1>Your feedback</h1>');
    expect(body).not.toMatch(/No answer yet|The answer appears here|Your message to|Report this conversation/);
    expect((await post(page, { text: 'Hello?', key: newKey() })).body).toContain('<h1>Your feedback</h1>');
    expect(await conversationOf(visited.feedbackId)).toMatchObject({ reach: [], messages: [] });
    expect((await answer(visited.feedbackId, 'Hello?')).body.code).toBe('conflict');
    expect(await itemOf(visited.feedbackId)).toMatchObject({ gs1sk: 'NORMAL', data: { status: 'new' } });
    await post(`${page}/correct`, { rating: '4', text: 'Cold coffee' });
    expect((await itemOf(visited.feedbackId)).data.textFeedback).toBe('Cold coffee');
    expect((await post(`${page}/erase`)).body).toContain('What you wrote was deleted.');
    expect((await itemOf(visited.feedbackId)).data.textFeedback).toBeUndefined();
    expect(await eventsOf(visited.feedbackId)).toEqual(['feedback.submitted', 'feedback.amended', 'feedback.erased']);
  });

  it('continues conversations, and answers by mail', async () => {
    const [asked, mailed] = [await visit(), await visit({ rating: 4, contact: { ...ANN, email: 'continued@example.com' } })];
    await openPage(asked);
    await offer(false);
    const page = await openPage(asked);
    expect(await openForRights(asked)).toMatch(/^\/reply\//);
    expect((await post(page, { text: 'Still there?', key: newKey() })).headers.location).toBe(`${page}?done=sent`);
    expect((await answer(asked.feedbackId, 'Yes')).status).toBe(200);
    expect((await get(page)).body).toContain('Your message to Pier 4');

    const { body } = await answer(mailed.feedbackId, 'Thank you');
    expect(body.conversation.reach).toEqual(['page', 'email']);
    const mail = () => smtp.received.find((each) => each.to.includes('continued@example.com'))?.mail;
    await expect.poll(mail).toBeDefined();
    const [, link = ''] = /(\/reply\/[\w-]+)/.exec(mail()?.text ?? '') ?? [];
    now += 1_000;
    expect((await post(link, { text: 'You’re welcome', key: newKey() })).headers.location).toBe(`${link}?done=sent`);
    expect(await textsOf(mailed.feedbackId)).toEqual(['Thank you', 'You’re welcome']);
  });

  it('can offer them again, also to visitors who only had a page to correct their answer', async () => {
    const visited = await visit();
    await offer(false);
    const page = await openForRights(visited);
    await offer(true);
    await openPage(visited);
    expect((await get(page)).body).toContain('No answer yet.');
    expect((await itemOf(visited.feedbackId)).data.reply).toBe('asked');
  });
});

describe('a visitor’s message', () => {
  it('reaches the team once, and makes the feedback urgent, open and unread', async () => {
    const visited = await visit({ rating: 5 });
    const page = await openPage(visited);
    expect(await itemOf(visited.feedbackId)).toMatchObject({ gs1sk: 'URGENT', data: { status: 'new', reply: 'asked' } });
    await answer(visited.feedbackId, 'How can we help?');
    now += 1_000;
    await app.call('feedback', 'modify', { changes: [{ feedbackId: visited.feedbackId, status: 'done', unread: false }] }, tokens.sam);
    const urgent = async () =>
      (await app.stored<{ sum: number }>(`select sum(urgent)::int as sum from feedback_tally where place = ''`))[0]?.sum ?? 0;
    const before = await urgent();
    await app.stored(`update "user" set created = $1 where id = $2`, [new Date(now), noor.id]);
    await app.stored('delete from feedback_reader where user_id = $1', [noor.id]);
    const key = newKey();
    for (let time = 0; time < 2; time += 1) {
      const { statusCode, headers } = await post(page, { text: '  The tap\r\ndrips ', key });
      expect([statusCode, headers.location]).toEqual([303, `${page}?done=sent`]);
    }
    expect(await textsOf(visited.feedbackId)).toEqual(['How can we help?', 'The tap\ndrips']);
    expect(await itemOf(visited.feedbackId)).toMatchObject({ gs1sk: 'URGENT', data: { status: 'open', reply: 'received', unread: true } });
    // Noor joined after the answer was given.
    const noorsToken = await app.signIn(noor.data.emailAddress);
    const { feedback } = (await app.call('feedback', 'get', { feedbackId: visited.feedbackId }, noorsToken)).body;
    expect(feedback.data.unread).toBe(true);
    expect(await urgent()).toBe(before);
    expect(await eventsOf(visited.feedbackId)).toEqual([
      ...['feedback.submitted', 'conversation.opened', 'feedback.status-changed', 'conversation.answered'],
      ...['feedback.status-changed', 'feedback.status-changed', 'conversation.received'],
    ]);
    // Changing the rating doesn't take the urgency away.
    await app.call('feedback', 'save', submission({ rating: 4 }, { key: visited.key }));
    expect((await itemOf(visited.feedbackId)).gs1sk).toBe('URGENT');
    expect(await urgent()).toBe(before);
  });

  it('is refused without words, with too many, and once the conversation is closed or full, and the text isn’t lost', async () => {
    await app.stored(`update property set complaints = '{}' where id = $1`, [pier.id]);
    const visited = await visit();
    const page = await openPage(visited);
    const empty = await post(page, { text: ' \r\n ', key: newKey() });
    expect([empty.statusCode, empty.body.includes('aria-invalid="true"')]).toEqual([400, true]);
    const long = await post(page, { text: `Too long${'x'.repeat(1_993)}`, key: newKey() });
    expect([long.statusCode, long.body.includes('This is 1 character too long. Please shorten it; nothing is lost.')]).toEqual([400, true]);
    expect(long.body).toMatch(/<textarea[^>]* aria-invalid="true">Too longx{1993}<\/textarea>/);
    // Browsers cut pasted text to this length without a word.
    expect(long.body).not.toContain('maxlength');
    await ask('close', { feedbackId: visited.feedbackId });
    const closed = await post(page, { text: 'Too late', key: newKey() });
    expect(closed.body).toContain('closed this conversation');
    expect(closed.body).toMatch(/<textarea[^>]* readonly [^>]*>Too late<\/textarea>/);
    expect((await get(page)).body).not.toContain('readonly dir="auto"');
    await ask('reopen', { feedbackId: visited.feedbackId });
    for (let sent = 0; sent < MOST_MESSAGES; sent += 1) {
      if (sent % 20 === 0) await app.stored('delete from rate_limit');
      await post(page, { text: `Message ${sent}`, key: newKey() });
    }
    await app.stored('delete from rate_limit');
    const full = await post(page, { text: 'One more', key: newKey() });
    expect(full.body).toContain('can’t have more messages');
    expect(full.body).toMatch(/<textarea[^>]* readonly [^>]*>One more<\/textarea>/);
    expect(await textsOf(visited.feedbackId)).toHaveLength(MOST_MESSAGES);
    expect((await answer(visited.feedbackId, 'One more')).body.code).toBe('conflict');
  });

  it('is limited to 20 an hour, and the text isn’t lost', async () => {
    await app.stored(`update property set complaints = '{}' where id = $1`, [pier.id]);
    const page = await openPage(await visit());
    for (let sent = 0; sent < 20; sent += 1) await post(page, { text: 'Hello', key: newKey() });
    const { statusCode, body } = await post(page, { text: 'One too many', key: newKey() });
    expect([statusCode, body.includes('One too many</textarea>')]).toEqual([429, true]);
  });

  it('alerts the property’s list and the assignee by mail and in their inboxes, each message once', async () => {
    const visited = await visit({ rating: 4 });
    const page = await openPage(visited);
    await app.call('feedback', 'modify', { changes: [{ feedbackId: visited.feedbackId, assignee: noor.id }] }, tokens.sam);
    const mailsWith = (to: string, text: string) => smtp.received.filter((each) => each.to.includes(to) && each.mail.text?.includes(text));
    for (const text of ['First question', 'Second question']) {
      now += 1_000;
      await post(page, { text, key: newKey() });
      for (const { data } of [dana, noor]) {
        await expect.poll(() => mailsWith(data.emailAddress, text).length).toBe(1);
        expect(mailsWith(data.emailAddress, text)[0]?.mail.subject).toBe('A visitor wrote to you – Pier 4');
      }
    }
    interface Listed {
      readonly data: { readonly kind: string; readonly words: string; readonly unread?: true; readonly feedback?: { readonly id: string } };
    }
    const listed = async (): Promise<Listed[]> =>
      (await app.call('notification', 'list', {}, tokens.dana)).body.notifications.filter(
        ({ data }: Listed) => data.kind === 'message' && data.feedback?.id === visited.feedbackId,
      );
    expect((await listed()).map(({ data }) => [data.words, data.unread])).toEqual([
      ['Second question', true],
      ['First question', true],
    ]);
    await answer(visited.feedbackId, 'Here is the answer');
    expect((await listed()).map(({ data }) => data.unread)).toEqual([undefined, undefined]);
  });

  it('is escalated like urgent feedback', async () => {
    await app.stored('update property set alerts = $1 where id = $2', [
      JSON.stringify({ escalation: { after: 30, to: [sam.id] } }),
      pier.id,
    ]);
    const visited = await visit({ rating: 4 });
    const asked = now;
    await openPage(visited);
    const due = async () => (await app.stored('select due from alert_escalation where feedback_id = $1', [visited.feedbackId]))[0];
    await expect.poll(due).toEqual({ due: new Date(asked + 30 * MINUTE) });
    await app.stored('update property set alerts = null where id = $1', [pier.id]);
  });

  it('alerts no one about suspected feedback', async () => {
    const visited = await visit({ rating: 4 });
    // Before it asks, which would alert, too.
    await app.stored('update feedback set suspected = true where id = $1', [visited.feedbackId]);
    const page = await openPage(visited);
    await post(page, { text: 'Spam', key: newKey() });
    await expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length).toBe(0);
    expect(await app.stored('select 1 from alert where feedback_id = $1', [visited.feedbackId])).toEqual([]);
  });
});

describe('an answer', () => {
  it('appears on the page, is sent once, and sets the feedback to waiting', async () => {
    const visited = await visit({ rating: 2 });
    const page = await openPage(visited);
    const key = newKey();
    await answer(visited.feedbackId, 'We are <sorry>', key);
    const { body } = await answer(visited.feedbackId, 'We are <sorry>', key);
    expect(body.conversation.messages).toEqual([
      { id: expect.any(String), author: sam.id, text: 'We are <sorry>', sent: expect.any(Number) },
    ]);
    expect((await get(page)).body).toContain('We are &lt;sorry&gt;');
    expect((await itemOf(visited.feedbackId)).data).toMatchObject({ status: 'waiting', reply: 'sent' });
  });

  it('is refused if it can’t reach the visitor, for unknown feedback, and for another account’s', async () => {
    const { feedbackId } = await visit();
    expect((await answer(feedbackId, 'Hello?')).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('private page') });
    expect((await itemOf(feedbackId)).data.reply).toBeUndefined();
    for (const action of ['get', 'close', 'reopen']) expect((await ask(action, { feedbackId: otherAccount.feedbackId })).status).toBe(404);
    expect((await answer(otherAccount.feedbackId, 'Hello')).status).toBe(404);
  });

  it('is refused or only on the page if no mail can be sent to the visitor’s address', async () => {
    const visited = await visit({ rating: 4, contact: { ...ANN, email: 'jürgen@müller.example' } });
    expect((await conversationOf(visited.feedbackId)).reach).toEqual([]);
    expect((await answer(visited.feedbackId, 'Hello')).body.code).toBe('conflict');
    await openPage(visited);
    expect((await answer(visited.feedbackId, 'Hello')).body.conversation.reach).toEqual(['page']);
    expect(await app.stored('select 1 from delivery where "to" = $1', ['jürgen@müller.example'])).toEqual([]);
  });

  it('is mailed to a visitor who left an address, in their language, with a link to the same page', async () => {
    const { feedbackId } = await visit({ rating: 4, contact: ANN });
    await app.stored(`update feedback set language = 'de' where id = $1`, [feedbackId]);
    smtp.received.length = 0;
    await answer(feedbackId, 'Thank you, Ann!');
    const mail = () => smtp.received.find((each) => each.to.includes(ANN.email))?.mail;
    await expect.poll(mail).toBeDefined();
    expect(mail()?.subject).toContain('Pier 4');
    expect(mail()?.text).toContain('Thank you, Ann!');
    const [, link = ''] = /(\/reply\/[\w-]+)/.exec(mail()?.text ?? '') ?? [];
    expect((await get(link)).body).toContain('Thank you, Ann!');
    expect((await conversationOf(feedbackId)).reach).toEqual(['page', 'email']);
  });

  it('whose mail bounced is marked until it is resent, and opens the feedback again', async () => {
    const { feedbackId } = await visit({ rating: 4, contact: { ...ANN, email: 'gone@example.com' } });
    isAddressUnknown = true;
    await answer(feedbackId, 'Hello');
    expect(await itemOf(feedbackId)).toMatchObject({ data: { status: 'waiting' } });
    const bounced = async () => (await conversationOf(feedbackId)).messages.map((each: { undelivered?: true }) => each.undelivered);
    await expect.poll(bounced).toEqual([true]);
    isAddressUnknown = false;
    expect(await itemOf(feedbackId)).toMatchObject({ data: { status: 'open', reply: 'sent' } });
    expect((await eventsOf(feedbackId)).slice(-2)).toEqual(['feedback.status-changed', 'conversation.bounced']);
    const [row] = await app.stored<{ id: string }>(`select id from delivery where "to" = 'gone@example.com'`);
    expect((await app.call('delivery', 'retry', { deliveryId: row?.id }, tokens.dana)).status).toBe(200);
    await expect.poll(bounced).toEqual([undefined]);
  });

  it('sends at most ten mails a day to an address', async () => {
    const { feedbackId } = await visit({ rating: 4, contact: { ...ANN, email: 'many@example.com' } });
    for (let sent = 0; sent < 10; sent += 1) expect((await answer(feedbackId, 'Hello')).status).toBe(200);
    expect((await answer(feedbackId, 'Hello')).status).toBe(429);
    expect(await textsOf(feedbackId)).toHaveLength(10);
  });

  it('is mailed at most a hundred times a day by an account on trial', async () => {
    const setTrial = (ends: Date | null) =>
      app.stored('update subscription set trial_ends_at = $2 where account_id = $1', [ACCOUNT_ID, ends]);
    await app.stored(`update subscription set heard = '{}', plan = 'Pro' where account_id = $1`, [ACCOUNT_ID]);
    await setTrial(new Date(now + DAY));
    const ofVisitor = async (email: string) => (await visit({ rating: 4, contact: { ...ANN, email } })).feedbackId;
    expect((await answer(await ofVisitor('first@example.com'), 'Hello')).status).toBe(200);
    await app.stored('update rate_limit set count = 100');
    const [second, third] = [await ofVisitor('second@example.com'), await ofVisitor('third@example.com')];
    const byDana = (feedbackId: string) => ask('answer', { feedbackId, text: 'Hello', idempotencyKey: newKey() }, 'dana');
    expect((await byDana(second)).status).toBe(429);
    await setTrial(null);
    expect((await byDana(third)).status).toBe(200);
  });

  it('counts as read once the page reports it, not when a program fetches the page', async () => {
    const visited = await visit();
    const page = await openPage(visited);
    await answer(visited.feedbackId, 'Read me');
    now += 1_000;
    const [shown = ''] = /(?<=datetime=")[^"]+/.exec((await get(page)).body) ?? [];
    expect((await conversationOf(visited.feedbackId)).seen).toBeUndefined();
    expect((await post(`${page}/seen`)).statusCode).toBe(400);
    // Sent after the page was shown.
    await answer(visited.feedbackId, 'Not on the page');
    expect((await post(`${page}/seen?until=${shown}`)).statusCode).toBe(204);
    expect((await conversationOf(visited.feedbackId)).seen).toBe(Date.parse(shown));
    now += 1_000;
    await post(`${page}/seen?until=${shown}`);
    expect((await conversationOf(visited.feedbackId)).seen).toBe(Date.parse(shown));
    expect((await eventsOf(visited.feedbackId)).filter((name) => name === 'conversation.seen')).toHaveLength(1);
  });
});

describe('a reported conversation', () => {
  it('notifies the admins once', async () => {
    const visited = await visit();
    const page = await openPage(visited);
    smtp.received.length = 0;
    for (let time = 0; time < 2; time += 1) expect((await post(`${page}/report`)).headers.location).toBe(`${page}?done=reported`);
    const mails = () => smtp.received.filter(({ mail }) => mail.subject === 'A visitor reported a conversation');
    await expect.poll(() => mails().map(({ to }) => to[0])).toEqual([dana.data.emailAddress]);
    expect((await conversationOf(visited.feedbackId)).reported).toBe(now);
    expect((await get(page)).body).not.toContain('/report"');
  });
});

describe('a closed conversation', () => {
  it('refuses answers until it is reopened, and records each change once', async () => {
    const visited = await visit();
    await openPage(visited);
    const { feedbackId } = visited;
    await ask('close', { feedbackId });
    expect((await ask('close', { feedbackId }, 'dana')).body.conversation.closed).toEqual({ at: now, by: sam.id });
    expect((await answer(feedbackId, 'Hello')).body.code).toBe('conflict');
    await ask('reopen', { feedbackId });
    expect((await answer(feedbackId, 'Hello')).status).toBe(200);
    expect((await eventsOf(feedbackId)).filter((name) => /closed|reopened/.test(name))).toEqual([
      'conversation.closed',
      'conversation.reopened',
    ]);
  });
});

describe('a visitor', () => {
  it('corrects the rating and the words at any time', async () => {
    const visited = await visit({ rating: 2, text: 'Colt coffee' });
    const page = await openPage(visited);
    await pass(2 * HOUR);
    const { statusCode, headers } = await post(`${page}/correct`, { rating: '4', text: 'Cold coffee' });
    expect([statusCode, headers.location]).toEqual([303, `${page}?done=saved`]);
    expect(await itemOf(visited.feedbackId)).toMatchObject({ data: { rating: 4, textFeedback: 'Cold coffee' } });
    expect((await post(`${page}/correct`, { rating: '6', text: 'x' })).statusCode).toBe(400);
    const long = await post(`${page}/correct`, { rating: '3', text: `Too long${'x'.repeat(1_994)}` });
    expect([long.statusCode, long.body.includes('This is 2 characters too long.')]).toEqual([400, true]);
    expect(long.body).toMatch(/<details open><summary>Correct .*<option value="3" selected>.*Too longx{1994}<\/textarea>/s);
    expect((await eventsOf(visited.feedbackId)).filter((name) => name === 'feedback.amended')).toHaveLength(1);
    await post(`${page}/correct`, { rating: '4', text: 'Cold coffee' });
    expect((await eventsOf(visited.feedbackId)).filter((name) => name === 'feedback.amended')).toHaveLength(1);
  });

  it('corrects only the rating if the form asks for no words', async () => {
    const created = await app.call('property', 'save', { payload: { data: { displayName: 'Wordless' } } }, tokens.dana);
    const { form } = created.body;
    const steps = form.data.steps.map((step: Step) => ({
      ...step,
      blocks: step.blocks?.filter(({ blockType }) => blockType !== 'OpenText'),
    }));
    const saved = await app.call('form', 'save', { payload: { id: form.id, data: { steps } } }, tokens.dana);
    expect(saved.status).toBe(200);
    const key = newKey();
    const { body } = await app.call('feedback', 'save', submission({ rating: 2 }, { key, form: saved.body.form }));
    const { headers } = await post(`/feedback/${form.id}/reply`, { key });
    const page = String(headers.location);
    expect((await get(page)).body).toContain(`${page}/correct`);
    expect((await get(page)).body.match(/<textarea[^>]+/g)).toEqual([expect.stringContaining('id="text"')]);
    // From a page that was opened before the form was changed.
    const refused = await post(`${page}/correct`, { rating: '4', text: 'Cold coffee' });
    expect([refused.statusCode, refused.body.includes('We couldn’t accept that.')]).toEqual([409, true]);
    expect(refused.body).toContain('Cold coffee</textarea>');
    expect((await post(`${page}/correct`, { rating: '4' })).headers.location).toBe(`${page}?done=saved`);
    expect((await itemOf(body.feedback.id)).data).toMatchObject({ rating: 4 });
  });

  it('alerts the team when a correction makes the answer urgent', async () => {
    const visited = await visit({ rating: 4, text: 'Fine' });
    const page = await openPage(visited);
    await answer(visited.feedbackId, 'Thank you');
    await post(`${page}/correct`, { rating: '5', text: 'Fine' });
    expect(await itemOf(visited.feedbackId)).toMatchObject({ gs1sk: 'NORMAL' });
    await post(`${page}/correct`, { rating: '1', text: 'Not fine' });
    await post(`${page}/correct`, { rating: '1', text: 'Not fine at all' });
    const names = await eventsOf(visited.feedbackId);
    expect(names.filter((name) => name === 'feedback.urgent')).toHaveLength(1);
    expect(names.filter((name) => name === 'feedback.amended')).toHaveLength(3);
  });

  it('erases words, contact details and conversation, and the rating is still counted', async () => {
    const exportFile = async () => {
      const sent = { format: 'csv', zone: 'UTC', accountId: dana.data.accountId };
      const { file } = (await app.call('export', 'create', sent, tokens.dana)).body;
      const read = async () => (await app.call('export', 'get', { exportId: file.id }, tokens.dana)).body.file.data;
      await expect.poll(async () => (await read()).status).toBe('done');
      return read;
    };
    const earlier = await exportFile();
    now += 1_000;
    const visited = await visit({ rating: 2, text: 'ERASEME words', contact: { ...ANN, email: 'eraseme@example.com' } });
    await app.stored(`update feedback set order_number = 'ERASEME-1042' where id = $1`, [visited.feedbackId]);
    const page = await openPage(visited);
    await post(page, { text: 'ERASEME message', key: newKey() });
    await answer(visited.feedbackId, 'Sorry');
    const ratings = async () => (await app.stored(`select sum(two) as two, sum(urgent) as urgent from feedback_tally where place = ''`))[0];
    const before = await ratings();
    const exported = await exportFile();

    const { statusCode, body } = await post(`${page}/erase`);
    expect([statusCode, body.includes('What you wrote was deleted.')]).toEqual([200, true]);
    expect((await get(page)).statusCode).toBe(404);
    const item = await itemOf(visited.feedbackId);
    expect(item.data).toMatchObject({ rating: 2 });
    expect(JSON.stringify(item)).not.toMatch(/eraseme/i);
    expect(item.data.reply).toBeUndefined();
    expect(await ratings()).toEqual(before);
    const search = await app.call('feedback', 'list', { accountId: dana.data.accountId, text: 'ERASEME' }, tokens.dana);
    expect(search.body.feedback).toEqual([]);
    await expect.poll(exported).toMatchObject({ status: 'failed', failure: 'erased' });
    expect(await earlier()).toMatchObject({ status: 'done' });
    for (const table of ['feedback', 'conversation_message', 'delivery', 'event', 'notification', 'alert'])
      expect(JSON.stringify(await app.stored(`select * from ${table}`)), table).not.toMatch(/eraseme/i);
  });

  it('erases a conversation that begins at the same moment', async () => {
    const { feedbackId } = await visit({ rating: 2, contact: { ...ANN, email: 'begins@example.com' } });
    const begin = `insert into conversation (account_id, feedback_id, active) values ('${ACCOUNT_ID}', '${feedbackId}', now())`;
    const erase = () => app.call('privacy', 'erase', { contact: 'begins@example.com' }, tokens.dana);
    expect((await duringTransaction(app, begin, 1, erase)).body).toMatchObject({ erased: 1, left: 0 });
    expect(await app.stored('select from conversation where feedback_id = $1', [feedbackId])).toEqual([]);
  });

  it.each(['queued', 'failed'])('erases words from mails that are %s, and from earlier ones', async (status) => {
    isMailDown = true;
    const visited = await visit({ rating: 1, text: 'LATEMAIL words' });
    const page = await openPage(visited);
    /** Waits until new mails about it were refused once, so that none is being sent while its words are erased. */
    const refused = async (earlier: readonly string[] = []): Promise<string[]> => {
      const query = 'select delivery.* from alert join delivery on delivery.id = delivery_id where feedback_id = $1';
      const read = () => app.stored<{ id: string; attempts: number; taken: Date | null }>(query, [visited.feedbackId]);
      const isRefused = ({ id, attempts, taken }: Awaited<ReturnType<typeof read>>[number]) =>
        !earlier.includes(id) && attempts > 0 && taken === null;
      await expect.poll(async () => [...new Set((await read()).map(isRefused))]).toEqual([true]);
      return (await read()).map(({ id }) => id);
    };
    const first = await refused();
    await app.stored('update delivery set status = $1 where id = any($2)', [status, first]);
    await post(page, { text: 'LATEMAIL message', key: newKey() });
    const ids = [...first, ...(await refused(first))];
    await post(`${page}/erase`);
    await expect.poll(async () => (await app.stored('select 1 from event where not relayed')).length).toBe(0);
    expect(await app.stored('select 1 from delivery where id = any($1)', [ids])).toEqual([]);
    isMailDown = false;
    smtp.received.length = 0;
    await app.stored(`update pgboss.job set start_after = now() where name = 'mail.send' and state in ('created', 'retry')`);
    const queued = () => app.stored(`select 1 from delivery where reason = 'feedback.urgent' and status = 'queued'`);
    await expect.poll(async () => (await queued()).length).toBe(0);
    expect(smtp.received.filter(({ mail }) => mail.subject?.includes('Rated Awful'))).not.toEqual([]);
    expect(JSON.stringify(smtp.received.map(({ mail }) => mail.text))).not.toContain('LATEMAIL');
  });
});

it('a person’s answers are limited to 100 an hour', async () => {
  const visited = await visit();
  await openPage(visited);
  await answer(visited.feedbackId, 'First');
  await app.stored('update rate_limit set count = 99 where count = 1');
  expect((await answer(visited.feedbackId, 'The hundredth')).status).toBe(200);
  expect((await answer(visited.feedbackId, 'One more')).status).toBe(429);
});
