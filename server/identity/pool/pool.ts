import { REGION } from '#contract/identity.ts';
import { randomAlphanumeric } from '#contract/ids.ts';
import type { Kernel } from '../../kernel/context.ts';
import { noSuchClient } from './errors.ts';
import * as store from './pool-store.ts';

/** What clients and tokens call the pool. Public names, the same in every process and after every start. */
export interface PoolNames {
  readonly id: string;
  readonly clientId: string;
  /** Who tokens are from. */
  readonly issuer: string;
}

export const ENDPOINT = '/api/identity';
const ID_SUFFIX = 9;
const CLIENT_ID = 26;

/** The pool of this database; the first process makes it. */
export async function openNames({
  config,
  database,
  now,
  random,
}: Pick<Kernel, 'config' | 'database' | 'now' | 'random'>): Promise<PoolNames> {
  const made = {
    id: `${REGION}_${randomAlphanumeric(ID_SUFFIX, random)}`,
    clientId: randomAlphanumeric(CLIENT_ID, random).toLowerCase(),
    created: new Date(now()),
  };
  const { id, clientId } = await database.transaction({}, (db) => store.names(db, made));
  return { id, clientId, issuer: `${config.publicUrl}${ENDPOINT}/${id}` };
}

export function requireClient({ clientId }: PoolNames, sent: string): void {
  if (sent !== clientId) throw noSuchClient(sent);
}
