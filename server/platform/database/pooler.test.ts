import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { submission } from '../../../test/support/submission.ts';
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { INTAKE_ROLE } from './database.ts';

/* What a pooler in transaction mode requires of its clients. With PgBouncer, all tests of the modules can run through it (CONTRIBUTING.md). */

let proxy: TcpProxy;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({
    connectThrough: async (connection) => {
      proxy = await openTcpProxy(connection);
      return { ...connection, statement_timeout: 40_000, pooler: proxy.address };
    },
  });
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
});

interface PoolerSession extends Record<string, unknown> {
  readonly role: string;
  readonly timeout: string;
  readonly statements: number;
  /** Settings that were made when the connection was opened. PgBouncer refuses them. */
  readonly early: readonly string[];
}
/** Shows the session that a statement runs in, and would be prepared there. */
const SESSION = {
  name: 'session',
  text: `select current_user as role, current_setting('statement_timeout') as timeout,
                (select count(*)::int from pg_prepared_statements) as statements,
                array(select name from pg_settings where reset_val <> boot_val and name = any($1)) as early`,
  values: [['role', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']],
};

it('sets the role and the limits in each transaction, and prepares no statement', async () => {
  const { database } = app.app.platform;
  const [team, visitor] = await Promise.all([
    database.transaction({}, async ({ $client }) => {
      await $client.query(SESSION);
      return (await $client.query<PoolerSession>(SESSION)).rows[0];
    }),
    database.intake<PoolerSession>(SESSION).then(([row]) => row),
  ]);
  expect(team).toMatchObject({ timeout: '40s', statements: 0, early: [] });
  expect(visitor).toMatchObject({ role: INTAKE_ROLE, timeout: '40s', statements: 0, early: [] });
});

it('serves visitors and the team', async () => {
  const token = await app.signIn();
  expect((await app.call('feedback', 'save', submission({ rating: 1 }))).status).toBe(200);
  expect((await app.call('property', 'list', { accountId: ACCOUNT_ID }, token)).status).toBe(200);
});
