import pg from 'pg';
import { expect, it } from 'vitest';
import { cloneDatabase } from '../../../test/support/postgres/database.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { openPubSub } from './pubsub.ts';

it('ends a connection that can’t listen, as on a server in recovery, and listens on a later one', async () => {
  const clone = await cloneDatabase();
  const database = openDatabase({ connection: clone.app, onError: () => undefined });
  const ended: boolean[] = [];
  const connect: Database['connect'] = async () => {
    const client = await database.connect();
    const at = ended.push(false) - 1;
    client.on('end', () => {
      ended[at] = true;
    });
    if (at < 2) client.query = () => Promise.reject(new pg.DatabaseError('cannot execute LISTEN during recovery', 0, 'error'));
    return client;
  };
  const received: string[] = [];
  const pubsub = openPubSub<string>({ database: { ...database, connect }, log: { warn: () => undefined } });
  pubsub.subscribe({ onMessage: (message) => void received.push(message) });
  await expect.poll(() => ended).toEqual([true, true, false]);
  pubsub.publish(['hello']);
  await expect.poll(() => received).toEqual(['hello']);
  await pubsub.stop();
  await database.stop();
  await clone.drop();
});
