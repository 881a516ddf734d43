import type { OperatorScope } from '../tenancy/access.ts';
import { SCHEMA } from './schema.ts';

/** Deletes every job of an account, finished or not: their data names it. For one that is purged. */
export async function forgetJobs({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.$client.query(`delete from ${SCHEMA}.job where data ->> 'accountId' = $1`, [accountId]);
}
