import type { FastifyBaseLogger } from 'fastify';
import type { RandomBytes } from '#contract/ids.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import type { Live } from './live.ts';

/** What every room is given when it opens: the machinery, and nothing of other rooms. */
export interface Kernel {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly database: Database;
  readonly live: Live;
  /** UTC milliseconds. Tests turn this clock. */
  readonly now: () => number;
  readonly random: RandomBytes;
}
