import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { inDatabase, query } from '../../../test/support/global.ts';
import { JOBS } from '../../jobs.ts';
import type { ConnectionSettings } from './database.ts';
import { migrate } from './migrate.ts';
import { applyMigrations } from './migrations.ts';

/* Upgrades a filled database of an earlier version whose owner isn't a superuser, so row security applies to the migrations too. */

const DATABASE = `afterword_upgrade_${process.pid}`;
const OWNER = `afterword_owner_${process.pid}`;
/** Number of migrations before subscriptions left accounts and the audit log joined the events: up to 0006. */
const EARLIER = 7;
/** Number of migrations before the account left the text queries of topics: up to 0065. */
const BEFORE_QUERIES = 66;

let root: ConnectionSettings;
let owner: ConnectionSettings;
beforeAll(async () => {
  root = inDatabase(inject('owner'), DATABASE);
  await query(inject('owner'), `create role ${OWNER} login createrole noinherit password 'of-a-test'`);
  await query(inject('owner'), `grant afterword_app, afterword_intake to ${OWNER} with admin option`);
  await query(inject('owner'), `create database ${DATABASE} owner ${OWNER}`);
  owner = asRole(root, OWNER, 'of-a-test');
  const client = new pg.Client(owner);
  await client.connect();
  await applyMigrations(client, EARLIER);
  await client.end();
});
afterAll(async () => {
  await query(inject('owner'), `drop database if exists ${DATABASE} with (force)`);
  await query(inject('owner'), `drop owned by ${OWNER} cascade; drop role ${OWNER}`);
});

function asRole(connection: ConnectionSettings, user: string, password: string): ConnectionSettings {
  if (connection.connectionString === undefined) return { ...connection, user, password };
  const url = new URL(connection.connectionString);
  [url.username, url.password] = [user, password];
  return { connectionString: url.href };
}

describe('an upgrade', () => {
  it('keeps existing rows, even if the owner cannot bypass row security', async () => {
    await query(
      root,
      `insert into account (id, created, display_name, status, plan, cost, payment_frequency, start_date, billing_date, trial_ends_at, deleted)
         values ('ACCOUNT_one', '2026-03-01', 'One', 'active', 'Pro', 20, 'Annual', '2026-03-02', 22, '2026-03-22', null),
                ('ACCOUNT_two', '2026-04-01', 'Two', 'inactive', null, null, null, null, null, null, '2026-04-02');
       insert into audit_entry (at, by, act, subject, detail)
         values ('2026-05-01', 'USER_a', 'accounts.listed', '', 'harbor'), ('2026-05-02', 'USER_a', 'account.deleted', 'ACCOUNT_two', 'asked for')`,
    );
    const client = new pg.Client(owner);
    await client.connect();
    await applyMigrations(client, BEFORE_QUERIES);
    await client.query(
      `insert into topic (account_id, id, display_name, phrases, query, created)
         values ('ACCOUNT_one', 'TOPIC_a', 'Noise', '{loud music,noise*}', '''@ACCOUNT_one'' & ((''loud'' <-> ''music'') | (''noise'':*))', '2026-05-03'),
                ('ACCOUNT_one', 'TOPIC_b', 'Others', '{}', '', '2026-05-03')`,
    );
    await client.end();
    await migrate({ owner, app: inDatabase(inject('app'), DATABASE), jobs: Object.keys(JOBS), allowVolatile: true });
    const { rows: topics } = await query(root, 'select query from topic order by id');
    expect(topics).toEqual([{ query: `('loud' <-> 'music') | ('noise':*)` }, { query: '' }]);
    const { rows: subscriptions } = await query(
      root,
      'select account_id, status, plan, cost, payment_frequency, billing_date, trial_ends_at from subscription order by 1',
    );
    const nothing = { plan: null, cost: null, payment_frequency: null, billing_date: null, trial_ends_at: null };
    expect(subscriptions).toEqual([
      {
        account_id: 'ACCOUNT_one',
        status: 'active',
        plan: 'Pro',
        cost: 20,
        payment_frequency: 'Annual',
        billing_date: 22,
        trial_ends_at: new Date('2026-03-22'),
      },
      { account_id: 'ACCOUNT_two', status: 'inactive', ...nothing },
    ]);
    const { rows: recorded } = await query(root, 'select account_id, at, name, subject, actor, data, relayed from event order by id');
    const entry = { account_id: 'INSTALLATION', actor: 'USER_a', relayed: true };
    expect(recorded).toEqual([
      { ...entry, at: new Date('2026-05-01'), name: 'accounts.listed', subject: '', data: { search: 'harbor' } },
      { ...entry, at: new Date('2026-05-02'), name: 'account.deleted', subject: 'ACCOUNT_two', data: { reason: 'asked for' } },
    ]);
  });

  it('leaves row security on every table, except for its owner', async () => {
    const { rows } = await query(
      root,
      `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced
         from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    // The user pool's tables belong to no account; the public form's role has no rights on them.
    expect(rows.filter(({ name, enabled }) => !enabled && !name.startsWith('identity_'))).toEqual([]);
    expect(rows.filter(({ forced }) => forced)).toEqual([]);
  });
});

describe('two installations on one server', () => {
  const names = ['production', 'staging'].map((name) => `afterword_${name}_${process.pid}`);
  const owners = names.map((name) => `${name}_owner`);
  beforeAll(async () => {
    for (const [place, name] of names.entries()) {
      await query(inject('owner'), `create role ${owners[place]} login createrole password 'of-${place}'`);
      await query(inject('owner'), `create database ${name} owner ${owners[place]}`);
    }
  });
  afterAll(async () => {
    for (const [place, name] of names.entries()) {
      await query(inject('owner'), `drop database if exists ${name} with (force)`);
      await query(inject('owner'), `drop role if exists afterword_app_${name}`);
      await query(inject('owner'), `drop owned by ${owners[place]} cascade; drop role ${owners[place]}`);
    }
  });

  const setUp = (place: number) =>
    migrate({
      owner: asRole(inDatabase(inject('owner'), names[place] ?? ''), owners[place] ?? '', `of-${place}`),
      jobs: Object.keys(JOBS),
      allowVolatile: true,
    });

  it('have separate roles', async () => {
    for (const owner of owners) {
      await expect(setUp(owners.indexOf(owner))).rejects.toThrow(
        /grant afterword_app, afterword_intake, afterword_finder to OWNER with admin option/,
      );
      await query(inject('owner'), `grant afterword_app, afterword_intake, afterword_finder to ${owner} with admin option`);
    }
    const [production] = [await setUp(0), await setUp(1)];
    // Connects again now that the second installation is set up.
    const { rows } = await query(production, 'select current_user as who, current_database() as where');
    expect(rows).toEqual([{ who: `afterword_app_${names[0]}`, where: names[0] }]);
  });
});
