import type { RefusalCode } from '#contract/errors.ts';
import type { Response } from '#contract/feedback.ts';
import type { Form } from '#contract/form.ts';
import { ACCOUNT_ID, account, airport, dana, formOf, noor, oldTown, pier, sam } from '#fixtures/business.ts';
import { exampleOf, operations, subjectsOf } from '../support/examples.ts';
import { responsesTo } from '../support/submission.ts';
import type { ScenarioCaller, ScenarioOutcome } from './products.ts';

/** Calls an operation, with the result that is expected. */
type Ask = (
  caller: ScenarioCaller,
  operation: string,
  sent: object,
  result?: 'ok' | 'not found' | RefusalCode,
) => Promise<ScenarioOutcome['body']>;

interface Play {
  readonly ask: Ask;
  readonly wait: (ms: number) => void;
  /** When the scenario began (UTC ms). */
  readonly start: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MISSING = { propertyId: 'PROPERTY_NobodyHere', formId: 'FORM_nobody', userId: 'USER_00000000-0000-4000-8000-000000000000' };

const key = (name: string): string => name.padEnd(24, '-');
const save = (form: Form, name: string, responses: readonly Response[]): object => ({
  idempotencyKey: key(name),
  payload: { data: { formId: form.id, responses } },
});
const rename = (id: string | undefined, displayName: string): object => ({ payload: { id, data: { displayName } } });
const everything = (start: number): object => ({ from: start - 60 * DAY, to: start + 2 * DAY, zone: 'Europe/Lisbon' });

/** Scenarios that the server and the demo's world must answer alike. */
export const SCENARIOS: Readonly<Record<string, (play: Play) => Promise<void>>> = {
  async 'a visitor rates, says more, asks to be called and comes too late'({ ask, wait }) {
    const form = formOf(pier);
    const say = (answers: Parameters<typeof responsesTo>[1], result?: 'bad-input' | 'amend-closed') =>
      ask('visitor', 'feedback.save', save(form, 'ann', responsesTo(form, answers)), result);
    await say({ text: 'Nothing but words.' }, 'bad-input');
    const { feedback } = await say({ rating: 2 });
    await say({ rating: 2 });
    await say({ text: '  The milk was sour. ' });
    await say({ rating: 4, contact: { answer: 'No' } });
    await say({ contact: { answer: 'Yes', email: 'nobody' } }, 'bad-input');
    await say({ contact: { answer: 'Yes', email: 'ann@example.com', name: ' Ann ' } });
    await ask('dana', 'feedback.get', { feedbackId: feedback.id });
    wait(40 * MINUTE);
    await say({ review: 'Google' });
    wait(10 * MINUTE);
    await say({ review: 'Yelp', text: 'And the music.' });
    await ask('sam', 'feedback.get', { feedbackId: feedback.id });
    wait(11 * MINUTE);
    await say({ rating: 5 }, 'amend-closed');
    await say({ review: 'Yelp', text: 'And the music.' });
  },

  async 'answers that the form did not ask for'({ ask }) {
    const [here, there] = [formOf(pier), formOf(oldTown)];
    const foreign = responsesTo(there, { rating: 5 });
    await ask('visitor', 'feedback.save', save(here, 'bob', foreign), 'bad-input');
    await ask('visitor', 'feedback.save', save(there, 'bob', [...foreign, ...responsesTo(there, { review: 'Yelp' })]), 'bad-input');
    await ask('visitor', 'feedback.save', save({ ...here, id: MISSING.formId }, 'bob', responsesTo(here, { rating: 5 })), 'not found');
    await ask('visitor', 'feedback.save', save({ ...here, id: 'FORM_%' }, 'bob', []), 'bad-input');
    await ask('visitor', 'feedback.save', { ...save(here, 'bob', []), extra: 1 }, 'bad-input');
    await ask('visitor', 'form.get', { formId: here.id });
    await ask('visitor', 'form.get', { formId: MISSING.formId }, 'not found');
  },

  async 'a team reads what was said'({ ask, start }) {
    const mine = { accountId: ACCOUNT_ID };
    const { feedback, cursor } = await ask('sam', 'feedback.list', { ...mine, limit: 7 });
    await ask('sam', 'feedback.list', { ...mine, limit: 7, cursor });
    await ask('sam', 'feedback.get', { feedbackId: feedback[3].id });
    for (const kind of ['all', 'urgent', 'regular', 'complaint', 'contact me'])
      await ask('sam', 'feedback.list', { propertyId: pier.id, kind, limit: 50 });
    for (const source of ['open text', 'Google', 'none']) await ask('noor', 'feedback.list', { ...mine, source, limit: 100 });
    for (const text of ['COFFEE', ' card  ', '%', '_', 'mother’s']) await ask('dana', 'feedback.list', { ...mine, text, limit: 100 });
    await ask('dana', 'feedback.list', { ...mine, rating: 2, from: start - 20 * DAY, to: start - 3 * DAY });
    await ask('dana', 'feedback.list', { propertyId: MISSING.propertyId }, 'not found');
    await ask('dana', 'feedback.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
    await ask('dana', 'feedback.list', { limit: 5 }, 'bad-input');
    await ask('dana', 'feedback.get', { feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy' }, 'not found');
  },

  async 'a manager counts, in any zone'({ ask, start }) {
    for (const zone of ['UTC', 'Europe/Lisbon', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']) {
      const span = { from: start - 31 * DAY - 7 * MINUTE, to: start + 1, zone };
      await ask('dana', 'feedback.summary', { accountId: ACCOUNT_ID, ...span });
      await ask('dana', 'feedback.summary', { propertyId: oldTown.id, ...span });
      await ask('dana', 'feedback.summary', { propertyId: pier.id, ...span, from: start - 2 * DAY, grain: 'hour' });
      await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...span });
    }
    await ask('dana', 'feedback.summary', { propertyId: MISSING.propertyId, ...everything(start) }, 'not found');
    await ask('dana', 'feedback.summary', { propertyId: pier.id, from: start, to: start, zone: 'UTC' }, 'bad-input');
    await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...everything(start), zone: 'Mars/Olympus' }, 'bad-input');
  },

  async 'properties come, change and go'({ ask, start }) {
    const { property, form } = await ask('dana', 'property.save', rename(undefined, 'Quay 7'));
    await ask('dana', 'property.save', rename(undefined, 'quay 7'), 'bad-input');
    await ask('dana', 'property.save', rename(property.id, 'PIER 4'), 'bad-input');
    await ask('dana', 'property.save', rename(property.id, 'QUAY 7'));
    await ask('dana', 'property.save', rename(property.id, 'Zeppelin lounge'));
    await ask('visitor', 'form.get', { formId: form.id });
    const service = [{ name: 'Yelp', url: 'https://www.yelp.com/biz/zeppelin' }];
    await ask('dana', 'property.save', { payload: { id: property.id, data: { service } } });
    await ask('dana', 'property.save', { payload: { id: property.id, data: {} } });
    await ask(
      'dana',
      'property.save',
      { payload: { id: property.id, data: { service: [{ name: 'Yelp', url: 'http://x' }] } } },
      'bad-input',
    );
    await ask('visitor', 'feedback.save', save(form, 'zoe', responsesTo(form, { rating: 1 })));
    await ask('sam', 'property.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'property.get', { propertyId: 'zeppelin-lounge' });
    await ask('sam', 'property.save', rename(property.id, 'Mine'), 'not-allowed');
    await ask('sam', 'property.delete', { propertyId: property.id }, 'not-allowed');
    await ask('dana', 'feedback.summary', { propertyId: property.id, ...everything(start) });
    await ask('dana', 'property.delete', { propertyId: property.id });
    await ask('dana', 'property.delete', { propertyId: property.id }, 'not found');
    await ask('dana', 'property.save', rename(property.id, 'Again'), 'not found');
    await ask('dana', 'property.get', { propertyId: property.id }, 'not found');
    await ask('dana', 'property.save', rename(undefined, 'Zeppelin lounge'));
    await ask('dana', 'property.get', { propertyId: 'zeppelin-lounge' });
  },

  async 'a deleted property takes its feedback out of every list and count'({ ask, start }) {
    const { feedback } = await ask('dana', 'feedback.list', { propertyId: pier.id, limit: 1 });
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('visitor', 'form.get', { formId: pier.data.formId }, 'form-closed');
    await ask('visitor', 'view.track', { formId: pier.data.formId }, 'form-closed');
    await ask('visitor', 'feedback.save', save(formOf(pier), 'late', responsesTo(formOf(pier), { rating: 5 })), 'form-closed');
    await ask('dana', 'form.save', { payload: { id: pier.data.formId, data: { inviteToReview: 'everyone' } } }, 'not found');
    await ask('dana', 'feedback.get', { feedbackId: feedback[0].id }, 'not found');
    await ask('dana', 'feedback.list', { propertyId: pier.id }, 'not found');
    await ask('dana', 'feedback.list', { accountId: ACCOUNT_ID, limit: 100 });
    await ask('dana', 'feedback.summary', { accountId: ACCOUNT_ID, ...everything(start) });
    await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...everything(start) });
  },

