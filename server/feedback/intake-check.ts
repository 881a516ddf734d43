import { feedbackId, randomAlphanumeric } from '#contract/core/ids.ts';
import type { Platform } from '../platform/context.ts';
import { isLocked, isWorkerAway, sqlState } from '../platform/database/database.ts';
import { type Insert, insertMany, type NewFeedback } from './submission-store.ts';

/** Checks whether submissions can be stored. */
interface IntakeCheck {
  /** Stores rows as `insert` does, and remembers failures. */
  readonly watched: Insert;
  /** Throws while submissions can't be stored. After a failure it tries one and rolls it back. */
  check(): Promise<void>;
}

const FOREIGN_KEY_VIOLATION = '23503';
/** In a cluster, no foreign key checks the form; a missing one is null. */
const FORM_IS_NULL = /^null value in column "form_id"/;

/** True if the form was deleted between reading it and the insert. */
export const isFormMissing = (error: unknown): boolean =>
  sqlState(error) === FOREIGN_KEY_VIOLATION || (error instanceof Error && FORM_IS_NULL.test(error.message));

export function openIntakeCheck(platform: Pick<Platform, 'database' | 'random' | 'now'>, insert: Insert): IntakeCheck {
  let failed: NewFeedback | undefined;
  return {
    async watched(rows, lane) {
      try {
        const stored = await insert(rows, lane);
        failed = undefined;
        return stored;
      } catch (error) {
        if (!concernsRow(error)) failed = rows[0];
        throw error;
      }
    },
    async check() {
      if (!failed) return;
      const row = harmless(platform, failed);
      const { isDistributed, rehearseIntake } = platform.database;
      await rehearseIntake((run) =>
        insertMany({ isDistributed, intake: run, intakeTogether: (work) => work(run) }, [row], { lane: 0, subscribedNames: [] }),
      ).catch((error: unknown) => {
        if (!concernsRow(error)) throw error;
      });
      failed = undefined;
    },
  };
}

/** True if the failure may be limited to one form or account. */
const concernsRow = (error: unknown): boolean => isLocked(error) || isFormMissing(error) || isWorkerAway(error);

/** Returns a minimal submission to the same form, because a visitor's input must not decide whether the product is ready. */
const harmless = (
  { now, random }: Pick<Platform, 'random' | 'now'>,
  { accountId, propertyId, formId, formVersion }: NewFeedback,
): NewFeedback => ({
  ...{ accountId, propertyId, formId, formVersion, responses: [] },
  ...{ rating: 3, urgent: false, kind: 'regular', source: 'none', created: now() },
  id: feedbackId(now(), random),
  keyHash: Buffer.from(randomAlphanumeric(32, random)).toString('hex'),
  ...{ suspected: undefined, text: undefined, converted: undefined, diagnostics: undefined, url: undefined },
});
