import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_TOOLS, type Tool } from '#contract/tool/tool.ts';
import { ACCOUNT_ID, airport, dana, oldTown, pier, sam, terrace, till } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { atOnce } from '../../test/support/at-once.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';

let app: TestApp;
let admin: string;
let member: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
});
afterAll(() => app.stop());

const add = (
  displayName: string,
  { propertyId = airport.id, token = admin, ...data }: { propertyId?: string; token?: string; toolType?: string } = {},
) => app.call('tool', 'save', { payload: { data: { propertyId, displayName, ...data } } }, token);
const rename = (id: string, displayName: string) => app.call('tool', 'save', { payload: { id, data: { displayName } } }, admin);
const remove = (toolId: string, token = admin) => app.call('tool', 'delete', { toolId }, token);
const namesIn = async (propertyId?: string): Promise<string[]> => {
  const { body } = await app.call('tool', 'list', { accountId: ACCOUNT_ID, propertyId }, member);
  return body.tools.map(({ data }: { data: { displayName: string } }) => data.displayName);
};
const newName = (): string => `Table ${randomUUID().slice(0, 8)}`;
const eventsOf = (id: string) => app.stored('select name, actor, data from event where subject = $1 order by id', [id]);

describe('a new placement', () => {
  it('is created by an admin, for a property and its form', async () => {
    expect((await add('Till', { token: member })).body.code).toBe('not-allowed');
    const { body } = await add(' Κατάστημα 4 🍋 ');
    expect(body.tool).toMatchObject({
      id: expect.stringMatching(/^TOOL_[A-Za-z0-9]{10}$/),
      sk: 'TOOL',
      gs1sk: airport.id,
      data: { propertyId: airport.id, formId: airport.data.formId, toolType: 'qr', displayName: 'Κατάστημα 4 🍋' },
    });
    expect(await eventsOf(body.tool.id)).toEqual([{ name: 'tool.created', actor: dana.id, data: { propertyId: airport.id } }]);
    for (const toolType of ['kiosk', 'staff']) expect((await add(newName(), { toolType })).body.tool.data.toolType).toBe(toolType);
  });

  it.each([
    ['no name', { displayName: '  ' }],
    ['a name that is too long', { displayName: '🍋'.repeat(41) }],
    ['a name that cannot be stored', { displayName: 'a\0b' }],
  ])('is refused with %s, naming the field', async (_name, { displayName }) => {
    const { body } = await add(displayName);
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', 'payload.data.displayName']);
  });

  it('has a name of up to 40 visible characters', async () => {
    expect((await add('👩‍🍳'.repeat(40))).status).toBe(200);
  });

  it('is refused for an unknown property or another account’s', async () => {
    for (const propertyId of ['PROPERTY_NobodyHere', otherAccount.propertyId])
      expect((await add(newName(), { propertyId })).body).toEqual({ status: 'not found' });
  });

  it('isn’t created with a property', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: newName() } } }, admin);
    expect(await namesIn(body.property.id)).toEqual([]);
  });
});

describe('a series', () => {
  const addSeries = (series: object, propertyId: string = airport.id) => app.call('tool', 'addSeries', { propertyId, series }, admin);

  it('adds numbered placements once, in the order of their numbers', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: newName() } } }, admin);
    const { id } = body.property;
    await add('TABLE 10', { propertyId: id });
    const first = await addSeries({ displayName: ' Table ', from: 9, to: 11 }, id);
    expect(first.body.tools.map(({ data }: Tool) => data.displayName)).toEqual(['Table 9', 'Table 11']);
    expect(await eventsOf(first.body.tools[0].id)).toMatchObject([{ name: 'tool.created' }]);
    expect((await addSeries({ displayName: 'Table', from: 9, to: 11 }, id)).body.tools).toEqual([]);
    expect(await namesIn(id)).toEqual(['Table 9', 'TABLE 10', 'Table 11']);
  });

  it.each([
    ['to', { from: 2, to: 1 }],
    ['to', { from: 1, to: 999 }],
    ['from', { from: 0, to: 4 }],
    ['from', { from: 1.5, to: 4 }],
    ['to', { to: 1_000 }],
    ['to', { to: null }],
    ['displayName', { displayName: 'x'.repeat(39) }],
    ['displayName', { displayName: ' ' }],
  ])('is refused naming %s for %o', async (field, change) => {
    const { body } = await addSeries({ displayName: 'Seat', from: 1, to: 10, ...change });
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', `series.${field}`]);
    expect(body.errors[0].message).toMatch(/^(?:Enter a number|At most|Please fill)/);
  });

  it('is refused whole beyond the limit', async () => {
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: newName() } } }, admin);
    await addSeries({ displayName: 'Seat', from: 1, to: MOST_TOOLS - 1 }, body.property.id);
    expect((await addSeries({ displayName: 'Bench', from: 1, to: 2 }, body.property.id)).body.code).toBe('conflict');
    expect((await namesIn(body.property.id)).length).toBe(MOST_TOOLS - 1);
    expect((await addSeries({ displayName: 'Seat', from: 1, to: MOST_TOOLS }, body.property.id)).body.tools.length).toBe(1);
  });
});