  async 'a form is changed while a visitor has it open'({ ask }) {
    const before = formOf(pier);
    const steps = before.data.steps.map((step) => ({
      ...step,
      title: `${step.title}!`,
      ...(step.blocks && { blocks: step.blocks.filter(({ blockType }) => blockType !== 'OpenText') }),
    }));
    const change = (data: object) => ({ payload: { id: before.id, data } });
    await ask('dana', 'form.save', change({ steps: steps.slice(1) }), 'bad-input');
    await ask('sam', 'form.save', change({ steps }), 'not-allowed');
    await ask('dana', 'form.save', change({ steps }));
    await ask('dana', 'form.save', change({ inviteToReview: 'everyone' }));
    await ask('dana', 'form.save', change({}));
    await ask('dana', 'form.save', { payload: { id: MISSING.formId, data: {} } }, 'not found');
    const { feedback } = await ask('visitor', 'feedback.save', save(before, 'ann', responsesTo(before, { rating: 5, text: 'Old words' })));
    await ask('dana', 'feedback.get', { feedbackId: feedback.id });
    await ask('visitor', 'feedback.save', save(before, 'bea', responsesTo(before, { rating: 5, review: 'Yelp' })));
    await ask('dana', 'property.save', { payload: { id: pier.id, data: { service: [] } } });
    await ask('visitor', 'feedback.save', save(before, 'cleo', responsesTo(before, { rating: 4, review: 'Yelp' })));
    await ask('visitor', 'form.get', { formId: before.id });
    await ask('dana', 'form.save', change({ steps: before.data.steps }));
    await ask('dana', 'property.get', { propertyId: pier.id });
  },

