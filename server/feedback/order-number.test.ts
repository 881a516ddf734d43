import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { ACCOUNT_ID, dana, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';

/* Order numbers that a property's till signs: their secret, and how answers carry them. */

let app: TestApp;
let admin: string;
let secret: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  admin = await app.signIn(dana.data.emailAddress);
});
beforeEach(async () => {
  secret = await secretOf();
});
afterAll(() => app.stop());

const ask = (action: 'receiptSecret' | 'replaceReceiptSecret', propertyId = pier.id, token = admin) =>
  app.call('property', action, { propertyId }, token);
const secretOf = async (propertyId?: string): Promise<string> => (await ask('receiptSecret', propertyId)).body.secret;
const signed = (order: string, key = secret, formId = pier.data.formId): string =>
  `${order}.${createHmac('sha256', key).update(`${formId}:${order}`).digest('base64url').slice(0, 16)}`;

const send = (ref: string, { key = newKey(), form = formOf() } = {}) => {
  const { payload, ...sent } = submission({ rating: 4 }, { key, form });
  return app.call('feedback', 'save', { ...sent, payload: { data: { ...payload.data, ref } } });
};
const feedbackOf = async (feedbackId: string): Promise<Feedback['data']> =>
  (await app.call('feedback', 'get', { feedbackId }, admin)).body.feedback.data;
/** Sends an answer with a reference, and returns the order number that it's stored with. */
async function orderOf(ref: string, options?: Parameters<typeof send>[1]): Promise<string | undefined> {
  const { status, body } = await send(ref, options);
  expect(status).toBe(200);
  return (await feedbackOf(body.feedback.id)).orderNumber;
}

describe('the secret for receipts', () => {
  it('is refused to members and “not found” for another account’s property', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    for (const action of ['receiptSecret', 'replaceReceiptSecret'] as const) {
      expect((await ask(action, pier.id, member)).body.code).toBe('not-allowed');
      expect((await ask(action, otherAccount.propertyId)).status).toBe(404);
      expect((await ask(action, 'PROPERTY_NobodyHere')).status).toBe(404);
    }
  });

  it('is created once, one per property, and each view is recorded', async () => {
    const { property } = (await app.call('property', 'save', { payload: { data: { displayName: 'Quay 7' } } }, admin)).body;
    const secrets = await Promise.all([1, 2, 3].map(() => secretOf(property.id)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(secrets[0]).not.toBe(secret);
    expect(await app.stored('select name, data from event where subject = $1 order by id offset 1', [property.id])).toEqual([
      { name: 'property.receipt-secret-created', data: { formId: property.data.formId } },
      { name: 'property.receipt-secret-revealed', data: {} },
      { name: 'property.receipt-secret-revealed', data: {} },
    ]);
  });

  it('is stored encrypted, and in no other answer of the API', async () => {
    const [row] = await app.stored<{ sealed: Buffer }>('select receipt_secret as sealed from property where id = $1', [pier.id]);
    expect(row?.sealed.includes(secret)).toBe(false);
    for (const { body } of [
      await app.call('property', 'get', { propertyId: pier.id }, admin),
      await app.call('property', 'save', { payload: { id: pier.id, data: {} } }, admin),
      await app.call('form', 'get', { formId: pier.data.formId }),
    ])
      expect(JSON.stringify(body)).not.toMatch(/receipt/i);
  });

  it('must be replaced if the installation has another secret now', async () => {
    await app.stored(`update property set receipt_secret = '\\x00' where id = $1`, [oldTown.id]);
    expect((await ask('receiptSecret', oldTown.id)).body.code).toBe('conflict');
    const { body } = await ask('replaceReceiptSecret', oldTown.id);
    expect(await secretOf(oldTown.id)).toBe(body.secret);
  });
});

describe('an order number', () => {
  it('is stored if the property’s secret signed it for this form', async () => {
    const order = `${'Till-7_2026.11.'}${'0'.repeat(25)}`;
    expect(await orderOf(signed(order))).toBe(order);
  });

  it.each([
    ['another number', () => `1043${signed('1042').slice(4)}`],
    ['another secret', () => signed('1042', 'x'.repeat(43))],
    ['another form', () => signed('1042', secret, oldTown.data.formId)],
    ['nothing', () => '1042.AAAAAAAAAAAAAAAA'],
  ])('is dropped, and the answer stored, if the signature is of %s', async (_name, ref) => {
    expect(await orderOf(ref())).toBeUndefined();
  });

  it('is dropped at a property without a secret', async () => {
    const { form } = (await app.call('property', 'save', { payload: { data: { displayName: 'Quay 8' } } }, admin)).body;
    expect(await orderOf(signed('1042', '', form.id), { form })).toBeUndefined();
  });

  it('is dropped once its secret was replaced', async () => {
    const before = signed('1042');
    expect(await orderOf(before)).toBe('1042');
    secret = (await ask('replaceReceiptSecret')).body.secret;
    // Sooner than the cached form expires.
    await expect.poll(() => orderOf(signed('1042')), { timeout: 10_000 }).toBe('1042');
    expect(await orderOf(before)).toBeUndefined();
  });

  it('is refused by the data API if it’s malformed', async () => {
    const { body } = await send('1042');
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', 'payload.data.ref']);
  });

  it('comes from the address without JavaScript, and a malformed one loses no answer', async () => {
    for (const [ref, order] of [
      [signed('1044'), '1044'],
      ['1044', undefined],
      ['10%0044.AAAAAAAAAAAAAAAA', undefined],
    ]) {
      const { statusCode } = await app.app.http.inject({
        method: 'POST',
        url: `/feedback/${pier.data.formId}?ref=${ref}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ key: newKey(), [submission({ rating: 2 }).payload.data.responses[0]?.uuid ?? '']: '2' }).toString(),
      });
      expect(statusCode).toBe(303);
      const { body } = await app.call('feedback', 'list', { propertyId: pier.id, limit: 1 }, admin);
      expect(body.feedback[0].data.orderNumber).toBe(order);
    }
  });

  it('stays when the answer is amended, and no amendment adds or changes one', async () => {
    const [with1045, without] = [newKey(), newKey()];
    expect(await orderOf(signed('1045'), { key: with1045 })).toBe('1045');
    const amend = async (key: string, ref?: string) => {
      const { payload, ...sent } = submission({ text: 'Cold soup' }, { key });
      return (await app.call('feedback', 'save', { ...sent, payload: { data: { ...payload.data, ref } } })).body.feedback.id;
    };
    expect((await feedbackOf(await amend(with1045, signed('1046')))).orderNumber).toBe('1045');
    await app.call('feedback', 'save', submission({ rating: 3 }, { key: without }));
    expect((await feedbackOf(await amend(without, signed('1046')))).orderNumber).toBeUndefined();
  });

  it('is found by a search for exactly that number, and counted', async () => {
    await send(signed('ORDER-77.1'));
    await app.call('feedback', 'save', submission({ rating: 3, text: 'My order-77.1 was late' }));
    for (const [text, many] of [
      [' ORDER-77.1 ', 2],
      ['ORDER-77', 1],
    ] as const) {
      const query = { accountId: ACCOUNT_ID, text };
      expect((await app.call('feedback', 'list', query, admin)).body.feedback).toHaveLength(many);
      expect((await app.call('feedback', 'count', query, admin)).body.count).toBe(many);
    }
  });
});
