import { expect } from 'vitest';
import type { RefusalCode } from '#contract/core/errors.ts';
import { placementOf } from '#contract/core/ids.ts';
import type { Response } from '#contract/feedback/feedback.ts';
import type { Form } from '#contract/form/form.ts';
import { DEFAULT_HOURS } from '#contract/kiosk/hours.ts';
import { ACCOUNT_ID, account, airport, dana, formOf, noor, oldTown, pier, sam, terrace, till } from '#fixtures/business.ts';
import { exampleOf, operations, subjectsOf } from '../support/examples.ts';
import { responsesTo } from '../support/submission.ts';
import type { ScenarioCaller, ScenarioOutcome } from './products.ts';

/** Calls an operation, and fails unless it has the expected result. */
type Ask = (
  caller: ScenarioCaller,
  operation: string,
  sent: object,
  result?: 'ok' | 'not found' | RefusalCode,
) => Promise<ScenarioOutcome['body']>;

interface ScenarioTools {
  readonly ask: Ask;
  readonly wait: (ms: number) => void;
  /** The start of the scenario (UTC ms). */
  readonly start: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MISSING = {
  propertyId: 'PROPERTY_NobodyHere',
  formId: 'FORM_nobody',
  userId: 'USER_00000000-0000-4000-8000-000000000000',
  feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy',
};

const key = (name: string): string => name.padEnd(24, '-');
const save = (form: Form, name: string, responses: readonly Response[], formVersion?: number): object => ({
  idempotencyKey: key(name),
  payload: { data: { formId: form.id, responses, ...(formVersion !== undefined && { formVersion }) } },
});
const rename = (id: string | undefined, displayName: string): object => ({ payload: { id, data: { displayName } } });
const allOf = (start: number): object => ({ from: start - 60 * DAY, to: start + 2 * DAY, zone: 'Europe/Lisbon' });

/** Scenarios in which the server and the demo's world must respond the same. */
export const SCENARIOS: Readonly<Record<string, (tools: ScenarioTools) => Promise<void>>> = {
  async 'a visitor rates, adds text, asks for a call, and amends too late'({ ask, wait }) {
    const form = formOf(pier);
    const send = (answers: Parameters<typeof responsesTo>[1], result?: 'bad-input' | 'amend-closed') =>
      ask('visitor', 'feedback.save', save(form, 'ann', responsesTo(form, answers)), result);
    await send({ text: 'Nothing but words.' }, 'bad-input');
    const { feedback } = await send({ rating: 2 });
    await send({ rating: 2 });
    await send({ text: '  The milk was sour. ' });
    await send({ rating: 4, contact: { answer: 'No' } });
    await send({ contact: { answer: 'Yes', email: 'nobody' } }, 'bad-input');
    await send({ contact: { answer: 'Yes', email: 'ann@example.com', name: ' Ann ' } });
    await ask('dana', 'feedback.get', { feedbackId: feedback.id });
    wait(40 * MINUTE);
    await send({ review: 'Google' });
    wait(10 * MINUTE);
    await send({ review: 'Yelp', text: 'And the music.' });
    await ask('sam', 'feedback.get', { feedbackId: feedback.id });
    wait(11 * MINUTE);
    await send({ rating: 5 }, 'amend-closed');
    await send({ review: 'Yelp', text: 'And the music.' });
  },

  async 'answers to questions the form doesn’t ask are rejected'({ ask }) {
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

  async 'a team reads and searches feedback'({ ask, start }) {
    const mine = { accountId: ACCOUNT_ID };
    const { feedback, cursor } = await ask('sam', 'feedback.list', { ...mine, limit: 7 });
    await ask('sam', 'feedback.list', { ...mine, limit: 7, cursor });
    await ask('sam', 'feedback.get', { feedbackId: feedback[3].id });
    await ask('sam', 'feedback.some', { feedbackIds: [feedback[5].id, feedback[1].id, MISSING.feedbackId] });
    await ask('sam', 'feedback.some', { feedbackIds: [MISSING.feedbackId] }, 'not found');
    for (const kind of ['all', 'urgent', 'regular', 'complaint', 'contact me'])
      await ask('sam', 'feedback.list', { propertyId: pier.id, kind, limit: 50 });
    for (const source of ['open text', 'Google', 'none']) await ask('noor', 'feedback.list', { ...mine, source, limit: 100 });
    await ask('noor', 'feedback.count', { ...mine, source: 'Google' });
    for (const text of [
      'COFFEE',
      ' card  ',
      '%',
      '_',
      'mother’s',
      'offee',
      'mus loud',
      '"was cold"',
      '"cold was"',
      'Café',
      '"coff"',
      '東京',
      '-',
      "mother's",
    ]) {
      await ask('dana', 'feedback.list', { ...mine, text, limit: 100 });
      await ask('dana', 'feedback.count', { ...mine, text });
    }
    await ask('dana', 'feedback.list', { ...mine, rating: 2, from: start - 20 * DAY, to: start - 3 * DAY });
    await ask('dana', 'feedback.list', { propertyId: MISSING.propertyId }, 'not found');
    await ask('dana', 'feedback.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
    await ask('dana', 'feedback.list', { limit: 5 }, 'bad-input');
    await ask('dana', 'feedback.count', { propertyId: MISSING.propertyId }, 'not found');
    await ask('dana', 'feedback.count', {}, 'bad-input');
    await ask('dana', 'feedback.get', { feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy' }, 'not found');
  },

  async 'a team works on feedback'({ ask }) {
    const mine = { accountId: ACCOUNT_ID };
    const { feedback } = await ask('sam', 'feedback.list', { ...mine, limit: 4 });
    const [first, second, third] = feedback.map(({ id }: { id: string }) => id);
    const { tag } = await ask('sam', 'tag.save', { payload: { data: { displayName: ' Slow  service' } } });
    await ask('dana', 'tag.save', { payload: { data: { displayName: 'SLOW service' } } }, 'bad-input');
    await ask('dana', 'tag.save', { payload: { id: tag.id, data: { displayName: 'Slow' } } });
    await ask('sam', 'tag.list', mine);
    const change = (caller: 'dana' | 'sam', changes: object[], result?: RefusalCode | 'not found') =>
      ask(caller, 'feedback.modify', { changes }, result);
    await change('sam', [
      { feedbackId: second, status: 'open', assignee: sam.id, addTags: [tag.id], unread: false },
      { feedbackId: first, status: 'done' },
    ]);
    await change('sam', [{ feedbackId: first, status: 'done' }]);
    await change('dana', [{ feedbackId: second, removeTags: [tag.id], assignee: null, status: 'new' }]);
    await change('dana', [{ feedbackId: third, status: 'waiting', assignee: dana.id, addTags: [tag.id] }]);
    await change('dana', [
      { feedbackId: third, assignee: noor.id },
      { feedbackId: second, assignee: sam.id },
      { feedbackId: first, assignee: noor.id },
    ]);
    await change('dana', [
      { feedbackId: third, assignee: dana.id },
      { feedbackId: second, assignee: null },
      { feedbackId: first, assignee: null },
    ]);
    await change('dana', [{ feedbackId: third, assignee: MISSING.userId }], 'bad-input');
    await change('dana', [{ feedbackId: third, addTags: ['TAG_nobody0000'] }], 'bad-input');
    await change('dana', [{ feedbackId: MISSING.feedbackId, status: 'done' }], 'not found');
    await ask('dana', 'feedback.history', { feedbackId: second });
    await ask('dana', 'feedback.history', { feedbackId: MISSING.feedbackId }, 'not found');
    const filters = [
      { status: 'new' },
      { status: 'done' },
      { assignee: dana.id },
      { assignee: 'nobody' },
      { tag: tag.id },
      { unread: true },
    ];
    for (const filter of filters) {
      await ask('dana', 'feedback.list', { ...mine, ...filter, limit: 100 });
      await ask('dana', 'feedback.count', { ...mine, ...filter });
    }
    const waiting = { ...mine, waiting: true, order: 'oldest' };
    const { cursor } = await ask('sam', 'feedback.list', { ...waiting, limit: 2 });
    await ask('sam', 'feedback.list', { ...waiting, limit: 2, ...(cursor && { cursor }) });
    await ask('sam', 'feedback.count', waiting);
    await ask('sam', 'feedback.inbox', mine);
    await ask('sam', 'feedback.markAllRead', {});
    await ask('sam', 'feedback.inbox', mine);
    await change('sam', [{ feedbackId: third, unread: true }]);
    await ask('dana', 'feedback.inbox', mine);
    await ask('sam', 'tag.delete', { tagId: tag.id }, 'not-allowed');
    await ask('dana', 'tag.delete', { tagId: tag.id });
    await ask('dana', 'feedback.get', { feedbackId: third });
  },

  async 'a manager counts ratings in any time zone'({ ask, start }) {
    for (const zone of ['UTC', 'Europe/Lisbon', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']) {
      const span = { from: start - 31 * DAY - 7 * MINUTE, to: start + 1, zone };
      await ask('dana', 'feedback.summary', { accountId: ACCOUNT_ID, ...span });
      await ask('dana', 'feedback.summary', { propertyId: oldTown.id, ...span });
      await ask('dana', 'feedback.summary', { propertyId: pier.id, ...span, from: start - 2 * DAY, grain: 'hour' });
      await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...span });
      await ask('dana', 'feedback.summary', { accountId: ACCOUNT_ID, ...span, from: start - 3000 * DAY, grain: 'month' });
    }
    await ask('sam', 'feedback.totals', { accountId: ACCOUNT_ID });
    await ask('sam', 'feedback.totals', { accountId: 'ACCOUNT_nobody' }, 'not found');
    await ask('dana', 'feedback.summary', { propertyId: MISSING.propertyId, ...allOf(start) }, 'not found');
    await ask('dana', 'feedback.summary', { propertyId: pier.id, from: start, to: start, zone: 'UTC' }, 'bad-input');
    await ask('dana', 'feedback.summary', { propertyId: pier.id, ...allOf(start), from: start - 3000 * DAY }, 'bad-input');
    await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...allOf(start), zone: 'Mars/Olympus' }, 'bad-input');
  },

  async 'properties are created, changed and deleted'({ ask, start }) {
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
    const notify = (notifications: object) => ({ payload: { id: property.id, data: { notifications } } });
    await ask('sam', 'property.save', notify({ weekly: [sam.id] }), 'not-allowed');
    await ask('dana', 'property.save', notify({ complaints: [sam.id, MISSING.userId] }), 'bad-input');
    await ask('dana', 'property.save', notify({ complaints: [sam.id, sam.id] }), 'bad-input');
    await ask('dana', 'property.save', notify({ complaints: [sam.id, dana.id] }));
    await ask('dana', 'property.save', notify({ weekly: [] }));
    await ask('dana', 'property.save', notify({ daily: [sam.id], monthly: [sam.id, dana.id] }));
    await ask('dana', 'property.save', notify({ daily: [sam.id, sam.id] }), 'bad-input');
    await ask('dana', 'property.save', notify({ monthly: [] }));
    const alert = (alerts: object) => ({ payload: { id: property.id, data: { alerts } } });
    const night = { from: '22:00', to: '07:30' };
    await ask('sam', 'property.save', alert({ quiet: night }), 'not-allowed');
    for (const quiet of [{ from: '22:00', to: '22:00' }, { from: '24:00', to: '07:00' }, { from: '22:00' }])
      await ask('dana', 'property.save', alert({ quiet }), 'bad-input');
    await ask('dana', 'property.save', alert({ quiet: night }));
    for (const escalation of [
      { after: 30, to: [] },
      { after: 4, to: [sam.id] },
      { after: 1_441, to: [sam.id] },
      { after: 7.5, to: [sam.id] },
      { after: 30, to: [sam.id, sam.id] },
      { after: 30, to: [sam.id, MISSING.userId] },
    ])
      await ask('dana', 'property.save', alert({ escalation }), 'bad-input');
    await ask('dana', 'property.save', alert({ escalation: { after: 30, to: [sam.id, dana.id] } }));
    await ask('dana', 'property.save', alert({ quiet: null }));
    await ask('dana', 'property.save', alert({ escalation: null }));
    const replies = (privateReplies: unknown) => ({ payload: { id: property.id, data: { privateReplies } } });
    await ask('sam', 'property.save', replies(false), 'not-allowed');
    await ask('dana', 'property.save', replies(null), 'bad-input');
    for (const isOffered of [true, false, false]) await ask('dana', 'property.save', replies(isOffered));
    await ask('dana', 'property.get', { propertyId: property.id });
    await ask('dana', 'property.save', replies(true));
    for (const action of ['receiptSecret', 'receiptSecret', 'replaceReceiptSecret'])
      await ask('dana', `property.${action}`, { propertyId: property.id });
    await ask('sam', 'property.receiptSecret', { propertyId: property.id }, 'not-allowed');
    await ask('visitor', 'feedback.save', save(form, 'zoe', responsesTo(form, { rating: 1 })));
    await ask('sam', 'property.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'property.get', { propertyId: 'zeppelin-lounge' });
    await ask('sam', 'property.save', rename(property.id, 'Mine'), 'not-allowed');
    await ask('sam', 'property.delete', { propertyId: property.id }, 'not-allowed');
    await ask('dana', 'feedback.summary', { propertyId: property.id, ...allOf(start) });
    await ask('dana', 'property.delete', { propertyId: property.id });
    await ask('dana', 'property.delete', { propertyId: property.id }, 'not found');
    for (const action of ['receiptSecret', 'replaceReceiptSecret'])
      await ask('dana', `property.${action}`, { propertyId: property.id }, 'not found');
    await ask('dana', 'property.save', rename(property.id, 'Again'), 'not found');
    await ask('dana', 'property.get', { propertyId: property.id }, 'not found');
    await ask('dana', 'property.save', rename(undefined, 'Zeppelin lounge'));
    await ask('dana', 'property.get', { propertyId: 'zeppelin-lounge' });
  },

  async 'a deleted property’s feedback leaves every list and count'({ ask, start }) {
    const { feedback } = await ask('dana', 'feedback.list', { propertyId: pier.id, limit: 1 });
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('visitor', 'form.get', { formId: pier.data.formId }, 'form-closed');
    await ask('visitor', 'view.track', { formId: pier.data.formId }, 'form-closed');
    await ask('visitor', 'feedback.save', save(formOf(pier), 'late', responsesTo(formOf(pier), { rating: 5 })), 'form-closed');
    await ask('dana', 'form.save', { payload: { id: pier.data.formId, data: { inviteToReview: 'everyone' } } }, 'not found');
    await ask('dana', 'feedback.get', { feedbackId: feedback[0].id }, 'not found');
    await ask('dana', 'feedback.list', { propertyId: pier.id }, 'not found');
    await ask('dana', 'feedback.list', { accountId: ACCOUNT_ID, limit: 100 });
    await ask('dana', 'feedback.summary', { accountId: ACCOUNT_ID, ...allOf(start) });
    await ask('dana', 'feedback.overview', { accountId: ACCOUNT_ID, ...allOf(start) });
    await ask('dana', 'feedback.totals', { accountId: ACCOUNT_ID });
  },

  async 'API keys are created and revoked'({ ask }) {
    const mine = { accountId: ACCOUNT_ID };
    const make = (data: object) => ({ payload: { data: { displayName: 'Reporting', scopes: ['export'], ...data } } });
    await ask('dana', 'apiKey.list', mine);
    await ask('sam', 'apiKey.list', mine, 'not-allowed');
    await ask('dana', 'apiKey.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
    for (const data of [{ scopes: [] }, { displayName: ' ' }, { expires: 1 }]) await ask('dana', 'apiKey.create', make(data), 'bad-input');
    const { key } = await ask('dana', 'apiKey.create', make({ displayName: ' Till ' }));
    for (let count = 1; count < 20; count += 1) await ask('dana', 'apiKey.create', make({}));
    await ask('dana', 'apiKey.create', make({}), 'conflict');
    await ask('dana', 'apiKey.revoke', { apiKeyId: key.id });
    await ask('dana', 'apiKey.revoke', { apiKeyId: key.id }, 'not found');
    await ask('dana', 'apiKey.list', mine);
  },

  async 'customers are asked for feedback, unless they may not be'({ ask }) {
    const requests = [
      { email: ' Ana@example.com', name: 'Ana' },
      { email: 'ben@example.com', language: 'de' },
      { email: 'ana@example.com' },
    ];
    const add = (payload: object, propertyId = pier.id) => ({ propertyId, payload });
    await ask('sam', 'feedbackRequest.add', add({ requests }), 'not-allowed');
    await ask('dana', 'feedbackRequest.add', add({ requests }, 'PROPERTY_nobody'), 'not found');
    for (const email of ['', 'ana', 'a b@example.com'])
      await ask('dana', 'feedbackRequest.add', add({ requests: [{ email }] }), 'bad-input');
    await ask('dana', 'feedbackRequest.add', add({ requests: [{ email: 'a@example.com', visited: 0 }] }), 'bad-input');
    await ask('dana', 'feedbackRequest.add', add({ requests, isDryRun: true }));
    await ask('dana', 'feedbackRequest.list', { propertyId: pier.id });
    await ask('dana', 'feedbackRequest.suppress', { email: 'BEN@example.com' });
    await ask('dana', 'property.save', { payload: { id: pier.id, data: { requests: { delay: 3, hour: 18, gap: 30 } } } });
    const { added } = await ask('dana', 'feedbackRequest.add', add({ requests }));
    await ask('dana', 'feedbackRequest.add', add({ requests }));
    await ask('dana', 'feedbackRequest.list', { propertyId: pier.id, search: 'ana', status: 'waiting' });
    await ask('dana', 'feedbackRequest.list', { propertyId: pier.id, search: 'nobody' });
    await ask('dana', 'feedbackRequest.cancel', { feedbackRequestIds: added });
    await ask('dana', 'feedbackRequest.cancel', { feedbackRequestIds: added }, 'not found');
    const { suppressions } = await ask('dana', 'feedbackRequest.suppressions', { accountId: ACCOUNT_ID });
    await ask('dana', 'feedbackRequest.unsuppress', { suppressionId: suppressions[0].id });
    await ask('dana', 'feedbackRequest.unsuppress', { suppressionId: suppressions[0].id }, 'not found');
    await ask('dana', 'feedbackRequest.suppressions', { accountId: ACCOUNT_ID });
  },

  async 'topics are chosen, changed, merged and deleted'({ ask }) {
    const save = (data: object, id?: string) => ({ payload: { ...(id !== undefined && { id }), data } });
    await ask('dana', 'topic.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'topic.setUp', { businessType: 'restaurant' }, 'not-allowed');
    await ask('dana', 'topic.setUp', { businessType: 'bank' }, 'bad-input');
    const { topic } = await ask('dana', 'topic.save', save({ displayName: ' Music ', phrases: ['LOUD', 'too  quiet'] }));
    await ask('dana', 'topic.save', save({ displayName: 'music', phrases: [] }), 'bad-input');
    await ask('dana', 'topic.save', save({ displayName: 'Wrong', phrases: ['a b c d'] }), 'bad-input');
    const { topic: other } = await ask('dana', 'topic.save', save({ displayName: 'Noise', phrases: ['noisy'] }));
    await ask('dana', 'topic.save', save({ displayName: 'Music' }, other.id), 'bad-input');
    await ask('dana', 'topic.list', { accountId: ACCOUNT_ID });
    await ask('dana', 'topic.save', save({ isHidden: true }, other.id));
    await ask('dana', 'topic.save', save({ isHidden: true }, 'TOPIC_nobodyhere'), 'not found');
    await ask('dana', 'topic.preview', { accountId: ACCOUNT_ID, phrases: ['coffee', 'wait*'] });
    await ask('dana', 'topic.merge', { topicId: other.id, otherTopicId: topic.id });
    await ask('dana', 'topic.delete', { topicId: other.id }, 'not found');
    await ask('dana', 'topic.delete', { topicId: topic.id });
    await ask('dana', 'topic.list', { accountId: ACCOUNT_ID });
  },

  async 'an admin finds a visitor by contact details and words'({ ask, wait }) {
    const form = formOf(pier);
    const answers = [
      { rating: 2, text: 'Write to Cy@Example.com.', contact: { answer: 'No' } },
      { rating: 4, contact: { answer: 'Yes', email: 'cy@example.com', phone: '+49 30 5550177' } },
      { rating: 3, text: 'lucy@example.com, or 0049 30 / 555 01 77' },
    ] as const;
    for (const [at, answer] of answers.entries()) {
      await ask('visitor', 'feedback.save', save(form, `cy${at}`, responsesTo(form, answer)));
      wait(MINUTE);
    }
    for (const contact of ['CY@example.com', '+49 (30) 555-0177', 'example.com@cy']) await ask('dana', 'privacy.find', { contact });
    await ask('dana', 'privacy.find', { contact: 'Cy' }, 'bad-input');
    await ask('sam', 'privacy.find', { contact: 'cy@example.com' }, 'not-allowed');
  },

  async 'lists are ordered by name as people order names'({ ask }) {
    const sorted = ['Ähre', 'apple', 'Table 2', 'table 10', 'Zoo'];
    const payloadOf = (displayName: string, data: object = {}) => ({ payload: { data: { displayName, ...data } } });
    const add: Readonly<Record<string, (name: string) => object>> = {
      property: (name) => payloadOf(name),
      tag: (name) => payloadOf(name),
      savedReply: (name) => payloadOf(name, { text: 'Sorry!' }),
      savedView: (name) => payloadOf(name, { shows: { feed: 'account', filters: { status: 'new' } } }),
      tool: (name) => payloadOf(name, { propertyId: oldTown.id }),
    };
    for (const [service, sent] of Object.entries(add)) {
      for (const name of ['Zoo', 'table 10', 'Ähre', 'Table 2', 'apple']) await ask('dana', `${service}.save`, sent(name));
      const records = Object.values(await ask('dana', `${service}.list`, { accountId: ACCOUNT_ID })).find(Array.isArray) ?? [];
      const names = records.map(({ data }) => data.displayName).filter((name) => sorted.includes(name));
      expect(names, service).toEqual(sorted);
    }
  },

  async 'replies are saved, changed and deleted'({ ask }) {
    const save = (data: object, id?: string) => ({ payload: { ...(id !== undefined && { id }), data } });
    const { reply } = await ask('sam', 'savedReply.save', save({ displayName: ' Late  order ', text: ' Sorry, {name}! ' }));
    await ask('dana', 'savedReply.save', save({ displayName: 'LATE order', text: 'Hm' }), 'bad-input');
    await ask('dana', 'savedReply.save', save({ displayName: 'Empty', text: ' ' }), 'bad-input');
    await ask('dana', 'savedReply.save', save({ displayName: 'Late', text: 'Sorry!' }, reply.id));
    await ask('dana', 'savedReply.save', save({ displayName: 'Late', text: 'Sorry!' }, 'SAVEDREPLY_nobodyhere'.slice(0, 21)), 'not found');
    await ask('sam', 'savedReply.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'savedReply.delete', { savedReplyId: reply.id });
    await ask('sam', 'savedReply.delete', { savedReplyId: reply.id }, 'not found');
    await ask('sam', 'savedReply.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
  },

  async 'kiosks are added, changed and deleted'({ ask }) {
    const add = (data: object) => ({ payload: { data: { propertyId: pier.id, displayName: 'Exit', pin: '2580', ...data } } });
    await ask('sam', 'kiosk.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'kiosk.save', add({}), 'not-allowed');
    await ask('dana', 'kiosk.save', add({ propertyId: MISSING.propertyId }), 'not found');
    await ask('dana', 'kiosk.save', add({ pin: '12' }), 'bad-input');
    await ask('dana', 'kiosk.save', add({ displayName: 'TILL' }), 'bad-input');
    const { kiosk } = await ask('dana', 'kiosk.save', add({ thanks: ' See you! ', repeatWithin: 0 }));
    const { id } = kiosk;
    await ask('dana', 'kiosk.save', { payload: { id, data: { displayName: 'till' } } }, 'bad-input');
    await ask('dana', 'kiosk.save', { payload: { id, data: { displayName: 'Door', thanks: '', hours: DEFAULT_HOURS.with(6, null) } } });
    await ask('dana', 'kiosk.save', { payload: { id: terrace.id, data: { repeatWithin: 9 } } }, 'not found');
    await ask('dana', 'kiosk.revoke', { kioskId: id });
    await ask('dana', 'kiosk.revoke', { kioskId: terrace.id }, 'not found');
    await ask('dana', 'kiosk.startPairing', { kioskId: terrace.id }, 'not found');
    await ask('visitor', 'kiosk.pair', { code: 'ABCD-2345' }, 'not found');
    await ask('visitor', 'kiosk.leave', { token: `${ACCOUNT_ID}.${'a'.repeat(43)}` }, 'kiosk-gone');
    await ask('sam', 'kiosk.list', { accountId: ACCOUNT_ID, propertyId: pier.id });
    await ask('sam', 'kiosk.list', { accountId: ACCOUNT_ID, propertyId: MISSING.propertyId }, 'not found');
    await ask('dana', 'tool.delete', { toolId: id });
    await ask('dana', 'kiosk.save', { payload: { id, data: { repeatWithin: 9 } } }, 'not found');
    await ask('sam', 'kiosk.list', { accountId: ACCOUNT_ID });
  },

  async 'a brand is changed part by part'({ ask }) {
    const save = (data: object, id: string = ACCOUNT_ID) => ({ payload: { id, data } });
    await ask('sam', 'brand.get', { accountId: ACCOUNT_ID });
    await ask('sam', 'brand.save', save({ corners: 'round' }), 'not-allowed');
    await ask('dana', 'brand.save', save({ accent: 'red' }), 'bad-input');
    await ask('dana', 'brand.save', save({ corners: 'round' }, 'ACCOUNT_NobodyHere'), 'not found');
    await ask('dana', 'brand.save', save({ logo: { alt: 'Harbor Coffee' } }), 'bad-input');
    await ask('dana', 'brand.save', save({ accent: ' #FFD400 ' }));
    await ask('dana', 'brand.save', save({ corners: 'square' }));
    await ask('dana', 'brand.save', save({ accent: null }));
    await ask('sam', 'brand.get', { accountId: ACCOUNT_ID });
  },

  async 'placements are created, stored with answers, and deleted'({ ask, start }) {
    const place = (data: object) => ({ payload: { data } });
    await ask('sam', 'tool.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'tool.save', place({ propertyId: pier.id, displayName: 'Bar' }), 'not-allowed');
    const { tool } = await ask('dana', 'tool.save', place({ propertyId: pier.id, displayName: ' Bar ' }));
    await ask('dana', 'tool.save', place({ propertyId: pier.id, displayName: 'BAR' }), 'bad-input');
    await ask('dana', 'tool.save', place({ propertyId: MISSING.propertyId, displayName: 'Bar' }), 'not found');
    await ask('dana', 'tool.save', { payload: { id: tool.id, data: { displayName: 'till' } } }, 'bad-input');
    await ask('dana', 'tool.save', { payload: { id: tool.id, data: { displayName: 'Long bar' } } });
    const rate = (name: string, rating: 1 | 5, origin: object) => {
      const form = formOf(pier);
      const data = { formId: form.id, responses: responsesTo(form, { rating }), ...origin };
      return ask('visitor', 'feedback.save', { idempotencyKey: key(name), payload: { data } });
    };
    const { feedback } = await rate('eve', 5, { at: placementOf(tool.id) });
    await rate('eve', 1, { at: placementOf(till.id) });
    await rate('fay', 5, { at: 'nobodyhere' });
    await ask('sam', 'feedback.get', { feedbackId: feedback.id });
    await ask('sam', 'feedback.list', { propertyId: pier.id, toolId: terrace.id, limit: 100 });
    await ask('sam', 'feedback.list', { propertyId: oldTown.id, toolId: terrace.id }, 'not found');
    await ask('sam', 'feedback.summary', { accountId: ACCOUNT_ID, toolId: till.id, ...allOf(start) });
    const { from, to } = { from: start - 60 * DAY, to: start + 2 * DAY };
    await ask('sam', 'feedback.placements', { propertyId: pier.id, from, to });
    const series = { displayName: 'Bench', from: 9, to: 11 };
    await ask('sam', 'tool.addSeries', { propertyId: pier.id, series }, 'not-allowed');
    await ask('dana', 'tool.addSeries', { propertyId: MISSING.propertyId, series }, 'not found');
    await ask('dana', 'tool.addSeries', { propertyId: pier.id, series });
    await ask('dana', 'tool.addSeries', { propertyId: pier.id, series: { ...series, to: 12 } });
    await ask('dana', 'tool.addSeries', { propertyId: pier.id, series: { ...series, to: 8 } }, 'bad-input');
    await ask('dana', 'tool.delete', { toolId: tool.id });
    await ask('dana', 'tool.delete', { toolId: tool.id }, 'not found');
    await ask('sam', 'feedback.get', { feedbackId: feedback.id });
    await ask('sam', 'feedback.placements', { propertyId: pier.id, from, to });
    await rate('gil', 5, { at: placementOf(tool.id) });
    await ask('sam', 'feedback.list', { propertyId: pier.id, limit: 1 });
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('sam', 'tool.list', { accountId: ACCOUNT_ID });
  },

  async 'a team tests its form, and deletes the test'({ ask, start }) {
    const form = formOf(oldTown);
    const testAnswer = (name: string, rating: 1 | 5) => ({
      idempotencyKey: key(name),
      payload: { data: { formId: form.id, responses: responsesTo(form, { rating }), test: true } },
    });
    const { feedback } = await ask('visitor', 'feedback.save', testAnswer('ida', 5));
    await ask('visitor', 'feedback.save', testAnswer('ida', 1));
    await ask('sam', 'feedback.list', { propertyId: oldTown.id, limit: 2 });
    await ask('sam', 'feedback.list', { propertyId: oldTown.id, kind: 'urgent', limit: 2 });
    await ask('sam', 'feedback.list', { propertyId: oldTown.id, waiting: true, limit: 2 });
    await ask('sam', 'feedback.inbox', { accountId: ACCOUNT_ID });
    await ask('sam', 'feedback.summary', { propertyId: oldTown.id, ...allOf(start) });
    await ask('sam', 'feedback.totals', { accountId: ACCOUNT_ID });
    await ask('sam', 'feedback.discard', { feedbackIds: [feedback.id] });
    await ask('sam', 'feedback.discard', { feedbackIds: [feedback.id] }, 'not found');
    await ask('sam', 'feedback.get', { feedbackId: feedback.id }, 'not found');
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
    const { feedback: old } = await ask('visitor', 'feedback.save', save(before, 'dee', responsesTo(before, { rating: 3 }), 1));
    await ask('dana', 'feedback.get', { feedbackId: old.id });
    await ask('visitor', 'feedback.save', save(before, 'eve', responsesTo(before, { rating: 3 }), 99));
    await ask('visitor', 'feedback.save', save(before, 'fay', responsesTo(before, { rating: 3 }), 0), 'bad-input');
    await ask('visitor', 'feedback.save', save(before, 'bea', responsesTo(before, { rating: 5, review: 'Yelp' })));
    await ask('dana', 'property.save', { payload: { id: pier.id, data: { service: [] } } });
    await ask('visitor', 'feedback.save', save(before, 'cleo', responsesTo(before, { rating: 4, review: 'Yelp' })));
    await ask('visitor', 'form.get', { formId: before.id });
    await ask('dana', 'form.save', change({ steps: before.data.steps }));
    await ask('dana', 'property.get', { propertyId: pier.id });
    await ask('dana', 'form.save', change({ steps, basedOn: 1 }), 'conflict');
    const { form } = await ask('sam', 'form.read', { formId: before.id });
    await ask('sam', 'form.read', { formId: before.id, version: 2 });
    await ask('sam', 'form.read', { formId: before.id, version: 99 }, 'not found');
    await ask('sam', 'form.read', { formId: MISSING.formId }, 'not found');
    await ask('visitor', 'form.read', { formId: before.id }, 'not-signed-in');
    await ask('dana', 'form.save', change({ basedOn: form.data.version, inviteToReview: 'good' }));
    await ask('sam', 'form.versions', { formId: before.id });
    await ask('sam', 'form.versions', { formId: MISSING.formId }, 'not found');
    const unasked = steps.map(({ blocks: _blocks, ...step }, at) => (at === 3 ? step : { ...step, ...(_blocks && { blocks: _blocks }) }));
    await ask('dana', 'property.save', { payload: { id: pier.id, data: { service: pier.data.service } } });
    await ask('dana', 'form.save', change({ steps: unasked }));
    await ask('dana', 'property.get', { propertyId: pier.id });
  },

  async 'a form is closed, reopened, deleted, and replaced'({ ask }) {
    const [formId, form] = [pier.data.formId, formOf(pier)];
    const answer = (key: string) => save(form, key, responsesTo(form, { rating: 4 }));
    await ask('sam', 'form.close', { formId }, 'not-allowed');
    await ask('dana', 'form.create', { propertyId: pier.id }, 'conflict');
    await ask('dana', 'form.close', { formId });
    await ask('dana', 'form.close', { formId });
    await ask('visitor', 'form.get', { formId }, 'form-closed');
    await ask('visitor', 'feedback.save', answer('ann'), 'form-closed');
    await ask('sam', 'form.read', { formId });
    await ask('dana', 'form.create', { propertyId: pier.id }, 'conflict');
    await ask('dana', 'form.save', { payload: { id: formId, data: { inviteToReview: 'everyone' } } });
    await ask('dana', 'form.open', { formId });
    await ask('dana', 'form.open', { formId });
    await ask('visitor', 'feedback.save', answer('ann'));
    await ask('dana', 'form.delete', { formId });
    for (const operation of ['form.delete', 'form.open', 'form.close']) await ask('dana', operation, { formId }, 'not found');
    await ask('visitor', 'form.get', { formId }, 'form-closed');
    await ask('dana', 'form.save', { payload: { id: formId, data: {} } }, 'not found');
    await ask('sam', 'form.read', { formId, version: 1 });
    await ask('sam', 'feedback.list', { propertyId: pier.id, limit: 3 });
    await ask('dana', 'property.save', { payload: { id: pier.id, data: { service: [] } } });
    await ask('dana', 'form.create', { propertyId: MISSING.propertyId }, 'not found');
    const { form: another } = await ask('dana', 'form.create', { propertyId: pier.id });
    await ask('dana', 'form.create', { propertyId: pier.id }, 'conflict');
    await ask('sam', 'property.get', { propertyId: pier.id });
    await ask('visitor', 'feedback.save', save(another, 'bob', responsesTo(another, { rating: 5 })));
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('dana', 'form.read', { formId: another.id }, 'not found');
    await ask('dana', 'form.open', { formId: another.id }, 'not found');
    await ask('dana', 'form.create', { propertyId: pier.id }, 'not found');
  },

  async 'people edit themselves, admins edit others, and one admin remains'({ ask }) {
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
    const next = (to: string[], quiet?: object) => ({
      payload: { id: pier.id, data: { alerts: { escalation: { after: 15, to }, ...(quiet && { quiet }) } } },
    });
    await ask('sam', 'property.save', next([noor.id, sam.id]));
    await ask('sam', 'user.delete', { userId: noor.id });
    await ask('sam', 'property.get', { propertyId: pier.id });
    await ask('noor', 'user.list', { accountId: ACCOUNT_ID }, 'not-signed-in');
    await ask('sam', 'user.delete', { userId: noor.id }, 'not found');
    await ask('sam', 'user.delete', { userId: dana.id });
    await ask('sam', 'user.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'property.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'user.get', { userId: dana.id }, 'not found');
  },

  async 'the account is renamed, and can’t repeat its sign-up'({ ask }) {
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Harbor Coffee 2' } } });
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Harbor Coffee 2' } } });
    await ask('dana', 'account.save', { payload: { id: 'ACCOUNT_nobody', data: { displayName: 'X' } } }, 'not found');
    await ask('dana', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Salt & Co' } } }, 'bad-input');
    await ask('sam', 'account.save', { payload: { id: ACCOUNT_ID, data: { displayName: 'Mine' } } }, 'not-allowed');
    await ask('sam', 'account.get', { accountId: ACCOUNT_ID });
    await ask('dana', 'account.choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' }, 'conflict');
    await ask('dana', 'account.startTrial', {}, 'conflict');
    await ask('dana', 'account.getStarted', { businessName: 'Again' }, 'conflict');
    await ask('dana', 'account.get', { accountId: account.id });
  },

  async 'a team comments on feedback'({ ask, wait }) {
    const { feedback } = await ask('sam', 'feedback.list', { accountId: ACCOUNT_ID, kind: 'urgent', limit: 3 });
    const [first, second] = feedback.map(({ id }: { id: string }) => id);
    for (const { id } of feedback) await ask('sam', 'comment.list', { feedbackId: id });
    const comment = (author: 'dana' | 'sam' | 'noor', name: string, text: string) =>
      ask(author, 'comment.save', { idempotencyKey: key(name), payload: { data: { feedbackId: first, text } } });
    const change = (id: string, text: string) => ({ payload: { id, data: { text } } });
    await ask('sam', 'comment.save', { payload: { data: { feedbackId: first, text: 'Hm' } } }, 'bad-input');
    const missing = { feedbackId: 'EXPERIENCE_20261120_1795132800000_nobdy', text: 'Hm' };
    await ask('sam', 'comment.save', { idempotencyKey: key('lost'), payload: { data: missing } }, 'not found');
    const { comment: created } = await comment('sam', 'hello', ` Whose was it? @${noor.id} @${sam.id} @${MISSING.userId} `);
    await comment('sam', 'hello', 'Whose was it?');
    await comment('noor', 'hello', 'Mine.');
    await ask('noor', 'comment.save', change(created.id, 'Mine.'), 'not-allowed');
    await ask('dana', 'comment.save', change(created.id, 'Hers.'), 'not-allowed');
    await ask('sam', 'comment.save', change(created.id, created.data.text));
    await ask('sam', 'comment.save', change(created.id, `@${dana.id} @${noor.id}`));
    await ask('sam', 'comment.save', change(created.id, `@${dana.id} alone`));
    const { cursor } = await ask('dana', 'comment.list', { feedbackId: first, limit: 1 });
    await ask('dana', 'comment.list', { feedbackId: first, limit: 1, cursor });
    await ask('dana', 'comment.count', { feedbackIds: [second, first] });
    await ask('noor', 'comment.delete', { commentId: created.id }, 'not-allowed');
    await ask('dana', 'comment.delete', { commentId: created.id });
    await ask('dana', 'comment.delete', { commentId: created.id }, 'not found');
    await ask('sam', 'comment.restore', { commentId: created.id }, 'not found');
    await ask('dana', 'comment.restore', { commentId: created.id });
    await ask('noor', 'comment.restore', { commentId: created.id });
    await ask('sam', 'comment.delete', { commentId: created.id });
    await ask('sam', 'comment.save', { idempotencyKey: key('hello'), payload: { data: { feedbackId: first, text: 'Hm' } } }, 'not found');
    wait(DAY + MINUTE);
    await ask('sam', 'comment.restore', { commentId: created.id }, 'not found');
    await ask('sam', 'comment.list', { feedbackId: first });
  },

  async 'views are saved, shared, changed, deleted and restored'({ ask, wait }) {
    const mine = { accountId: ACCOUNT_ID };
    const loud = { feed: 'account', filters: { range: 'week', q: ' loud ', assignee: 'nobody' } };
    const make = (displayName: string, more: object = {}) => ({ payload: { data: { displayName, shows: loud, ...more } } });
    const change = (id: string, data: object) => ({ payload: { id, data } });
    await ask('sam', 'savedView.list', mine);
    await ask('sam', 'savedView.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
    const { view } = await ask('sam', 'savedView.save', make('  Too   loud '));
    await ask('sam', 'savedView.save', make('TOO LOUD'), 'bad-input');
    await ask('noor', 'savedView.save', make('Too loud'));
    for (const shows of [
      { feed: 'property', filters: {} },
      { feed: 'account', filters: { from: '2026-10-02', to: '2026-10-01' } },
      { feed: 'account', filters: { from: '2026-10-01' } },
      { feed: 'account', filters: { range: 'week', from: '2026-10-01', to: '2026-10-02' } },
      { feed: 'account', filters: { rating: '2' } },
      { feed: 'account', filters: { order: 'oldest' } },
      { feed: 'all', filters: {} },
    ])
      await ask('sam', 'savedView.save', make('Wrong', { shows }), 'bad-input');
    await ask('noor', 'savedView.save', change(view.id, { displayName: 'Mine' }), 'not found');
    await ask('dana', 'savedView.delete', { savedViewId: view.id }, 'not found');
    await ask('sam', 'savedView.save', change(view.id, { isShared: true }));
    await ask('sam', 'savedView.save', change(view.id, { isShared: true, displayName: 'Too loud', shows: loud }));
    await ask('noor', 'savedView.list', mine);
    await ask('noor', 'savedView.save', change(view.id, { displayName: 'Mine' }), 'not-allowed');
    await ask('noor', 'savedView.delete', { savedViewId: view.id }, 'not-allowed');
    await ask('dana', 'savedView.save', change(view.id, { isShared: false }), 'not-allowed');
    const shows = { feed: 'property', filters: { property: pier.id, tag: 'TAG_nobody0000', from: '2026-10-01', to: '2026-10-02' } };
    await ask('dana', 'savedView.save', change(view.id, { shows, displayName: 'Loud' }));
    await ask('dana', 'savedView.delete', { savedViewId: view.id });
    await ask('dana', 'savedView.delete', { savedViewId: view.id }, 'not found');
    await ask('sam', 'savedView.restore', { savedViewId: view.id }, 'not found');
    await ask('dana', 'savedView.restore', { savedViewId: view.id });
    await ask('sam', 'savedView.restore', { savedViewId: view.id });
    await ask('sam', 'savedView.delete', { savedViewId: view.id });
    const { view: louder } = await ask('sam', 'savedView.save', make('Loud'));
    await ask('sam', 'savedView.restore', { savedViewId: view.id }, 'conflict');
    await ask('sam', 'savedView.save', change(louder.id, { displayName: 'Louder' }));
    wait(DAY + MINUTE);
    await ask('sam', 'savedView.restore', { savedViewId: view.id }, 'not found');
    await ask('dana', 'user.delete', { userId: noor.id });
    await ask('dana', 'savedView.list', mine);
  },

  async 'exports are created, private and deleted'({ ask }) {
    const request = { accountId: ACCOUNT_ID, format: 'csv', zone: 'Europe/Lisbon' };
    await ask('dana', 'export.list', {});
    await ask('dana', 'export.create', { ...request, format: 'pdf' }, 'bad-input');
    await ask('dana', 'export.create', { format: 'csv', zone: 'UTC' }, 'bad-input');
    await ask('dana', 'export.create', { ...request, propertyId: MISSING.propertyId }, 'not found');
    await ask('dana', 'export.create', { ...request, toolId: till.id, propertyId: oldTown.id }, 'not found');
    const { file } = await ask('sam', 'export.create', { ...request, kind: 'urgent', order: 'oldest' });
    for (const action of ['get', 'link', 'delete']) await ask('dana', `export.${action}`, { exportId: file.id }, 'not found');
    await ask('sam', 'export.delete', { exportId: file.id });
    await ask('sam', 'export.delete', { exportId: file.id }, 'not found');
    await ask('sam', 'export.get', { exportId: file.id }, 'not found');
    await ask('sam', 'export.list', {});
  },

  async 'admins create, change, delete and restore webhooks'({ ask, wait }) {
    const mine = { accountId: ACCOUNT_ID };
    const url = 'https://hooks.example.com/afterword?key=1';
    // This event doesn't occur here, so nothing is sent.
    const make = (data: object = {}) => ({ payload: { data: { url, events: ['comment.created'], ...data } } });
    const change = (id: string, data: object) => ({ payload: { id, data } });
    await ask('dana', 'webhook.list', mine);
    await ask('sam', 'webhook.list', mine, 'not-allowed');
    await ask('dana', 'webhook.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
    for (const data of [
      { url: 'http://hooks.example.com/' },
      { url: 'https://a@b.example/' },
      { url: 'hooks' },
      { events: [] },
      { format: 'irc' },
    ])
      await ask('dana', 'webhook.save', make(data), 'bad-input');
    await ask('dana', 'webhook.save', make({ propertyIds: [MISSING.propertyId] }), 'not found');
    await ask('sam', 'webhook.save', make(), 'not-allowed');
    const { webhook } = await ask('dana', 'webhook.save', make({ description: '  Help   desk ', propertyIds: [pier.id] }));
    const about = { webhookId: webhook.id };
    await ask('dana', 'webhook.save', change(webhook.id, { description: 'Help desk' }));
    await ask('dana', 'webhook.save', change(webhook.id, { isFull: true, format: 'teams', propertyIds: null, isOn: false }));
    await ask('dana', 'webhook.save', change(webhook.id, { url: 'http://hooks.example.com/' }), 'bad-input');
    await ask('dana', 'webhook.save', change('WEBHOOK_nobodyhere', { isOn: true }), 'not found');
    await ask('dana', 'webhook.reveal', about);
    await ask('dana', 'webhook.rotate', about);
    await ask('dana', 'webhook.reveal', about);
    wait(DAY + MINUTE);
    await ask('dana', 'webhook.list', mine);
    await ask('dana', 'webhook.deliveries', about);
    await ask('dana', 'webhook.replay', { ...about, deliveryId: 'WEBHOOKDELIVERY_nobody', since: 0 }, 'bad-input');
    for (const action of ['reveal', 'rotate', 'delete', 'restore', 'deliveries'])
      await ask('dana', `webhook.${action}`, { webhookId: 'WEBHOOK_nobodyhere' }, 'not found');
    await ask('dana', 'webhook.delete', about);
    await ask('dana', 'webhook.delete', about, 'not found');
    await ask('dana', 'webhook.restore', about);
    await ask('dana', 'webhook.restore', about);
    for (let count = 1; count < 10; count += 1) await ask('dana', 'webhook.save', make());
    await ask('dana', 'webhook.save', make(), 'conflict');
    await ask('dana', 'webhook.delete', about);
    await ask('dana', 'webhook.save', make());
    await ask('dana', 'webhook.restore', about, 'conflict');
    wait(DAY + MINUTE);
    await ask('dana', 'webhook.restore', about, 'not found');
    await ask('dana', 'webhook.list', mine);
  },

  async 'a team answers a visitor privately, and closes and reopens the conversation'({ ask, wait }) {
    const form = formOf(pier);
    const rate = async (name: string, answers: Parameters<typeof responsesTo>[1]): Promise<string> =>
      (await ask('visitor', 'feedback.save', save(form, name, responsesTo(form, answers)))).feedback.id;
    const [silent, mailed, called] = [
      await rate('silent', { rating: 1, text: 'Cold.' }),
      await rate('mailed', { rating: 2, contact: { answer: 'Yes', email: 'ann@example.com' } }),
      await rate('called', { rating: 5, contact: { answer: 'Yes', phone: '555-0100' } }),
    ];
    const answer = (feedbackId: string, name: string, text = 'Sorry!') => ({ idempotencyKey: key(name), feedbackId, text });
    for (const action of ['get', 'answer', 'close', 'reopen']) {
      const sent = action === 'answer' ? answer(MISSING.feedbackId, 'missing') : { feedbackId: MISSING.feedbackId };
      await ask('sam', `conversation.${action}`, sent, 'not found');
    }
    for (const feedbackId of [silent, mailed, called]) await ask('sam', 'conversation.get', { feedbackId });
    await ask('sam', 'conversation.answer', answer(silent, 'silent'), 'conflict');
    await ask('sam', 'conversation.answer', answer(called, 'called'), 'conflict');
    await ask('sam', 'conversation.answer', answer(mailed, 'blank', '  '), 'bad-input');
    await ask('sam', 'conversation.answer', { feedbackId: mailed, text: 'Sorry!' }, 'bad-input');

    await ask('sam', 'conversation.answer', answer(mailed, 'first', ' Sorry, Ann! \n'));
    await ask('sam', 'conversation.answer', answer(mailed, 'first', 'Sent twice.'));
    await ask('dana', 'conversation.answer', answer(mailed, 'second', 'Come back soon.'));
    await ask('dana', 'feedback.get', { feedbackId: mailed });
    await ask('dana', 'feedback.history', { feedbackId: mailed });
    await ask('dana', 'feedback.inbox', { accountId: ACCOUNT_ID });
    await ask('visitor', 'feedback.save', save(form, 'mailed', responsesTo(form, { rating: 5, contact: { answer: 'No' } })));
    await ask('dana', 'feedback.get', { feedbackId: mailed });

    await ask('noor', 'conversation.close', { feedbackId: mailed });
    await ask('dana', 'conversation.close', { feedbackId: mailed });
    await ask('sam', 'conversation.answer', answer(mailed, 'third'), 'conflict');
    await ask('sam', 'conversation.answer', answer(mailed, 'second', 'Sent twice.'));
    await ask('dana', 'conversation.reopen', { feedbackId: mailed });
    await ask('dana', 'conversation.reopen', { feedbackId: mailed });
    await ask('dana', 'feedback.modify', { changes: [{ feedbackId: mailed, status: 'done' }] });
    await ask('sam', 'conversation.answer', answer(mailed, 'third', 'One more thing.'));
    await ask('sam', 'feedback.get', { feedbackId: mailed });
    await ask('sam', 'conversation.close', { feedbackId: silent });
    // The visitor took the email address back, so only the page is left, until its links expire.
    wait(89 * DAY);
    await ask('sam', 'conversation.answer', answer(mailed, 'late'));
    wait(91 * DAY);
    await ask('sam', 'conversation.get', { feedbackId: mailed });
    await ask('sam', 'conversation.answer', answer(mailed, 'expired'), 'conflict');
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('sam', 'conversation.get', { feedbackId: mailed }, 'not found');
  },

  async 'people read notifications, and handled feedback counts as read for everyone'({ ask }) {
    const all = await ask('dana', 'notification.list', { limit: 100 });
    const first = await ask('dana', 'notification.list', { limit: 2 });
    await ask('dana', 'notification.list', { limit: 2, cursor: first.cursor });
    await ask('dana', 'notification.list', { cursor: 'nonsense' });
    await ask('sam', 'notification.list', {});
    await ask('noor', 'notification.list', {});
    type ListItem = { id: string; data: { kind: string; unread?: true; feedback: { id: string } } };
    const unread = (all.notifications as ListItem[]).filter(({ data }) => data.unread);
    const [one, two] = unread.filter(({ data }) => data.kind === 'urgent');
    const three = unread.find(({ data }) => data.kind === 'contact');
    const mention = unread.find(({ data }) => data.kind === 'mention');
    const change = (item: ListItem | undefined, changes: object) => ({ changes: [{ feedbackId: item?.data.feedback.id, ...changes }] });
    // Another person's notification is treated as missing.
    await ask('sam', 'notification.markRead', { notificationIds: [one?.id] });
    await ask('dana', 'notification.markRead', { notificationIds: [one?.id] });
    await ask('dana', 'notification.list', {});
    await ask('sam', 'feedback.modify', change(two, { unread: false }));
    await ask('dana', 'notification.list', {});
    await ask('sam', 'feedback.modify', change(three, { status: 'done' }));
    await ask('dana', 'notification.list', {});
    await ask('sam', 'feedback.modify', change(three, { status: 'new' }));
    await ask('dana', 'notification.markRead', { feedbackId: mention?.data.feedback.id });
    const [comment] = (await ask('sam', 'comment.list', { feedbackId: mention?.data.feedback.id })).comments;
    await ask('dana', 'comment.delete', { commentId: comment.id });
    await ask('dana', 'notification.list', { limit: 100 });
    await ask('dana', 'comment.restore', { commentId: comment.id });
    await ask('dana', 'notification.list', { limit: 100 });
    await ask('dana', 'notification.markAllRead', {});
    await ask('dana', 'feedback.inbox', { accountId: ACCOUNT_ID });
    await ask('dana', 'notification.markRead', {}, 'bad-input');
    await ask('dana', 'property.delete', { propertyId: pier.id });
    await ask('dana', 'notification.list', { limit: 100 });
  },

  async 'form openings are counted by day'({ ask, wait, start }) {
    for (const formId of [pier.data.formId, airport.data.formId, pier.data.formId]) await ask('visitor', 'view.track', { formId });
    wait(DAY);
    await ask('visitor', 'view.track', { formId: pier.data.formId });
    await ask('visitor', 'view.track', { formId: MISSING.formId }, 'not found');
    await ask('sam', 'view.list', { accountId: ACCOUNT_ID });
    await ask('sam', 'view.list', { propertyId: pier.id, from: start, to: start + DAY });
    await ask('sam', 'view.list', { propertyId: pier.id, from: start + DAY });
    await ask('sam', 'view.list', { accountId: 'ACCOUNT_nobody' }, 'not found');
  },

  async 'a manager reads the overview of the business and of a property'({ ask, wait, start }) {
    const read = async (about: object, span: object = { from: start - 31 * DAY, to: start + 2 * DAY }) => {
      await ask('sam', 'insight.overview', { ...about, ...span, zone: 'Asia/Kolkata' });
      await ask('sam', 'insight.words', { ...about, ...span });
    };
    for (const about of [{ accountId: ACCOUNT_ID }, { propertyId: pier.id }, { propertyId: airport.id }]) await read(about);
    for (const formId of [pier.data.formId, pier.data.formId, oldTown.data.formId]) await ask('visitor', 'view.track', { formId });
    const form = formOf(pier);
    await ask('visitor', 'feedback.save', save(form, 'numbers', responsesTo(form, { rating: 5, text: 'Quick' })));
    await ask('visitor', 'feedback.save', save(form, 'numbers', responsesTo(form, { review: 'Google' })));
    const zoned = (id: string, timeZone: string | null) => ({ payload: { id, data: { timeZone } } });
    await ask('dana', 'property.save', zoned(pier.id, 'America/St_Johns'));
    await ask('dana', 'property.save', zoned(oldTown.id, 'Lisbon'), 'bad-input');
    await ask('sam', 'property.save', zoned(oldTown.id, 'Europe/Lisbon'), 'not-allowed');
    wait(20 * MINUTE);
    for (const about of [{ accountId: ACCOUNT_ID }, { propertyId: pier.id }]) await read(about);
    await read({ accountId: ACCOUNT_ID }, { from: start - 400 * DAY, to: start + 2 * DAY });
    await ask('dana', 'property.save', zoned(pier.id, null));
    await ask('dana', 'property.delete', { propertyId: oldTown.id });
    await read({ accountId: ACCOUNT_ID });
    for (const about of [{ propertyId: oldTown.id }, { propertyId: MISSING.propertyId }, { accountId: 'ACCOUNT_nobody' }]) {
      await ask('sam', 'insight.overview', { ...about, from: start - DAY, to: start, zone: 'UTC' }, 'not found');
      await ask('sam', 'insight.words', { ...about, from: start - DAY, to: start }, 'not found');
    }
    await ask('sam', 'insight.overview', { accountId: ACCOUNT_ID, from: start, to: start, zone: 'UTC' }, 'bad-input');
    await ask('sam', 'insight.words', { from: start - DAY, to: start }, 'bad-input');
  },

  async 'every operation is refused without permission'({ ask }) {
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
