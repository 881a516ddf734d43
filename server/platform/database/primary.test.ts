import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../../../test/support/app.ts';
import { openReplicatedPostgres, type ReplicatedPostgres } from '../../../test/support/postgres/replicated.ts';
import { submission } from '../../../test/support/submission.ts';
import { type RunningProduct, start } from '../../start.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log/log.ts';

/* The product with a real primary and standby, both named in DATABASE_URL. */

let pair: ReplicatedPostgres;
let product: RunningProduct;
let dataDir: string;
const log: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-pair-app-'));
  pair = await openReplicatedPostgres();
  product = await startProduct();
});
afterAll(async () => {
  await product?.stop();
  await pair?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const startProduct = (): Promise<RunningProduct> =>
  start(
    readConfig({ DATABASE_URL: pair.url, DATA_DIR: dataDir, PORT: '0', SEED: 'demo' }),
    createLog({ logLevel: 'info' }, { write: (line) => void log.push(line) }),
  );

const save = async (sent: object) => {
  const payload = { service: 'feedback', action: 'save', ...sent };
  return answered(await product.app.http.inject({ method: 'POST', url: '/api/data', payload }));
};
/** Repeats one submission until it is saved, as the form does. */
async function saved(rating: 1 | 2 | 3 | 4 | 5): Promise<void> {
  const sent = submission({ rating });
  await expect.poll(async () => (await save(sent)).status).toBe(200);
}
const ready = async () => (await product.app.http.inject('/health/ready')).statusCode;
const count = async () => Number((await pair.stored<{ count: string }>('select count(*) from feedback'))[0]?.count);
/** Cancels the wait for the standby, as an impatient operator would. The server then reports success with a warning. */
const CANCEL_WAITING = `
  with waiting as materialized (select pid from pg_stat_activity where application_name = 'afterword intake' and wait_event = 'SyncRep')
  select pg_cancel_backend(pid) from waiting`;

describe('with a standby that confirms each commit', () => {
  it('refuses a commit that the standby did not confirm, even if an operator cancels the wait', async () => {
    await pair.setSynchronous(true);
    expect((await save(submission({ rating: 4 }))).status).toBe(200);
    const before = await count();
    pair.cut();
    const sent = submission({ rating: 5 });
    const first = save(sent);
    await expect.poll(() => pair.stored(CANCEL_WAITING).then(({ length }) => length)).toBe(1);
    expect((await first).status).toBe(503);
    expect((await first).headers['retry-after']).toBe('2');
    // The row is only on the primary's disk, where a promotion would lose it.
    expect(await count()).toBe(before + 1);
    expect((await save(sent)).status).toBe(503);
    expect(await ready()).toBe(503);
  });

  it('moves all connections to a promoted standby automatically', async () => {
    await pair.killPrimary();
    expect((await save(submission({ rating: 3 }))).status).toBe(503);
    await pair.promote();
    await saved(2);
    await expect.poll(ready).toBe(200);
    expect(log.filter((line) => line.includes('switched to another server'))).toHaveLength(1);

    const received: unknown[] = [];
    const unsubscribe = product.app.platform.pubsub.subscribe({ onMessage: (message) => received.push(message) });
    await expect
      .poll(async () => {
        await save(submission({ rating: 2 }));
        return received.length;
      })
      .toBeGreaterThan(0);
    unsubscribe();
    const names = await pair.stored<{ name: string }>('select distinct application_name as name from pg_stat_activity');
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['afterword', 'afterword intake', 'afterword live', 'afterword jobs']),
    );
  });

  it('starts without the first server of the URL, and ignores it when it returns on its old timeline', async () => {
    await product.stop();
    product = await startProduct();
    expect((await save(submission({ rating: 1 }))).status).toBe(200);
    await pair.returnOld();
    const before = await count();
    await pair.stored("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'afterword%'");
    await saved(1);
    expect(await count()).toBe(before + 1);
    await product.stop();
    product = await startProduct();
    await saved(1);
    expect(await count()).toBe(before + 2);
  });

  it('refuses submissions while no server accepts writes, and accepts them again once one does', async () => {
    await pair.rebuild();
    await pair.stored("alter system set default_transaction_read_only = 'on'");
    await pair.stored('select pg_reload_conf()');
    await expect.poll(async () => (await save(submission({ rating: 4 }))).status).toBe(503);
    expect(await ready()).toBe(503);
    await pair.stored('alter system reset default_transaction_read_only');
    await pair.stored('select pg_reload_conf()');
    await saved(4);
    expect(log.filter((line) => line.includes('a bug'))).toEqual([]);
  });

  it('leaves a primary that was replaced but still responds', async () => {
    await pair.setSynchronous(true);
    expect((await save(submission({ rating: 5 }))).status).toBe(200);
    pair.cut();
    // Its commit never ends, and its locks hold up all later ones on this server.
    expect((await save(submission({ rating: 5 }))).status).toBe(503);
    await pair.promote();
    await saved(5);
    await expect.poll(ready).toBe(200);
  });
});
