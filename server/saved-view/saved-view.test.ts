import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOST_OWN_VIEWS, MOST_SHARED_VIEWS } from '#contract/saved-view/saved-view.ts';
import { ACCOUNT_ID, dana, noor, sam } from '#fixtures/business.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';

let app: TestApp;
let tokens: Record<'dana' | 'sam' | 'noor' | 'rosa', string>;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  const [first, second] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
  const [third, fourth] = [await app.signIn(noor.data.emailAddress), await app.signIn(otherAccount.email)];
  tokens = { dana: first, sam: second, noor: third, rosa: fourth };
});
beforeEach(() => app.stored('delete from saved_view where account_id = $1', [ACCOUNT_ID]));
afterAll(() => app.stop());

type Teammate = keyof typeof tokens;
const WEEK = { feed: 'account', filters: { range: 'week', status: 'new' } };
const ask = (teammate: Teammate, action: string, sent: object): Promise<Answered> => app.call('savedView', action, sent, tokens[teammate]);
const save = (teammate: Teammate, displayName: string, isShared = false): Promise<Answered> =>
  ask(teammate, 'save', { payload: { data: { displayName, isShared, shows: WEEK } } });
const change = (teammate: Teammate, id: string, data: object): Promise<Answered> => ask(teammate, 'save', { payload: { id, data } });
const namesFor = async (teammate: Teammate): Promise<string[]> =>
  (await ask(teammate, 'list', { accountId: teammate === 'rosa' ? otherAccount.accountId : ACCOUNT_ID })).body.views.map(
    ({ data }: { data: { displayName: string } }) => data.displayName,
  );

describe('a saved view', () => {
  it('is visible to its owner, or to the whole team if shared', async () => {
    const ownView = (await save('sam', 'Mine')).body.view;
    await save('sam', 'Ours', true);
    expect(ownView).toMatchObject({ sk: 'SAVEDVIEW', gs1sk: ACCOUNT_ID, data: { createdBy: sam.id, isShared: false, shows: WEEK } });
    expect([await namesFor('sam'), await namesFor('noor'), await namesFor('dana')]).toEqual([['Mine', 'Ours'], ['Ours'], ['Ours']]);
    expect(await namesFor('rosa')).not.toContain('Ours');
    for (const teammate of ['noor', 'dana', 'rosa'] as const)
      for (const answer of [
        await change(teammate, ownView.id, { displayName: 'x' }),
        await ask(teammate, 'delete', { savedViewId: ownView.id }),
      ])
        expect([answer.status, answer.body]).toEqual([404, { status: 'not found' }]);
  });

  it('has a name that is unique per owner', async () => {
    await save('sam', 'Complaints');
    const { status, body } = await save('sam', ' complaints');
    expect([status, body.errors]).toEqual([400, [{ path: 'payload.data.displayName', message: 'You already have a view with this name' }]]);
    expect((await save('noor', 'Complaints')).status).toBe(200);
    const second = (await save('sam', 'Others')).body.view;
    expect((await change('sam', second.id, { displayName: 'COMPLAINTS' })).body.errors[0].path).toBe('payload.data.displayName');
    for (const name of ['', '  ', 'x'.repeat(41), 'a\0']) expect((await save('sam', name)).body.code).toBe('bad-input');
  });

  it('is limited in number per person and per team', async () => {
    await app.stored(
      `insert into saved_view (account_id, id, display_name, is_shared, shows, created, created_by)
       select $1, 'SAVEDVIEW_' || lpad(n::text, 10, '0'), 'View ' || n, false, '{}', now(), $2 from generate_series(1, $3) n`,
      [ACCOUNT_ID, sam.id, MOST_OWN_VIEWS - 1],
    );
    const last = (await save('sam', 'The last one')).body.view;
    expect((await save('sam', 'One more')).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('You have 30 views') });
    await ask('sam', 'delete', { savedViewId: last.id });
    expect((await save('sam', 'In its place')).status).toBe(200);
    expect((await ask('sam', 'restore', { savedViewId: last.id })).body.code).toBe('conflict');
    await app.stored(`update saved_view set is_shared = true, created_by = 'USER_' || id where account_id = $1 and deleted is null`, [
      ACCOUNT_ID,
    ]);
    for (let count = MOST_OWN_VIEWS; count < MOST_SHARED_VIEWS; count += 1)
      expect((await save('sam', `S ${count}`, true)).status).toBe(200);
    expect((await save('noor', 'Shared', true)).body.detail).toContain('Your team shares 50 views');
    const ownView = (await save('noor', 'Own')).body.view;
    expect((await change('noor', ownView.id, { isShared: true })).body.code).toBe('conflict');
  });

  it('that is shared is changed and deleted by its owner and admins, and unshared only by its owner', async () => {
    const { id } = (await save('sam', 'Ours', true)).body.view;
    expect((await change('noor', id, { displayName: 'Mine' })).body.code).toBe('not-allowed');
    expect((await ask('noor', 'delete', { savedViewId: id })).body.code).toBe('not-allowed');
    const shows = { feed: 'urgent', filters: { rating: 1 } };
    expect((await change('dana', id, { shows })).body.view.data).toMatchObject({ displayName: 'Ours', shows, createdBy: sam.id });
    expect((await change('dana', id, { isShared: false })).body.code).toBe('not-allowed');
    expect((await change('sam', id, { isShared: false })).status).toBe(200);
    expect(await namesFor('dana')).toEqual([]);
  });

  it('is restored within a day by the person who deleted it, and then permanently deleted', async () => {
    const { id } = (await save('sam', 'Ours', true)).body.view;
    await ask('dana', 'delete', { savedViewId: id });
    expect((await ask('sam', 'restore', { savedViewId: id })).status).toBe(404);
    expect((await ask('dana', 'restore', { savedViewId: id })).body.view.data).toMatchObject({ displayName: 'Ours', createdBy: sam.id });
    await ask('sam', 'delete', { savedViewId: id });
    await app.stored(`update saved_view set deleted = deleted - interval '25 hours' where id = $1`, [id]);
    expect((await ask('sam', 'restore', { savedViewId: id })).status).toBe(404);
    await app.stored(`insert into pgboss.job (name, data) values ('saved-view.upkeep', '{}')`);
    await expect.poll(() => app.stored('select 1 from saved_view where id = $1', [id])).toEqual([]);
  });

  it('records events without its name and filters', async () => {
    const { id } = (await save('sam', 'CANARY', true)).body.view;
    await change('sam', id, { displayName: 'CANARY', shows: { feed: 'account', filters: { q: 'CANARY' } } });
    await change('sam', id, { displayName: 'CANARY' });
    await ask('sam', 'delete', { savedViewId: id });
    const events = await app.stored<{ name: string }>('select name, data from event where subject = $1 order by id', [id]);
    expect(events.map(({ name }) => name)).toEqual(['saved-view.created', 'saved-view.changed', 'saved-view.deleted']);
    expect(JSON.stringify(events)).not.toContain('CANARY');
  });

  it('stays with the team when its owner leaves, if it was shared', async () => {
    await save('noor', 'Hers');
    await save('noor', 'Ours', true);
    await app.call('user', 'delete', { userId: noor.id }, tokens.dana);
    const left = await app.stored<{ name: string }>('select display_name as name from saved_view where account_id = $1', [ACCOUNT_ID]);
    expect(left).toEqual([{ name: 'Ours' }]);
    expect((await ask('dana', 'list', { accountId: ACCOUNT_ID })).body.views[0].data.createdBy).not.toBe(dana.id);
  });
});