  async 'people change themselves, admins change others, and one admin stays'({ ask }) {
    const change = (id: string, data: object) => ({ payload: { id, data } });
    await ask('sam', 'user.save', change(sam.id, { displayName: 'Samuel Lee' }));
    await ask('sam', 'user.save', change(noor.id, { displayName: 'Nobody' }), 'not-allowed');
    await ask('sam', 'user.save', change(sam.id, { level: 'admin' }), 'not-allowed');
    await ask('sam', 'user.save', change(sam.id, { level: 'user', avatar: null }));
    await ask('dana', 'user.save', change(sam.id, { avatar: null }), 'not-allowed');
    await ask('dana', 'user.save', change(dana.id, { level: 'user' }), 'conflict');
    await ask('dana', 'user.delete', { userId: dana.id }, 'conflict');
    await ask('dana', 'user.save', change(sam.id, { level: 'admin', displayName: 'Sam Lee' }));
    await ask('dana', 'user.save', change(MISSING.userId, { level: 'admin' }), 'not found');
    await ask('sam', 'user.delete', { userId: noor.id });
    await ask('noor', 'user.list', { accountId: ACCOUNT_ID }, 'not-signed-in');
    await ask('sam', 'user.delete', { userId: noor.id }, 'not found');
    await ask('sam', 'user.delete', { userId: dana.id });
    await ask('sam', 'user.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'property.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'user.get', { userId: dana.id }, 'not found');
  },

  async 'the account is renamed, and its sign-up is over'({ ask }) {
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Harbor Coffee 2' } } });
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Harbor Coffee 2' } } });
    await ask('dana', 'account.save', { payload: { id: 'ACCOUNT_nobody', data: { displayName: 'X' } } }, 'not found');
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Café' } } }, 'bad-input');
    await ask('sam', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Mine' } } }, 'not-allowed');
    await ask('sam', 'account.get', { accountId: ACCOUNT_ID });
    await ask('dana', 'account.choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' }, 'conflict');
    await ask('dana', 'account.startTrial', {}, 'conflict');
    await ask('dana', 'account.getStarted', { businessName: 'Again' }, 'conflict');
    await ask('dana', 'account.get', { accountId: account.id });
  },

  async 'openings are counted by day'({ ask, wait, start }) {
    for (const formId of [pier.data.formId, airport.data.formId, pier.data.formId]) await ask('visitor', 'view.track', { formId });
    wait(DAY);
    await ask('visitor', 'view.track', { formId: pier.data.formId });
    await ask('visitor', 'view.track', { formId: MISSING.formId }, 'not found');
    await ask('sam', 'view.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'view.list', { propertyId: pier.id, from: start, to: start + DAY });
    await ask('sam', 'view.list', { propertyId: pier.id, from: start + DAY });
    await ask('sam', 'view.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
  },

  async 'who may not is refused, whatever is asked'({ ask }) {
    for (const { name, access } of operations) {
      const example = exampleOf(name, subjectsOf({ unused: 'x'.repeat(24), now: 0 }));
      if (access !== 'visitor') await ask('visitor', name, example, 'not-signed-in');
      if (access === 'admin' || access === 'operator') await ask('sam', name, example, 'not-allowed');
      if (access === 'operator') await ask('dana', name, example, 'not-allowed');
      if (access === 'member') await ask('sam', name, { nonsense: true }, 'bad-input');
    }
    await ask('dana', 'weather.get', {}, 'unknown-operation');
    await ask('dana', 'constructor.toString', {}, 'unknown-operation');
  },
};
