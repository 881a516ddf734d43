import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { nestedDrawing } from '../../test/support/hostile-pictures.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, CANARY } from '../../test/support/other-account.ts';
import { newKey } from '../../test/support/submission.ts';

const OLGA = 'olga@operator.test';

let app: TestApp;
let member: string;
let operator: string;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: `${dana.data.emailAddress},${OLGA}` }, also: addOtherAccount });
  operator = await signInAsOperator(app);
  member = await app.signIn(sam.data.emailAddress);
});
afterAll(() => app.stop());

const content = (data: object = {}) => ({ kind: 'bug', text: 'The chart is empty.', url: '/urgent', userAgent: 'Mozilla/5.0', ...data });
const send = (data: object = {}, key = newKey()) =>
  app.call('message', 'save', { idempotencyKey: key, payload: { data: content(data) } }, member);
const ask = (action: string, sent: object) => app.call('message', action, sent, operator);
const picture = async (width: number, height: number): Promise<string> => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#3d4cc2' } })
    .withExif({ IFD0: { Copyright: 'CANARY' } })
    .jpeg()
    .toBuffer();
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
};

describe('a message to the operators', () => {
  it('is refused without text, with an unknown kind, or without a sign-in', async () => {
    for (const data of [{ text: ' ' }, { text: 'x'.repeat(2_001) }, { kind: 'praise' }, { url: 'x'.repeat(501) }, { handled: 1 }])
      expect((await send(data)).body.code).toBe('bad-input');
    expect((await app.call('message', 'save', { idempotencyKey: newKey(), payload: { data: content() } })).status).toBe(401);
  });

  it('is stored once when it is sent concurrently with the same key', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ text: 'Once' }, key)));
    const ids = new Set(answers.map(({ body }) => body.message.id));
    expect(ids.size).toBe(1);
    expect(await app.stored(`select 1 from event where name = 'message.sent' and subject = $1`, [[...ids][0]])).toHaveLength(1);
  });

  it('is announced to every operator by email, without its text', async () => {
    await send({ kind: 'feedback', text: 'CANARY words' });
    for (const to of [OLGA, dana.data.emailAddress]) {
      const mail = await app.mailTo(to, 'A team sent you a message');
      expect(mail).toContain('/master/messages');
      expect(mail).toContain('Harbor Coffee');
      expect(mail).not.toContain('CANARY');
    }
    const events = await app.stored(`select data from event where name = 'message.sent'`);
    expect(JSON.stringify(events)).not.toContain('CANARY');
  });

  it('is listed for operators, with the author’s address only if they permit a reply', async () => {
    await app.stored('delete from rate_limit');
    await send({ text: 'Quiet one' });
    await send({ text: 'Open one', mayReply: true });
    const { messages } = (await ask('list', { search: ' one' })).body;
    expect(messages.map(({ message: { data } }: { message: { data: { text: string } } }) => data.text)).toEqual(['Open one', 'Quiet one']);
    expect(messages[0]).toMatchObject({ company: 'Harbor Coffee', name: 'Sam Lee', emailAddress: sam.data.emailAddress });
    expect(messages[1].emailAddress).toBeUndefined();
    expect(JSON.stringify((await ask('list', {})).body)).toContain(CANARY);
    expect((await app.call('message', 'list', {}, member)).body.code).toBe('not-allowed');
  });

  it('is marked as handled and as open, and both are in the audit log', async () => {
    const { id } = (await send({ text: 'Handle me' })).body.message;
    const ids = { accountId: ACCOUNT_ID, messageId: id };
    const texts = async (which: string) => JSON.stringify((await ask('list', { which })).body);
    const first = (await ask('handle', { ...ids, handled: true })).body.message.data.handled;
    app.advance(1_000);
    expect((await ask('handle', { ...ids, handled: true })).body.message.data.handled).toBe(first);
    expect([(await texts('open')).includes(id), (await texts('all')).includes(id)]).toEqual([false, true]);
    expect((await ask('handle', { ...ids, handled: false })).body.message.data.handled).toBeUndefined();
    expect(await texts('open')).toContain(id);
    expect((await ask('handle', { ...ids, messageId: 'MESSAGE_nobodyhere', handled: true })).status).toBe(404);
    const { entries } = (await app.call('account', 'auditLog', {}, operator)).body;
    expect(entries.filter(({ act }: { act: string }) => act === 'message.handled')).toHaveLength(3);
    expect(entries.some(({ act }: { act: string }) => act === 'messages.listed')).toBe(true);
  });

  it('is permanently deleted only by operators, and the audit log shows it', async () => {
    await app.stored('delete from rate_limit');
    const { id } = (await send({ text: 'Delete me', screenshot: await picture(20, 20) })).body.message;
    const ids = { accountId: ACCOUNT_ID, messageId: id };
    const stored = () => app.stored('select id from message where id = $1', [id]);
    expect((await app.call('message', 'delete', ids, member)).body.code).toBe('not-allowed');
    expect((await ask('delete', { ...ids, messageId: 'MESSAGE_nobodyhere' })).status).toBe(404);
    expect(await stored()).toHaveLength(1);

    expect((await ask('delete', ids)).body).toEqual({ status: 'ok' });
    expect(await stored()).toEqual([]);
    expect((await ask('delete', ids)).status).toBe(404);
    const { entries } = (await app.call('account', 'auditLog', {}, operator)).body;
    expect(entries.filter(({ act }: { act: string }) => act === 'message.deleted')).toMatchObject([{ subject: ACCOUNT_ID, detail: id }]);
  });

  it('is listed page by page', async () => {
    await app.stored('delete from rate_limit');
    for (const text of ['page a', 'page b', 'page c']) await send({ text });
    const texts: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await ask('list', { search: 'page ', limit: 2, ...(cursor && { cursor }) });
      texts.push(...body.messages.map(({ message }: { message: { data: { text: string } } }) => message.data.text));
      cursor = body.cursor;
    }
    expect(texts).toEqual(['page c', 'page b', 'page a']);
    expect((await ask('list', { cursor: 'nonsense' })).body.messages).toEqual([]);
  });

  it('has a redrawn screenshot, which lists don’t include', async () => {
    const { body } = await send({ screenshot: await picture(1_800, 900) });
    expect(body.message.data.hasScreenshot).toBe(true);
    const ids = { accountId: ACCOUNT_ID, messageId: body.message.id };
    const { screenshot } = (await ask('screenshot', ids)).body;
    const drawnPicture = Buffer.from(screenshot.replace('data:image/webp;base64,', ''), 'base64');
    expect(await sharp(drawnPicture).metadata()).toMatchObject({ format: 'webp', width: 1_600, height: 800 });
    expect(drawnPicture.toString('latin1')).not.toContain('CANARY');
    expect(JSON.stringify((await ask('list', {})).body)).not.toContain('base64');
    const withoutScreenshot = (await send()).body.message;
    expect((await ask('screenshot', { ...ids, messageId: withoutScreenshot.id })).status).toBe(404);
  });

  it('is refused with a screenshot that isn’t a picture', async () => {
    await app.stored('delete from rate_limit');
    for (const screenshot of [nestedDrawing(), 'data:image/svg+xml;base64,PHN2Zy8+', 'https://example.com/a.png'])
      expect((await send({ screenshot })).body.errors[0].path).toBe('payload.data.screenshot');
  });

  it('is limited to ten an hour per person', async () => {
    await app.stored('delete from rate_limit');
    const key = newKey();
    for (let sent = 0; sent < 10; sent += 1) expect((await send({}, sent === 0 ? key : newKey())).status).toBe(200);
    expect((await send()).status).toBe(429);
    // Repeats don't count.
    expect((await send({}, key)).status).toBe(200);
  });
});
