import { expect, vi } from 'vitest';
import type { Answered, TestApp } from './app.ts';
import { PATIENT } from './patience.ts';

const WAITING = `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Runs `work` while another transaction has run statements, and commits that once so many others wait for it. */
export async function duringTransaction<T>(app: TestApp, statements: string, waiting: number, work: () => Promise<T>): Promise<T> {
  const holder = await app.connect();
  await holder.query(`begin; ${statements}`);
  const result = work();
  await vi.waitFor(async () => expect(await app.stored(WAITING)).toEqual([{ count: waiting }]), PATIENT);
  await holder.query('commit');
  await holder.end();
  return result;
}

/** Makes calls that add rows to a table, so that none stores its row before all have counted or wait to count. */
export const atOnce = (app: TestApp, table: string, calls: readonly (() => Promise<Answered>)[]): Promise<Answered[]> =>
  duringTransaction(app, `lock table ${table} in share mode`, calls.length, () => Promise.all(calls.map((call) => call())));
