import { expect, inject, it } from 'vitest';
import { connectAs, inTransaction, withMigrationLock } from './migrations.ts';

it.each([
  ['the lock', withMigrationLock],
  ['a transaction', inTransaction],
])('a migration in %s reports what ended its connection', async (_name, run) => {
  const owner = await connectAs(inject('owner'));
  const end = () => owner.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(run(owner, end)).rejects.toThrow('terminating connection');
});
