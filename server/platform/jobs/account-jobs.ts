import type { OperatorScope } from '../tenancy/access.ts';
import { SCHEMA } from './schema.ts';

/** Deletes every job of a purged account, finished or not. */
export async function deleteAccountJobs({ db }: OperatorScope, accountId: string): Promise<void> {
  await db.$client.query(`delete from ${SCHEMA}.job where data ->> 'accountId' = $1`, [accountId]);
}
