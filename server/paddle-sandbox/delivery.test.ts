import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { namesOf, openTestSeller } from '../../test/support/paddle-sandbox.ts';

const seller = await openTestSeller();
const { paddle, sandbox, world, received, told, buy, open } = seller;

afterAll(() => seller.stop());
beforeEach(async () => {
  await seller.told();
});

describe('deliveries', () => {
  it('come again, out of order, late, or never', async () => {
    const { id } = await buy();
    await told();
    await sandbox.acts.failRenewal(id);
    await sandbox.settled();
    const once = received.splice(0);
    await sandbox.acts.deliverAgain(once.length);
    await sandbox.settled();
    const again = received.splice(0);
    expect(again.map(({ eventId }) => eventId)).toEqual([...once, ...once].map(({ eventId }) => eventId));
    expect(new Set(again.map(({ notificationId }) => notificationId)).size).toBe(again.length);

    await sandbox.acts.reverseNextDeliveries();
    await sandbox.acts.recover(id);
    const reversed = await told();
    expect(reversed).toEqual([
      'transaction.completed',
      'transaction.updated',
      'subscription.updated',
      'transaction.paid',
      'transaction.updated',
    ]);

    await sandbox.acts.holdDeliveries();
    await paddle.subscriptions.cancel(id);
    expect(await told()).toEqual([]);
    await sandbox.acts.loseNextDelivery();
    await paddle.subscriptions.update(id, { scheduledChange: null });
    await sandbox.acts.releaseDeliveries();
    expect(await told()).toEqual(['subscription.updated']);

    world.refusals = 2;
    await paddle.subscriptions.cancel(id);
    expect(await told()).toEqual(['subscription.updated']);
  });

  it('can be read as events, after the last that was read', async () => {
    const { id } = await buy();
    const first = await paddle.events.list({ perPage: 3 }).next();
    const ids: string[] = [];
    for await (const event of paddle.events.list({ after: first.at(-1)?.eventId ?? '', perPage: 10 })) ids.push(event.eventId);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids).not.toContain(first[0]?.eventId);
    const created = await paddle.events.list({ eventType: ['subscription.created'], orderBy: 'id[DESC]', perPage: 1 }).next();
    expect(created).toMatchObject([{ notificationId: null, data: { id } }]);
  });

  it('stop with the API that is down', async () => {
    await sandbox.acts.goDown('refuses');
    await expect(paddle.products.list().next()).rejects.toThrow(SyntaxError);
    await sandbox.acts.comeBack();
    expect(await paddle.products.list().next()).toHaveLength(1);
  });
});

it('goes on from its file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'paddle-sandbox-'));
  try {
    const file = path.join(folder, 'state.json');
    const before = await open({ file });
    const { id } = await before.paddle.customers.create({ email: 'kept@example.com' });
    await before.sandbox.settled();
    await before.sandbox.acts.holdDeliveries();
    await before.paddle.customers.update(id, { name: 'Kept' });
    await before.close();
    received.length = 0;

    const after = await open({ file });
    expect(await after.paddle.customers.get(id)).toMatchObject({ name: 'Kept' });
    await after.sandbox.acts.releaseDeliveries();
    await after.sandbox.settled();
    expect(namesOf(received)).toEqual(['customer.updated']);
    await after.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
