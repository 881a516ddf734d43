import { expect, inject, it } from 'vitest';
import { openTestApp } from '../../../test/support/app.ts';
import { query } from '../../../test/support/global.ts';
import { addressOf } from '../../../test/support/postgres/database.ts';
import { openDatabase } from './database.ts';

it('the product starts once a busy database accepts connections', async () => {
  const limitConnections = (database: string, most: number) =>
    query(inject('owner'), `alter database ${database} connection limit ${most}`);
  const app = await openTestApp({
    async connectThrough(connection) {
      const name = new URL(addressOf(connection)).pathname.slice(1);
      await limitConnections(name, 0);
      const database = openDatabase({ connection, onError: () => undefined });
      await expect(database.transaction({}, async () => undefined)).rejects.toMatchObject({ code: '53300' });
      await database.stop();
      setTimeout(() => void limitConnections(name, -1), 1_000);
      return connection;
    },
  });
  expect((await app.app.http.inject('/health/ready')).statusCode).toBe(200);
  await app.stop();
});
