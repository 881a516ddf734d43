import { expect, inject, it } from 'vitest';
import { connectAs, DatabaseError, inTransaction, withMigrationLock } from './migrations.ts';

it.each([
  ['the lock', withMigrationLock],
  ['a transaction', inTransaction],
])('a migration in %s reports what ended its connection', async (_name, run) => {
  const owner = await connectAs(inject('owner'));
  const end = () => owner.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(run(owner, end)).rejects.toThrow('terminating connection');
});

it('says that another process has been migrating for too long', async () => {
  const [first, second] = await Promise.all([connectAs(inject('owner')), connectAs(inject('owner'))]);
  const waiting = withMigrationLock(first, () => withMigrationLock(second, async () => undefined, '200ms'));
  await expect(waiting).rejects.toThrow(
    new DatabaseError("Another process has been migrating the database for 200ms. Start again once it's done."),
  );
  await Promise.all([first.end(), second.end()]);
});
