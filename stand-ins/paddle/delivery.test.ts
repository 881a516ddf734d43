import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeOf, openTestSeller } from '../../test/support/paddle.ts';

const { paddle, standIn, world, ask, buy, events, stop } = await openTestSeller();
const { actions } = standIn;
afterAll(stop);

const eventNames = async (): Promise<string[]> => (await events()).map(({ eventType }) => eventType);

describe('events', () => {
  it('arrive again, in reverse, late, and after failures', async () => {
    const { id } = await buy();
    await events();
    await actions.renew(id);
    const first = (await events()).map(({ eventId }) => eventId);
    await actions.deliverAgain(first.length);
    expect((await events()).map(({ eventId }) => eventId)).toEqual([...first, ...first]);

    await actions.holdDeliveries();
    await actions.renew(id);
    expect(await eventNames()).toEqual([]);
    await actions.releaseReversed();
    expect(await eventNames()).toEqual(['transaction.completed', 'subscription.updated']);

    world.refusals = 2;
    await paddle.subscriptions.cancel(id);
    expect(await eventNames()).toEqual(['subscription.updated']);
  });

  it('are listed after the last one that was read, page by page', async () => {
    await buy();
    const [first] = await paddle.events.list({ perPage: 1 }).next();
    const ids: string[] = [];
    for await (const { eventId } of paddle.events.list({ after: first?.eventId ?? '', perPage: 2 })) ids.push(eventId);
    expect(ids.length).toBeGreaterThan(6);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids).not.toContain(first?.eventId);
  });
});

describe('the API', () => {
  it('requires the key', async () => {
    for (const headers of [{}, { authorization: 'bearer another' }]) expect((await ask('/api/products', { headers })).status).toBe(403);
  });

  it('stores an email once, and refuses an unknown id', async () => {
    const { id } = await paddle.customers.create({ email: 'once@example.com' });
    expect(await codeOf(paddle.customers.create({ email: 'once@example.com' }))).toBe('customer_already_exists');
    expect(await paddle.customers.list({ email: ['once@example.com'] }).next()).toMatchObject([{ id }]);
    expect(await codeOf(paddle.subscriptions.get('sub_unknown'))).toBe('not_found');
  });

  it('goes down and comes back', async () => {
    await actions.goDown('refuses');
    await expect(paddle.products.list().next()).rejects.toThrow(SyntaxError);
    await actions.comeBack();
    expect(await paddle.products.list().next()).toHaveLength(1);
  });
});

it('continues from its file, with the events that weren’t accepted', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'paddle-stand-in-'));
  const file = path.join(folder, 'state.json');
  const before = await openTestSeller(file);
  await before.standIn.actions.holdDeliveries();
  const { id } = await before.buy();
  await before.stop();
  const after = await openTestSeller(file);
  expect(await after.paddle.subscriptions.get(id)).toMatchObject({ status: 'active' });
  await after.standIn.actions.releaseDeliveries();
  expect((await after.events()).map(({ eventType }) => eventType)).toEqual([
    ...['subscription.created', 'subscription.activated', 'transaction.completed'],
  ]);
  await after.stop();
  await rm(folder, { recursive: true });
});
