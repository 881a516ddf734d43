import { createHash } from 'node:crypto';
import { badField, refusal } from '#contract/errors.ts';
import {
  AMEND_WINDOW,
  type Derived,
  type Diagnostics,
  derive,
  type Feedback,
  mergeResponses,
  type Response,
  type Submission,
} from '#contract/feedback.ts';
import type { Step } from '#contract/form.ts';
import { feedbackId } from '#contract/ids.ts';
import { MESSAGES } from '#contract/schema.ts';
import { blockOf, stepOf } from '#contract/steps.ts';
import { earlierVersions, type PublicForm } from '../form/store.ts';
import { inAccount } from '../kernel/access.ts';
import { type Batcher, createBatcher } from '../kernel/batch.ts';
import type { Kernel } from '../kernel/context.ts';
import { asRefusal, sqlState } from '../kernel/database.ts';
import * as store from './store.ts';

/** What a visitor sent. */
export interface Sent {
  readonly key: string;
  readonly responses: readonly Response[];
  readonly diagnostics?: Diagnostics | undefined;
  readonly url?: string | undefined;
}

/** The visitors' write path: from here on a submission is on disk, or its sender knows that it is not. */
export interface Intake {
  /** Stores a submission or amends the one that its key names. Resolves after the commit. */
  submit(target: PublicForm, sent: Sent): Promise<Submission>;
  /** What a key names, for who holds the key, as long as it can be amended; undefined when there is nothing. */
  find(target: PublicForm, key: string): Promise<Submission | undefined>;
  /** Resolves when everything that was handed in is settled. */
  drain(): Promise<void>;
}

/** Two multi-row inserts in flight keep the disk busy while the next gather what arrives. */
const LANES = 2;
const MOST_ROWS = 200;
/** At most this many wait; then visitors are asked to come again, which their pages do by themselves. */
const MOST_WAITING = 5_000;
/** Neither new nor known by its key means that the id's five letters were taken in that millisecond: take others. */
const ID_ATTEMPTS = 3;
/** Processes that share a database pick one of these, so that they rarely count in the same rows. */
const SLOTS = 16;

/** Stores rows in one transaction; gives back the ids that are new. */
export type Insert = (rows: readonly store.NewFeedback[], lane: number) => Promise<ReadonlySet<string>>;

