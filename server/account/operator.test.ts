import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, CANARY, otherAccount } from '../../test/support/other-account.ts';

let app: TestApp;
let operator: string;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress }, also: addOtherAccount });
  operator = await signInAsOperator(app);
});
afterAll(() => app.stop());

describe('an operator', () => {
  it('lists every account with its people and places, page by page', async () => {
    const accounts: { account: { id: string }; users: number; properties: number }[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await app.call('account', 'list', { limit: 1, ...(cursor && { cursor }) }, operator);
      accounts.push(...body.accounts);
      cursor = body.cursor;
    } while (cursor);
    const counts = Object.fromEntries(accounts.map(({ account, users, properties }) => [account.id, [users, properties]]));
    expect(counts).toEqual({ [ACCOUNT_ID]: [3, 3], [otherAccount.accountId]: [2, 1] });
  });

  it.each([
    ['Bay Bakery', 'BAKERY'],
    ['Bay Bakery', 'bäkéry'],
    ['Café ΓΕΙΑΣ', 'CAFE'],
    ['Café ΓΕΙΑΣ', 'café'],
    ['Café ΓΕΙΑΣ', 'γειασ'],
  ])('finds the account %s by %s', async (name, search) => {
    await app.stored('update account set display_name = $1 where id = $2', [name, otherAccount.accountId]);
    const { body } = await app.call('account', 'list', { search }, operator);
    await app.stored('update account set display_name = $1 where id = $2', [`${CANARY} account`, otherAccount.accountId]);
    expect(body.accounts.map(({ account }: { account: { id: string } }) => account.id)).toEqual([otherAccount.accountId]);
  });

  it('finds accounts by name and people by address', async () => {
    const { body } = await app.call('account', 'list', { search: 'CANARY' }, operator);
    expect(body.accounts.map(({ account }: { account: { id: string } }) => account.id)).toEqual([otherAccount.accountId]);
    const { body: people } = await app.call('user', 'masterList', { search: otherAccount.email }, operator);
    expect(people.users).toMatchObject([{ user: { id: otherAccount.userId }, company: `${CANARY} account` }]);
    expect((await app.call('account', 'list', { search: '%' }, operator)).body.accounts).toEqual([]);
    expect((await app.call('account', 'list', { cursor: 'nonsense' }, operator)).body.accounts).toEqual([]);
  });

  it.each(['nonsense', '8640000000000000.x', '1e300', '-1', '1.5', ' ', "'", '\0', '\ud800'])(
    'gets no 500 for an invalid cursor: %j',
    async (cursor) => {
      for (const [service, action] of [
        ['account', 'list'],
        ['user', 'masterList'],
        ['account', 'auditLog'],
      ] as const) {
        const { status } = await app.call(service, action, { cursor }, operator);
        expect(status, `${service}.${action}`).toBeLessThan(500);
      }
    },
  );

  it('deletes an account with a reason, which is recorded permanently', async () => {
    const token = await app.signIn(otherAccount.email);
    const remove = (accountId: string) => app.call('account', 'masterDelete', { accountId, reason: 'asked for by its owner' }, operator);
    expect((await remove('ACCOUNT_NobodyHere')).status).toBe(404);
    expect((await remove(otherAccount.accountId)).body).toEqual({ status: 'ok' });
    expect((await remove(otherAccount.accountId)).status).toBe(404);
    expect((await app.call('account', 'get', { accountId: otherAccount.accountId }, token)).body.code).toBe('account-deleted');
    const { body } = await app.call('account', 'auditLog', {}, operator);
    expect(body.entries[0]).toMatchObject({
      by: dana.id,
      act: 'account.deleted',
      subject: otherAccount.accountId,
      detail: 'asked for by its owner',
    });
    await expect(
      app.app.platform.database.transaction({ 'app.operator': 'on' }, (db) => db.$client.query('delete from event')),
    ).rejects.toThrow(/permission denied/);
  });

  it('restores a deleted account, which is recorded, unless it has no admin', async () => {
    const { accountId } = otherAccount;
    const restore = () => app.call('account', 'masterRestore', { accountId }, operator);
    await app.stored(`update "user" set level = 'user' where account_id = $1`, [accountId]);
    expect((await restore()).body.code).toBe('conflict');
    await app.stored(`update "user" set level = 'admin' where account_id = $1`, [accountId]);
    expect((await restore()).body).toEqual({ status: 'ok' });
    expect((await restore()).status).toBe(404);
    const { body } = await app.call('account', 'auditLog', {}, operator);
    expect(body.entries[0]).toMatchObject({ by: dana.id, act: 'account.restored', subject: accountId });
    expect((await app.call('account', 'get', { accountId }, await app.signIn(otherAccount.email))).status).toBe(200);
  });

  it('has operations that members can’t call, and a log that they can’t read', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    for (const action of ['list', 'auditLog']) expect((await app.call('account', action, {}, member)).body.code).toBe('not-allowed');
    const { rows } = await app.app.platform.database.transaction({ 'app.account_id': ACCOUNT_ID }, (db) =>
      db.$client.query(`select * from event where account_id = 'INSTALLATION'`),
    );
    expect(rows).toEqual([]);
  });
});
