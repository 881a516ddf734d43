import { DAY } from '#contract/core/time.ts';
import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { deleteOld } from '../platform/database/batches.ts';
import { openTurns } from '../platform/tenancy/fair-queue.ts';
import { deleteCounts } from '../platform/tenancy/rate-limit.ts';
import { openCounts } from './counts-operations.ts';
import { deleteNetworkCounts } from './flood-limit-store.ts';
import type { Intake } from './intake.ts';
import { openFeedback } from './operations.ts';

interface FeedbackContext {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly intake: Intake;
}

/** Counts are deleted after this long. No limit looks back further than a day. */
const COUNTS_LIFETIME = 2 * DAY;

/** Accepts visitors' feedback, and the team's work on it. */
export const feedback = ({ platform, forms, intake }: FeedbackContext) => {
  const turns = openTurns();
  return {
    handlers: { feedback: { ...openFeedback({ forms, intake, turns }), ...openCounts(turns) } },
    work: {
      'rate-limit.upkeep': () =>
        deleteOld(platform, [
          [deleteCounts, COUNTS_LIFETIME],
          [deleteNetworkCounts, COUNTS_LIFETIME],
        ]),
    },
    serve: () => ({ metrics: [intake.metrics], check: intake.check }),
    stop: intake.drain,
  } satisfies Module;
};