describe('a name', () => {
  it('is unique in its property regardless of case, until its placement is deleted', async () => {
    const nameTaken = [{ path: 'payload.data.displayName', message: 'This property already has a placement with this name' }];
    const { body } = await add('Counter');
    expect((await add('COUNTER')).body.errors).toEqual(nameTaken);
    expect((await add('Counter', { propertyId: oldTown.id })).status).toBe(200);
    const otherId = (await add(newName())).body.tool.id;
    expect((await rename(otherId, 'counter')).body.errors).toEqual(nameTaken);
    await remove(body.tool.id);
    expect((await rename(otherId, 'counter')).status).toBe(200);
  });

  it('is given once to concurrent requests', async () => {
    const name = newName();
    const answers = await Promise.all([add(name), add(name), add(name)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('changes, which is recorded once', async () => {
    const [from, to] = [newName(), newName()];
    const { tool } = (await add(from)).body;
    expect((await rename(tool.id, to)).body.tool).toEqual({ ...tool, data: { ...tool.data, displayName: to } });
    await rename(tool.id, to);
    expect((await eventsOf(tool.id)).slice(1)).toEqual([
      { name: 'tool.renamed', actor: dana.id, data: { propertyId: airport.id, from, to } },
    ]);
  });
});

describe('the list', () => {
  it('has the placements of the account or a property, by name', async () => {
    expect(await namesIn(pier.id)).toEqual(['Terrace', 'Till', 'Website']);
    const all = await namesIn();
    expect(all).toEqual([...all].sort(new Intl.Collator('en', { numeric: true }).compare));
    expect(all).toEqual(expect.arrayContaining(['Terrace', 'Till', 'Counter']));
    for (const propertyId of ['PROPERTY_NobodyHere', otherAccount.propertyId]) {
      const { body } = await app.call('tool', 'list', { accountId: ACCOUNT_ID, propertyId }, member);
      expect(body).toEqual({ status: 'not found' });
    }
  });

  it('leaves out deleted placements and those of deleted properties', async () => {
    expect((await remove(terrace.id, member)).body.code).toBe('not-allowed');
    expect((await remove(otherAccount.toolId)).body).toEqual({ status: 'not found' });
    expect((await remove(terrace.id)).body).toEqual({ status: 'ok' });
    expect((await remove(terrace.id)).body).toEqual({ status: 'not found' });
    expect((await rename(terrace.id, 'Roof')).body).toEqual({ status: 'not found' });
    expect(await namesIn(pier.id)).toEqual(['Till', 'Website']);
    const { property } = (await app.call('property', 'save', { payload: { data: { displayName: newName() } } }, admin)).body;
    const { tool } = (await add('Bar', { propertyId: property.id })).body;
    await app.call('property', 'delete', { propertyId: property.id }, admin);
    expect((await rename(tool.id, 'Till')).body).toEqual({ status: 'not found' });
    expect(await namesIn()).not.toContain('Bar');
  });
});

it('limits the placements of a property, also with concurrent requests', async () => {
  const { property } = (await app.call('property', 'save', { payload: { data: { displayName: newName() } } }, admin)).body;
  await app.stored(
    `insert into tool (account_id, id, property_id, form_id, tool_type, display_name, created, author)
     select account_id, 'TOOL_' || lpad(n::text, 10, '0'), $2, $3, 'qr', 'Table ' || n, now(), author
       from tool, generate_series(1, $4::integer) n where id = $1`,
    [till.id, property.id, property.data.formId, MOST_TOOLS - 1],
  );
  const answers = await atOnce(
    app,
    'tool',
    ['A', 'B', 'C'].map((name) => () => add(name, { propertyId: property.id })),
  );
  expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual(['conflict', 'conflict', 'ok']);
  expect(answers.find(({ body }) => body.code)?.body.detail).toBe('A property has at most 200 placements.');
});
