import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Form } from '#contract/form/form.ts';
import { ACCOUNT_ID, dana, pier } from '#fixtures/business.ts';
import { type Answered, openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { formOf, newKey, submission } from '../../test/support/submission.ts';
import * as forms from '../form/store.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';

/* Teammates save while visitors rate, in one account and in another whose rows share a batch with the first one's. */

let app: TestApp;
let token: string;
let otherForm: Form;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  token = await app.signIn();
  otherForm = (await app.call('form', 'get', { formId: otherAccount.formId })).body.form;
  await rate();
});
afterAll(() => app.stop());

const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status);
const rate = (): Promise<Answered> => app.call('feedback', 'save', submission({ rating: 4 }));

/** Rates the other account's form. */
const rateElsewhere = (): Promise<Answered> => app.call('feedback', 'save', submission({ rating: 4 }, { form: otherForm }));

/** Runs `work` in the middle of a transaction of someone in the sample account. */
async function during<T>(hold: (scope: AccountScope) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: dana.id }, async (scope) => {
    await hold(scope);
    return work();
  });
}

it('visitors rate a form while it is being saved', async () => {
  const answers = await during(
    (scope) => forms.lockNewestVersion(scope, pier.data.formId),
    () => Promise.all([rate(), rateElsewhere(), rate()]),
  );
  expect(statuses(answers)).toEqual([200, 200, 200]);
});

it('one account’s locks don’t block another account', async () => {
  const lock = 'select from form where id = $1 for update';
  const answers = await during(
    ({ db }) => db.$client.query(lock, [pier.data.formId]),
    () => Promise.all([rate(), rateElsewhere(), rate(), rateElsewhere()]),
  );
  expect(statuses(answers)).toEqual([503, 200, 503, 200]);
  expect(answers[0]?.headers['retry-after']).toBe('1');
  expect(statuses([await rate()])).toEqual([200]);
});

it('an amended answer doesn’t hold the account’s counts while it waits for a property’s, which a deletion takes first', async () => {
  const key = newKey();
  for (const rating of [4, 3] as const) await app.call('feedback', 'save', submission({ rating }, { key }));
  const lock = 'select place from feedback_tally where place = $1 and lane = -1 for update nowait';
  const [amending, free] = await inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: dana.id }, async ({ db }) => {
    await db.$client.query(lock, [pier.id]);
    const amended = app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%feedback_tally%'`;
    await vi.waitFor(async () => expect(await app.stored(waiting)).toHaveLength(1), PATIENT);
    return [amended, (await db.$client.query(lock, [''])).rows] as const;
  });
  expect(free.length).toBeGreaterThan(0);
  expect(statuses([await amending])).toEqual([200]);
});

it('a form and its property are saved concurrently without a deadlock', async () => {
  const { steps } = formOf().data;
  const service = pier.data.service;
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      [0, 1, 2].flatMap(() => [
        app.call('form', 'save', { payload: { id: pier.data.formId, data: { steps } } }, token),
        app.call('property', 'save', { payload: { id: pier.id, data: { service } } }, token),
      ]),
    );
    expect(statuses(answers)).toEqual(Array(6).fill(200));
  }
});
