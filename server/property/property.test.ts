import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compareNames } from '#contract/core/names.ts';
import { SYSTEM } from '#contract/event/event.ts';
import type { Property } from '#contract/property/property.ts';
import { ACCOUNT_ID, airport, dana, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { submission } from '../../test/support/submission.ts';
import { subtractNext } from '../feedback/counts-store.ts';
import { inAccount } from '../platform/tenancy/access.ts';

let app: TestApp;
let admin: string;
let member: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
});
afterAll(() => app.stop());

const save = (data: object, id?: string) => app.call('property', 'save', { payload: { id, data } }, admin);
const newName = (): string => `Place ${randomUUID().slice(0, 8)}`;
const create = async (displayName = newName()) => (await save({ displayName })).body;
const names = async (token = member): Promise<string[]> => {
  const { body } = await app.call('property', 'list', { accountId: ACCOUNT_ID }, token);
  return body.properties.map(({ data }: Property) => data.displayName);
};
const eventsOf = (id: string) => app.stored('select name, actor, data from event where subject = $1 order by id', [id]);

describe('a property’s notification list', () => {
  const notify = (notifications: object, id = pier.id) => save({ notifications }, id);

  it('refuses people outside the account or who haven’t joined yet', async () => {
    const { body: invited } = await app.call(
      'user',
      'generate',
      { payload: { data: { displayName: 'Ann', emailAddress: 'ann@harborcoffee.test', level: 'user' } } },
      admin,
    );
    for (const stranger of [otherAccount.userId, invited.data.user.id]) {
      const { status, body } = await notify({ complaints: [sam.id, stranger] });
      expect([status, body.errors[0].path]).toEqual([400, 'payload.data.notifications.complaints.1']);
    }
    expect((await app.call('property', 'get', { propertyId: pier.id }, member)).body.property.data.notifications).toEqual(
      pier.data.notifications,
    );
  });

  it('is changed separately from the others, and recorded', async () => {
    const { property } = await create();
    await notify({ complaints: [sam.id, dana.id] }, property.id);
    const { body } = await notify({ weekly: [] }, property.id);
    expect(body.property.data.notifications).toEqual({ complaints: [sam.id, dana.id], weekly: [] });
    expect((await eventsOf(property.id)).at(-1)).toEqual({
      name: 'property.notifications-changed',
      actor: dana.id,
      data: { complaints: [sam.id, dana.id], weekly: [] },
    });
  });
});

