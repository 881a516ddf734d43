import type { FastifyBaseLogger } from 'fastify';
import type { RandomBytes } from '#contract/core/ids.ts';
import type { RecordedEvent } from '#contract/events.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PubSub } from './live/pubsub.ts';
import type { Mailer } from './mailer/mailer.ts';
import type { Secret } from './secret.ts';

/** Services passed to every module when it opens. Modules reach each other in other ways. */
export interface Platform {
  readonly config: Config;
  readonly secret: Secret;
  readonly log: FastifyBaseLogger;
  readonly database: Database;
  readonly pubsub: PubSub<RecordedEvent>;
  readonly jobs: Jobs;
  readonly mailer: Pick<Mailer, 'send'>;
  /** UTC milliseconds. Tests set this clock. */
  readonly now: () => number;
  readonly random: RandomBytes;
}
