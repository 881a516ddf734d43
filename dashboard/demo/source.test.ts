import * as v from 'valibot';
import { expect, it } from 'vitest';
import { services } from '#contract/services.ts';
import { ACCOUNT_ID, properties } from '#fixtures/business.ts';
import { createDemoSource, DEMO_USER } from './source.ts';

it('answers as the contract says, with the fields that only demo records have', async () => {
  const { call } = createDemoSource(Date.UTC(2026, 10, 22, 12));
  const paddleData = { customerId: expect.stringMatching(/^ctm_/), subscriptionId: expect.stringMatching(/^sub_/) };
  expect(v.parse(services.account.get.answer, await call('account', 'get', { accountId: ACCOUNT_ID }))).toMatchObject({
    account: { sk: 'TEAM', data: { subscription: { plan: 'Pro', status: 'active', paymentFrequency: 'Annual', paddleData } } },
  });
  expect(v.parse(services.user.get.answer, await call('user', 'get', { userId: DEMO_USER }))).toMatchObject({
    user: { data: { subscription: { status: 'active' } } },
  });
  expect(v.parse(services.property.list.answer, await call('property', 'list', { accountId: ACCOUNT_ID }))).toMatchObject({
    properties: properties.map(({ id }) => ({ id, data: { propertyType: 'brick-and-mortar', projectType: 'web-rating' } })),
  });
});

it('quotes the comment that mentions its person, and the words of urgent feedback', async () => {
  const { call } = createDemoSource(Date.UTC(2026, 10, 22, 12));
  const answer = v.parse(services.notification.list.answer, await call('notification', 'list', { limit: 100 }));
  const notifications = answer.status === 'ok' ? answer.notifications : [];
  const mention = notifications.find(({ data }) => data.kind === 'mention');
  expect(mention?.data.words).toBe('@Dana Moss I do. There is a second delivery on Fridays from now on.');
  expect(notifications.filter(({ data }) => data.kind !== 'mention' && data.words).length).toBeGreaterThan(2);
  expect(notifications.filter(({ data }) => data.kind === 'contact').every(({ data }) => data.feedback?.contact)).toBe(true);
});

it('counts the answers about a topic again after a change of its phrases, not of its name', async () => {
  const { call } = createDemoSource(Date.UTC(2026, 10, 22, 12));
  const answer = v.parse(services.topic.list.answer, await call('topic', 'list', { accountId: ACCOUNT_ID }));
  const [topic] = answer.status === 'ok' ? answer.topics : [];
  const { phrases = [] } = topic?.data ?? {};
  const save = (data: object) => call('topic', 'save', { payload: { id: topic?.id ?? '', data } });
  expect(await save({ displayName: 'Renamed', phrases, isHidden: true })).toMatchObject({ topic: { data: { isMatched: true } } });
  expect(await save({ phrases: [...phrases, 'new'] })).toMatchObject({ topic: { data: { isMatched: false } } });
});
