import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import { createLog, problemText } from './log.ts';

let clone: TestDatabase;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

const ADDRESS = 'anna@mail.example';

/** Returns the errors of two statements with an address: one that is refused, and one that isn't answered in time. */
async function failures(): Promise<unknown[]> {
  const client = new pg.Client({ ...clone.app, query_timeout: 2_000 });
  await client.connect();
  const db = drizzle({ client });
  const errors = [];
  for (const statement of [sql`select ${ADDRESS}::integer`, sql`select pg_sleep(60), ${ADDRESS}::text`])
    errors.push(await db.execute(statement).catch((error: unknown) => error));
  await client.end();
  return errors;
}

it('has no values of a failed statement, whatever ended it', async () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  const errors = await failures();
  for (const err of errors) log.warn({ err }, 'a statement failed');
  expect(errors.map(String).join()).toContain(ADDRESS);
  expect(lines).toHaveLength(2);
  expect([...lines, ...errors.map(problemText)].join()).not.toContain('anna');
  expect(errors.map(problemText)).toEqual(['DatabaseError 22P02', 'DatabaseError Query read timeout']);
});