export function openIntake(kernel: Kernel, insert: Insert = (rows, lane) => store.insertMany(kernel.database, rows, lane)): Intake {
  const { database, live, now, random } = kernel;
  const slot = (random(1)[0] ?? 0) % SLOTS;
  const batcher: Batcher<store.NewFeedback, boolean> = createBatcher({
    lanes: LANES,
    most: MOST_ROWS,
    waiting: MOST_WAITING,
    full: () => refusal('overloaded', { retryAfter: 2 }),
    run: (rows, lane) => insertTogether(rows, slot * LANES + lane),
  });

  return {
    async submit(target, sent) {
      const version = await versionOf(target, sent.responses);
      const keyHash = hashOf(sent.key);
      const derived = derive(sent.responses);
      for (let attempt = 0; derived && attempt < ID_ATTEMPTS; attempt += 1) {
        const row = newRow(target, { ...sent, keyHash, version, derived });
        if (await isNew(row)) return told(target, submissionOf(row), 'submitted');
        const amended = await amend(target, keyHash, sent);
        if (amended) return amended;
      }
      // Without a rating it can only be an addition to what is there already.
      const amended = await amend(target, keyHash, sent);
      if (!amended) throw badField('payload.data.responses', MESSAGES.rating);
      return amended;
    },
    async find(target, key) {
      const found = await inAccount(database, target.accountId, (scope) => store.byKey(scope, target.form.id, hashOf(key)));
      return found && isOpen(found) ? submissionOfRecord(found) : undefined;
    },
    drain: () => batcher.drain(),
  };

  /** One bad row never fails its neighbours: where a run fails for what it carries, each row is tried alone. */
  async function insertTogether(rows: readonly store.NewFeedback[], lane: number): Promise<(boolean | Error)[]> {
    try {
      const stored = await insert(rows, lane);
      return rows.map(({ id }) => stored.has(id));
    } catch (error) {
      if (rows.length === 1 || asRefusal(error)) throw error;
      const alone = await Promise.allSettled(rows.map((row) => insert([row], lane)));
      return alone.map((each, place) => (each.status === 'rejected' ? asError(each.reason) : each.value.has(rows[place]?.id ?? '')));
    }
  }

  /** False when the key was there before. */
  async function isNew(row: store.NewFeedback): Promise<boolean> {
    try {
      return await batcher.add(row);
    } catch (error) {
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw refusal('form-closed');
      throw error;
    }
  }

  function newRow(target: PublicForm, { keyHash, version, derived, responses, diagnostics, url }: NewRow): store.NewFeedback {
    const created = now();
    return {
      accountId: target.accountId,
      id: feedbackId(created, random),
      propertyId: target.form.data.propertyId,
      formId: target.form.id,
      formVersion: version,
      keyHash,
      created,
      ...parts(derived),
      converted: hasOpenedReview(responses) ? created : undefined,
      responses,
      diagnostics,
      url,
    };
  }

  /** Undefined when the key names nothing. */
  async function amend(target: PublicForm, keyHash: string, { responses }: Sent): Promise<Submission | undefined> {
    const amended = await inAccount(database, target.accountId, async (scope) => {
      const before = await store.heldByKey(scope, target.form.id, keyHash);
      if (!before) return undefined;
      const merged = mergeResponses(before.data.responses, responses);
      if (isSame(merged, before.data.responses)) return { feedback: before, changed: false };
      if (!isOpen(before)) throw refusal('amend-closed');
      const derived = derive(merged);
      if (!derived) throw badField('payload.data.responses', MESSAGES.rating);
      const converted = before.data.converted ?? (hasOpenedReview(merged) ? now() : undefined);
      return { feedback: await store.amend(scope, before, { ...parts(derived), converted, responses: merged }), changed: true };
    });
    if (!amended) return undefined;
    const submission = submissionOfRecord(amended.feedback);
    return amended.changed ? told(target, submission, 'amended') : submission;
  }

  function isOpen({ data }: Feedback): boolean {
    return now() <= data.created + AMEND_WINDOW;
  }

  /** The version that the answers were given to: today's, or where a page was opened before the last save, an earlier one. */
  async function versionOf(target: PublicForm, responses: readonly Response[]): Promise<number> {
    const { version, steps } = target.form.data;
    const wrong = wrongResponse(steps, responses);
    if (!wrong) return version;
    const earlier = await earlierVersions(database, target);
    const fitting = earlier.find((each) => !wrongResponse(each.steps, responses));
    if (!fitting) throw badField(`payload.data.responses.${wrong.place}.${wrong.field}`, wrong.message);
    return fitting.version;
  }

  function told(target: PublicForm, submission: Submission, what: 'submitted' | 'amended'): Submission {
    live.tell(target.accountId, {
      what,
      id: submission.id,
      propertyId: submission.data.projectId,
      rating: submission.data.rating,
      urgent: submission.gs1sk === 'URGENT',
    });
    return submission;
  }
}

interface NewRow extends Sent {
  readonly keyHash: string;
  readonly version: number;
  readonly derived: Derived;
}

/** The form was removed between its reading and this insert. */
const FOREIGN_KEY_VIOLATION = '23503';

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const parts = ({ rating, urgent, kind, source, text }: Derived) => ({ rating, urgent, kind, source, text });

const hasOpenedReview = (responses: readonly Response[]): boolean => responses.some(({ block }) => block === 'ExternalReview');

/** The same responses again change nothing, whatever the order of their fields. */
const isSame = (one: readonly Response[], other: readonly Response[]): boolean =>
  one.length === other.length && one.every((each, place) => canonical(each) === canonical(other[place]));

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** The first response that this form did not ask for. */
function wrongResponse(
  steps: readonly Step[],
  responses: readonly Response[],
): { place: number; field: string; message: string } | undefined {
  const blocks = new Map(steps.flatMap((step) => step.blocks ?? []).map((block) => [block.uuid, block]));
  const offered = blockOf(stepOf(steps, 'spread the word'), 'ExternalReview')?.service ?? [];
  for (const [place, { uuid, block, response }] of responses.entries()) {
    const asked = blocks.get(uuid);
    if (!asked) return { place, field: 'uuid', message: 'This form has no such block' };
    if (asked.blockType !== block) return { place, field: 'block', message: `This block is of type ${asked.blockType}` };
    if (block === 'ExternalReview' && !offered.some(({ name }) => name === response.service)) {
      return { place, field: 'response.service', message: 'This form does not point to that service' };
    }
  }
  return undefined;
}

function submissionOf({ id, urgent, created, formId, propertyId, rating, responses, converted }: store.NewFeedback): Submission {
  return {
    id,
    sk: 'EXPERIENCE',
    gs1sk: urgent ? 'URGENT' : 'NORMAL',
    data: { created, formId, projectId: propertyId, rating, responses: [...responses], ...(converted !== undefined && { converted }) },
  };
}

function submissionOfRecord({ id, sk, gs1sk, data }: Feedback): Submission {
  const { created, formId, projectId, rating, responses, converted } = data;
  return { id, sk, gs1sk, data: { created, formId, projectId, rating, responses, ...(converted !== undefined && { converted }) } };
}