describe('a new property', () => {
  it('has its own open form, and notifies its creator', async () => {
    const service = [{ name: 'Google', url: 'https://g.page/r/quay/review' }];
    const { body } = await save({ displayName: 'Quay 7', service });
    expect(body.property.data).toMatchObject({
      displayName: 'Quay 7',
      service,
      author: dana.id,
      propertyType: 'brick-and-mortar',
      notifications: { complaints: [dana.id], weekly: [dana.id] },
    });
    expect(body.form).toMatchObject({
      id: body.property.data.formId,
      gs1sk: body.property.id,
      data: { displayName: 'Quay 7', version: 1 },
    });
    expect((await app.app.http.inject(`/feedback/${body.form.id}`)).statusCode).toBe(200);
    expect((await app.call('feedback', 'save', submission({ rating: 4 }, { form: body.form }))).status).toBe(200);
    expect(await eventsOf(body.property.id)).toEqual([{ name: 'property.created', actor: dana.id, data: { formId: body.form.id } }]);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { displayName: ' ' }],
    ['a name that is too long', { displayName: 'x'.repeat(61) }],
    ['a link to somewhere else', { displayName: 'X', service: [{ name: 'Google', url: 'https://evil.example/review' }] }],
    ['the same service twice', { displayName: 'X', service: Array(2).fill({ name: 'Google', url: 'https://g.page/r/quay/review' }) }],
  ])('is refused with %s, and nothing is stored', async (_name, data) => {
    const before = await names();
    const { status, body } = await save(data);
    expect([status, body.code]).toEqual([400, 'bad-input']);
    expect(body.errors[0].path).toMatch(/^payload\.data\./);
    expect(await names()).toEqual(before);
  });

  it('is created once by concurrent requests with the same name', async () => {
    const displayName = newName();
    const answers = await Promise.all([1, 2, 3].map(() => save({ displayName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await names()).filter((name) => name === displayName)).toHaveLength(1);
    expect(
      await app.stored('select count(*)::int as forms from form f left join property p on p.id = f.property_id where p.id is null'),
    ).toEqual([{ forms: 0 }]);
  });
});

describe('a name', () => {
  it('is unique regardless of case, until its property is deleted', async () => {
    const { property } = await create('Ferry Hall');
    expect((await save({ displayName: 'FERRY hall' })).body.errors).toEqual([
      { path: 'payload.data.displayName', message: 'You already have a property with this name' },
    ]);
    await app.call('property', 'delete', { propertyId: property.id }, admin);
    expect((await save({ displayName: 'FERRY hall' })).status).toBe(200);
  });

  it('can be the same as another account’s property', async () => {
    expect((await save({ displayName: 'CANARY-of-Bay-Bakery quay' })).status).toBe(200);
  });

  it('in lowercase and dashed finds the property, as its id does', async () => {
    const { property } = await create('Café 9, upstairs');
    for (const propertyId of [property.id, 'cafe-9-upstairs']) {
      const { body } = await app.call('property', 'get', { propertyId }, member);
      expect(body.property).toEqual(property);
    }
    for (const propertyId of ['Café 9, upstairs', 'nowhere', otherAccount.propertyId])
      expect((await app.call('property', 'get', { propertyId }, member)).status).toBe(404);
  });

  it('orders the list', async () => {
    const list = await names();
    expect(list).toEqual(list.toSorted(compareNames));
    expect(list).toContain(pier.data.displayName);
  });
});

describe('a change', () => {
  it('of the name shows on the form and is recorded once', async () => {
    const { property, form } = await create();
    const [from, to] = [property.data.displayName, newName()];
    await save({ displayName: to }, property.id);
    await save({ displayName: to }, property.id);
    expect((await app.call('form', 'get', { formId: form.id })).body.form.data).toMatchObject({ displayName: to, version: 1 });
    expect((await eventsOf(property.id)).slice(1)).toEqual([
      { name: 'property.renamed', actor: dana.id, data: { from, to, formId: form.id } },
    ]);
  });

  it('of the review services is a new version of the form', async () => {
    const { property, form } = await create();
    const service = [{ name: 'Yelp', url: 'https://www.yelp.com/biz/harbor' }];
    const { body } = await save({ service }, property.id);
    expect(body.property.data.service).toEqual(service);
    expect(body.form.data.version).toBe(2);
    expect(JSON.stringify(body.form.data.steps)).toContain('yelp.com/biz/harbor');
    expect(await eventsOf(form.id)).toEqual([{ name: 'form.saved', actor: dana.id, data: { propertyId: property.id, version: 2 } }]);
  });

  it('of the review links is recorded once, also when the form is saved with other links', async () => {
    const { property, form } = await create();
    const service = [{ name: 'Yelp', url: 'https://www.yelp.com/biz/harbor' }];
    const { body: saved } = await save({ service }, property.id);
    const recorded = async () => (await eventsOf(property.id)).filter(({ name }) => name === 'property.services-changed').length;
    expect(await recorded()).toBe(1);
    const saveForm = (steps: unknown) => app.call('form', 'save', { payload: { id: form.id, data: { steps } } }, admin);
    const { steps } = saved.form.data;
    const moved = JSON.parse(JSON.stringify(steps).replaceAll('biz/harbor', 'biz/pier'));
    expect((await saveForm(moved)).status).toBe(200);
    expect((await saveForm(moved)).status).toBe(200);
    expect((await app.call('property', 'get', { propertyId: property.id }, member)).body.property.data.service).toEqual([
      { name: 'Yelp', url: 'https://www.yelp.com/biz/pier' },
    ]);
    expect(await recorded()).toBe(2);
  });

  it('keeps redirecting visitors to a review link that is no longer accepted, until it is saved again', async () => {
    const { property, form } = await create();
    await save({ service: [{ name: 'Google', url: 'https://g.page/r/old/review' }] }, property.id);
    const [before, after] = ['https://g.page/r/old/review', 'https://www.google.com/maps'];
    const swap = `replace(%::text, '${before}', '${after}')::jsonb`;
    await app.stored(`update property set service = ${swap.replace('%', 'service')} where id = $1`, [property.id]);
    await app.stored(`update form_version set steps = ${swap.replace('%', 'steps')} where form_id = $1`, [form.id]);
    const { body } = await app.call('property', 'get', { propertyId: property.id }, member);
    expect(body.property.data.service).toEqual([{ name: 'Google', url: after }]);
    const { status, body: shown } = await app.call('form', 'get', { formId: form.id });
    expect([status, JSON.stringify(shown)]).toEqual([200, expect.stringContaining(after)]);
    const { statusCode, headers } = await app.app.http.inject(`/feedback/${form.id}/review/Google`);
    expect([statusCode, headers.location]).toEqual([303, after]);
    expect((await save({ service: body.property.data.service }, property.id)).body.code).toBe('bad-input');
  });

  it('of a form’s text keeps a link that is no longer accepted, but adds no other like it', async () => {
    const { property, form } = await create();
    const [before, old] = ['https://g.page/r/old/review', 'https://www.google.com/maps'];
    await save({ service: [{ name: 'Google', url: before }] }, property.id);
    const swap = (column: string) => `${column} = replace(${column}::text, '${before}', '${old}')::jsonb`;
    await app.stored(`update property set ${swap('service')} where id = $1`, [property.id]);
    await app.stored(`update form_version set ${swap('steps')} where form_id = $1`, [form.id]);
    const { body: shown } = await app.call('form', 'get', { formId: form.id });
    const steps = shown.form.data.steps.map((step: object) => ({ ...step, title: 'In other words' }));
    const saveSteps = (changed: unknown) => app.call('form', 'save', { payload: { id: form.id, data: { steps: changed } } }, admin);
    const withLink = (url: string) => JSON.parse(JSON.stringify(steps).replace(old, url));
    expect((await saveSteps(withLink('https://www.google.com/maps?x'))).body).toMatchObject({
      code: 'bad-input',
      errors: [{ path: 'payload.data.steps.3.blocks.0.service.0.url' }],
    });
    const { body } = await saveSteps(steps);
    expect(body.form.data.steps).toEqual(steps);
    expect((await app.call('property', 'get', { propertyId: property.id }, member)).body.property.data.service).toEqual([
      { name: 'Google', url: old },
    ]);
    const { body: pasted } = await saveSteps(withLink('g.page/r/new/review'));
    expect(JSON.stringify(pasted.form.data.steps)).toContain('"https://g.page/r/new/review"');
  });

  it('concurrent with another keeps both', async () => {
    const { property } = await create();
    const displayName = newName();
    const service = [{ name: 'Yelp', url: 'https://www.yelp.com/biz/harbor' }];
    await Promise.all([save({ displayName }, property.id), save({ service }, property.id)]);
    const { body } = await app.call('property', 'get', { propertyId: property.id }, member);
    expect(body.property.data).toMatchObject({ displayName, service });
  });

  it('is refused for members, and “not found” for an unknown property', async () => {
    const sent = { payload: { id: pier.id, data: { displayName: 'Mine' } } };
    expect((await app.call('property', 'save', sent, member)).body.code).toBe('not-allowed');
    expect((await app.call('property', 'delete', { propertyId: pier.id }, member)).body.code).toBe('not-allowed');
    expect((await save({ displayName: 'Mine' }, 'PROPERTY_NobodyHere')).status).toBe(404);
    expect((await save({ displayName: 'Mine' }, otherAccount.propertyId)).status).toBe(404);
  });
});

describe('a deleted property', () => {
  it('is no longer listed, its form is closed and its feedback isn’t counted', async () => {
    const span = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000, zone: 'UTC' };
    const ratings = async () => (await app.call('feedback', 'summary', { accountId: ACCOUNT_ID, ...span }, member)).body.ratings;
    const before = await ratings();
    const { property, form } = await create();
    const { body } = await app.call('feedback', 'save', submission({ rating: 1 }, { form }));
    expect(await ratings()).not.toEqual(before);
    expect((await app.call('property', 'delete', { propertyId: property.id }, admin)).body).toEqual({ status: 'ok' });

    expect(await names()).not.toContain(property.data.displayName);
    expect((await app.call('property', 'get', { propertyId: property.id }, member)).status).toBe(404);
    expect((await app.call('form', 'get', { formId: form.id })).body.code).toBe('form-closed');
    expect((await app.call('feedback', 'get', { feedbackId: body.feedback.id }, member)).status).toBe(404);
    expect(await ratings()).toEqual(before);
    expect((await app.call('property', 'delete', { propertyId: property.id }, admin)).status).toBe(404);
    expect((await eventsOf(property.id)).map(({ name }) => name)).toEqual(['property.created', 'property.deleted']);
  });

  it('takes the counts of years out of the account’s, some at a time', async () => {
    const { property } = await create();
    const span = { from: Date.parse('2020-01-01T00:00Z'), to: Date.parse('2021-01-01T00:00Z'), zone: 'Europe/Berlin' };
    const ratings = async () => (await app.call('feedback', 'summary', { accountId: ACCOUNT_ID, ...span }, member)).body.ratings;
    const add = (column: string, time: string) => `
      insert into feedback_${column === 'day' ? 'day' : 'tally'} (account_id, place, ${column}, lane, one, two, three, four, five, urgent, reviews)
      select $1, place, ${time}, 0, 0, 0, count(*), 0, 0, 0, 0 from generate_series(1, 12000) as n, unnest($2::text[]) as places (place)
       group by place, ${time}`;
    const places = [ACCOUNT_ID, ['', property.id]];
    const quarter = `timestamptz '2020-01-02 00:00Z' + n * interval '15 minutes'`;
    await app.stored(add('quarter', quarter), places);
    await app.stored(add('day', `((${quarter}) at time zone 'UTC')::date`), places);
    expect(await ratings()).toEqual([0, 0, 12_000, 0, 0]);
    await inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: SYSTEM }, (scope) => subtractNext(scope, property.id));
    expect(await ratings()).toEqual([0, 0, 7_000, 0, 0]);
    await app.call('property', 'delete', { propertyId: property.id }, admin);
    const rows = 'select 1 from feedback_tally where place = $1 union all select 1 from feedback_day where place = $1';
    await vi.waitFor(async () => expect(await app.stored(rows, [property.id])).toEqual([]), PATIENT);
    expect(await ratings()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is deleted once by concurrent requests', async () => {
    const { property } = await create();
    const answers = await Promise.all([1, 2].map(() => app.call('property', 'delete', { propertyId: property.id }, admin)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('someone who leaves the team', () => {
  it('is removed from every property’s lists', async () => {
    await app.stored('update property set complaints = $1, weekly = $1 where id = $2', [[dana.id, sam.id], airport.id]);
    await app.call('user', 'delete', { userId: sam.id }, admin);
    const { body } = await app.call('property', 'get', { propertyId: airport.id }, admin);
    expect(body.property.data.notifications).toEqual({ complaints: [dana.id], weekly: [dana.id] });
  });
});
