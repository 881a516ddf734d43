import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import type { CitusNode } from '../../../scripts/cluster/databases.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { createDatabase, dropDatabase, inDatabase, setUpSchema } from '../../../test/support/global.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { submission } from '../../../test/support/submission.ts';
import { DISTRIBUTED } from '../../distributed.ts';
import { APP_ROLE, type ConnectionSettings, FINDER_ROLE, INTAKE_ROLE } from './database.ts';
import { distribute } from './distribute.ts';
import { appliedMigrations, applyMigrations, connectAs, inTransaction, migrationHashes } from './migrations.ts';
import { openWorkingRole } from './working-role.ts';

/* Needs a Citus cluster: npm run cluster -- --test server/platform/database/distribute.test.ts */

/** Number of migrations before the first that changed distributed tables, up to 0040, and the tables that were distributed then. */
const FIRST = 41;
const FIRST_DISTRIBUTED = ['feedback', 'feedback_tally', 'feedback_day', 'feedback_mark', 'comment'];

interface Shard extends CitusNode {
  readonly name: string;
}

describe.runIf(inject('nodes'))('a cluster', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ also: addOtherAccount });
  });
  afterAll(() => app.stop());

  /** Connects to a server of the cluster with the password of `connection`, and ends the connection after `work`. */
  async function on<T>(
    node: CitusNode,
    { connectionString = '' }: ConnectionSettings,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const url = new URL(connectionString);
    [url.hostname, url.port] = [node.host, String(node.port)];
    const client = new pg.Client(url.href);
    await client.connect();
    return work(client).finally(() => client.end());
  }

  /** Returns an account's shard of a table and its worker. */
  async function shardOf(table: string, accountId: string): Promise<Shard> {
    const [shard] = await app.stored<Shard & Record<string, unknown>>(
      `select shard_name($1::regclass, shardid) as name, nodename as host, nodeport as port
         from pg_dist_placement join pg_dist_node using (groupid)
        where shardid = get_shard_id_for_distribution_column($1::regclass, $2::text)`,
      [table, accountId],
    );
    if (!shard) throw new Error(`${table} has no shard for ${accountId}`);
    return shard;
  }

  /** Returns the accounts whose rows a transaction sees with these settings. */
  async function visible(client: pg.Client, table: string, settings: Readonly<Record<string, string>>): Promise<string[]> {
    await client.query('begin; set local citus.propagate_set_commands = local');
    for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = '${value}'`);
    const { rows } = await client.query<{ account: string }>(`select distinct account_id as account from ${table} order by 1`);
    await client.query('rollback');
    return rows.map(({ account }) => account);
  }

  const ACCOUNTS = [ACCOUNT_ID, otherAccount.accountId];

  it('distributes the tables over both workers, side by side', async () => {
    const rows = await app.stored<{ table: string; workers: number; colocations: number }>(
      `select logicalrelid::text as table, count(distinct groupid)::integer as workers, count(distinct colocationid)::integer as colocations
         from pg_dist_partition join pg_dist_shard using (logicalrelid) join pg_dist_placement using (shardid)
        where logicalrelid::text = any($1) group by 1`,
      [DISTRIBUTED],
    );
    expect(rows.map(({ table }) => table).sort()).toEqual([...DISTRIBUTED].sort());
    expect(rows.every(({ workers, colocations }) => workers === 2 && colocations === 1)).toBe(true);
  });

  it('shows only the account in scope, on the workers and through the coordinator', async () => {
    const [coordinator] = inject('nodes') ?? [];
    for (const [mine, other] of [ACCOUNTS, ACCOUNTS.toReversed()] as [string, string][]) {
      const { name, ...worker } = await shardOf('feedback', mine);
      expect(await on(worker, app.owner, (client) => visible(client, name, {}))).toContain(mine);
      for (const [node = worker, relation] of [[worker, name] as const, [coordinator, 'feedback'] as const])
        await on(node, app.connection, async (client) => {
          expect(await visible(client, relation, {})).toEqual([]);
          expect(await visible(client, relation, { 'app.account_id': mine })).toEqual([mine]);
          expect(await visible(client, relation, { 'app.account_id': other })).not.toContain(mine);
        });
    }
  });

  it('refuses to store a row of another account on a worker', async () => {
    const { name, ...worker } = await shardOf('comment', otherAccount.accountId);
    await on(worker, app.connection, async (client) => {
      await client.query(`begin; set local citus.enable_manual_changes_to_shards = on; set local app.account_id = '${ACCOUNT_ID}'`);
      const insert = `insert into ${name} (account_id, id, feedback_id, property_id, created, created_by, text, mentioned, key)
        values ('${otherAccount.accountId}', 'COMMENT_1', '${otherAccount.feedbackId}', 'PROPERTY_1', now(), 'USER_1', '', '{}', 'k')`;
      await expect(client.query(insert)).rejects.toThrow(/row-level security/);
    });
  });

  it.each([
    [INTAKE_ROLE, 'text'],
    [FINDER_ROLE, 'rating'],
  ])('refuses a column that %s may not read, on the workers too: %s', async (role, column) => {
    const { name, ...worker } = await shardOf('feedback', ACCOUNT_ID);
    await on(worker, app.owner, async (client) => {
      await client.query(`set role ${role}`);
      await expect(client.query(`select ${column} from ${name}`)).rejects.toThrow(/permission denied/);
      expect((await client.query(`select id from ${name}`)).rowCount).toBeGreaterThan(0);
    });
  });

  it('has row security on every shard', async () => {
    const shards = await app.stored<{ success: boolean; result: string }>(
      `select success, result from unnest($1::regclass[]) as tables (name), lateral run_command_on_shards(name,
         $command$ select relrowsecurity and not pg_has_role('${APP_ROLE}', relowner, 'member') from pg_class where oid = '%s'::regclass $command$)`,
      [DISTRIBUTED],
    );
    expect(shards.length).toBeGreaterThanOrEqual(DISTRIBUTED.length);
    expect(shards.filter(({ success, result }) => !success || result !== 't')).toEqual([]);
  });

  it('commits a submission and its event in two phases', async () => {
    // Deletes the records of earlier commits.
    await app.stored('select recover_prepared_transactions()');
    expect((await app.call('feedback', 'save', submission({ rating: 3 }))).status).toBe(200);
    expect(await app.stored('select from pg_dist_transaction')).not.toEqual([]);
  });

  it('moves and deletes a person’s marks with the person', async () => {
    const { accountId, memberId, feedbackId } = otherAccount;
    await app.stored('insert into feedback_mark values ($1, $2, $3, false)', [accountId, memberId, feedbackId]);
    const remaining = () => app.stored<{ user_id: string }>('select user_id from feedback_mark where account_id = $1', [accountId]);
    await app.stored('update "user" set id = $1 where id = $2', ['USER_moved', memberId]);
    expect(await remaining()).toEqual([{ user_id: 'USER_moved' }]);
    await app.stored('delete from "user" where id = $1', ['USER_moved']);
    expect(await remaining()).toEqual([]);
  });

  it('is upgraded by every migration since the first that could be distributed', async () => {
    const [name, servers] = [`afterword_later_${process.pid}`, { owner: inject('owner'), nodes: inject('nodes') }];
    await createDatabase(servers, name);
    const owner = inDatabase(inject('owner'), name);
    const client = await connectAs(owner);
    try {
      await inTransaction(client, () => applyMigrations(client, FIRST));
      await distribute(client, { owner, app: await openWorkingRole(client, owner), tables: FIRST_DISTRIBUTED });
      await setUpSchema(owner);
      expect(await appliedMigrations(client)).toEqual(migrationHashes());
    } finally {
      await client.end();
      await dropDatabase(servers, name);
    }
  });

  it('deletes an account’s feedback with the account', async () => {
    const { accountId } = otherAccount;
    await app.stored('delete from account where id = $1', [accountId]);
    for (const table of DISTRIBUTED)
      expect([table, await app.stored(`select from ${table} where account_id = $1`, [accountId])]).toEqual([table, []]);
  });
});
