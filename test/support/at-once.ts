import { expect, vi } from 'vitest';
import type { Answered, TestApp } from './app.ts';
import { PATIENT } from './patience.ts';

const WAITING = `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Makes calls that add rows to a table, so that none stores its row before all have counted or wait to count. */
export async function atOnce(app: TestApp, table: string, calls: readonly (() => Promise<Answered>)[]): Promise<Answered[]> {
  const holder = await app.connect();
  await holder.query(`begin; lock table ${table} in share mode`);
  const answers = Promise.all(calls.map((call) => call()));
  await vi.waitFor(async () => expect(await app.stored(WAITING)).toEqual([{ count: calls.length }]), PATIENT);
  await holder.query('commit');
  await holder.end();
  return answers;
}
