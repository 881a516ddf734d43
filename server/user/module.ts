import type { UserPool } from '../identity/port.ts';
import type { Module } from '../module.ts';
import type { Pictures } from '../platform/images/images.ts';
import { openUser } from './operations.ts';

interface UserContext {
  readonly pool: UserPool;
  readonly pictures: Pictures;
}

/** The members of a team. */
export const user = ({ pool, pictures }: UserContext) => ({ handlers: { user: openUser({ pool, pictures }) } }) satisfies Module;
