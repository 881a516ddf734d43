import { badField, type Refusal, refusal } from '#contract/core/errors.ts';
import { feedbackId, toolIdOf } from '#contract/core/ids.ts';
import { MESSAGES } from '#contract/core/schema.ts';
import { VISITOR } from '#contract/event/event.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Diagnostics, Response, Submission } from '#contract/feedback/feedback.ts';
import { awaitsReply } from '#contract/feedback/work.ts';
import { leftFieldsAfter } from '#contract/form/form-page.ts';
import {
  areSameResponses,
  canBeAmended,
  type DerivedFields,
  derive,
  hasOpenedReview,
  mergeResponses,
  submissionOf,
  unreachable,
  type WrongResponse,
  wrongResponse,
} from '#contract/form/submission.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { earlierVersions, type PublicForm } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { type Batcher, createBatcher } from '../platform/database/batch.ts';
import { asRefusal, isLocked, isWorkerAway } from '../platform/database/database.ts';
import type { MetricGroup } from '../platform/metrics.ts';
import { sha256 } from '../platform/sha256.ts';
import { inAccount } from '../platform/tenancy/access.ts';
import { appendAmended } from './amendment.ts';
import { type FloodClaim, openFloodLimit, UNCOUNTED } from './flood-limit.ts';
import { isFormMissing, openIntakeCheck } from './intake-check.ts';
import * as store from './store.ts';

/** A visitor's submission. */
interface IncomingSubmission {
  readonly key: string;
  readonly responses: readonly Response[];
  /** The version that the page showed, if it reports one. */
  readonly formVersion?: number | undefined;
  /** The language that the page was in, if it reports one. */
  readonly language?: LanguageTag | undefined;
  /** When its visitor last changed it, by their device's clock (UTC ms), if known. */
  readonly changed?: number | undefined;
  readonly diagnostics?: Diagnostics | undefined;
  readonly url?: string | undefined;
  readonly userId?: string | undefined;
  /** The placement in the form's address. */
  readonly at?: string | undefined;
  /** The number of the visitor's order, whose signature was checked. */
  readonly orderNumber?: string | undefined;
  /** True for a teammate's test of the form. */
  readonly test?: true | undefined;
  /** The network it came from, if known. */
  readonly network?: string | undefined;
  /** When it was given (UTC ms), if that was before it arrived. */
  readonly created?: number | undefined;
  /** True if it repeats another in the same place within seconds. */
  readonly isRepeat?: true | undefined;
}

/** What a key finds: nothing, a submission, or one that can no longer be amended. */
interface FoundSubmission {
  readonly submission?: Submission;
  readonly isClosed?: true;
}

/** The visitors' write path. Every submission is either on disk or refused. */
export interface Intake {
  /** Stores a submission or amends the existing one with its key. Resolves after the commit. */
  submit(target: PublicForm, sent: IncomingSubmission): Promise<Submission>;
  /** Returns the submission with a key while it can be amended, and whether it no longer can be. */
  find(target: PublicForm, key: string): Promise<FoundSubmission>;
  /** Throws while submissions can't be stored. */
  check(): Promise<void>;
  /** Metrics of this process's intake. */
  readonly metrics: MetricGroup;
  /** Resolves when every submission received so far, and its count toward the flood limit, is on disk or refused. */
  drain(): Promise<void>;
}

/** Inserts at once, so that the disk is busy while the next batch fills, and the most rows of one. @limit intake */
const LANES = 2;
const MOST_ROWS = 200;
/** At most this many submissions wait. Further ones are refused, and the form's page retries automatically. @limit intake */
const MOST_WAITING = 5_000;
/** A row that is neither new nor found by its key has an id that was already taken in that millisecond, so it gets another. */
const ID_ATTEMPTS = 3;
/** Processes that share a database pick a slot at random, so that they rarely write to the same rows of the counts. */
const SLOTS = 16;

type IntakeDependencies = Pick<Platform, 'database' | 'pubsub' | 'now' | 'random' | 'log'>;

interface IntakeOptions {
  /** Returns the events that have a subscriber. */
  readonly subscribedNames?: () => readonly EventName[];
  readonly insert?: store.Insert | undefined;
}

export function openIntake(
  platform: IntakeDependencies,
  { subscribedNames = () => [], insert = insertInto(platform, subscribedNames) }: IntakeOptions = {},
): Intake {
  const { watched, check } = openIntakeCheck(platform, insert);
  const writer = openWriter(platform, watched);
  const floodLimit = openFloodLimit(platform);
  return {
    async submit(target, sent) {
      const version = await versionOf(platform, target, sent);
      const keyHash = sha256(sent.key).toString('hex');
      const problem = unreachable(sent.responses);
      const derived = problem ? undefined : derive(sent.responses);
      for (let attempt = 0; derived && attempt < ID_ATTEMPTS; attempt += 1) {
        const { isBeyond, settle } = claimOf(target, keyHash, sent);
        const row = newRow(platform, target, { ...sent, keyHash, version, derived, isBeyond });
        if (await isNew(writer, row, settle)) return sentRow(row);
        const amended = await amend(platform, target, { ...sent, keyHash });
        if (amended) return amended;
      }
      // Without a rating, or contact details for a visitor who asked to be contacted, it can only amend an existing submission.
      const amended = await amend(platform, target, { ...sent, keyHash });
      if (!amended) throw problem ? badResponse(problem) : badField('payload.data.responses', MESSAGES.rating);
      return amended;
    },
    async find({ accountId, form }, key) {
      const keyHash = sha256(key).toString('hex');
      const feedback = await inAccount(platform, { accountId, actor: VISITOR }, (scope) => store.byKey(scope, form.id, keyHash));
      if (!feedback) return {};
      return canBeAmended(feedback.data.created, platform.now()) ? { submission: submissionOf(feedback) } : { isClosed: true };
    },
    check,
    metrics: intakeMetrics(writer),
    async drain() {
      await writer.drain();
      await floodLimit.stop();
    },
  };

  function claimOf({ accountId, form }: PublicForm, keyHash: string, { network }: IncomingSubmission): FloodClaim {
    if (network === undefined) return UNCOUNTED;
    return floodLimit.claim({ id: form.id, accountId, propertyId: form.data.propertyId }, { network, keyHash });
  }
}

const insertInto =
  ({ database }: IntakeDependencies, subscribedNames: () => readonly EventName[]): store.Insert =>
  (rows, lane) =>
    store.insertMany(database, rows, { lane, subscribedNames: subscribedNames() });

const intakeMetrics = (writer: Writer) =>
  ({
    help: {
      afterword_intake_waiting: 'Submissions waiting in this process for a database lane.',
      afterword_intake_lanes_busy: 'Database lanes that are writing submissions now.',
      afterword_intake_lanes: 'Number of database lanes for submissions.',
    },
    async read() {
      const { waiting, running } = writer.state();
      return { afterword_intake_waiting: waiting, afterword_intake_lanes_busy: running, afterword_intake_lanes: LANES };
    },
  }) satisfies MetricGroup;

/* ── New feedback: rows of many visitors share a transaction ── */

/** Stores a row, and resolves to whether it is new. */
type Writer = Batcher<store.NewFeedback, boolean>;

function openWriter({ pubsub, random }: IntakeDependencies, insert: store.Insert): Writer {
  const slot = (random(1)[0] ?? 0) % SLOTS;
  return createBatcher({
    lanes: LANES,
    most: MOST_ROWS,
    waiting: MOST_WAITING,
    full: () => refusal('overloaded', { retryAfter: 2 }),
    run: (rows, lane) => insertTogether(rows, slot * LANES + lane),
  });

  /**
   * One row never fails the rest of its batch. If a batch fails because of its data, each row is tried alone. If another transaction
   * locks a row they refer to, or a cluster's worker is down, each account's rows are tried alone, so that no account waits for another.
   */
  async function insertTogether(rows: readonly store.NewFeedback[], lane: number): Promise<(boolean | Error)[]> {
    try {
      return await insertRows(rows, lane);
    } catch (error) {
      const concernsAccounts = isLocked(error) || isWorkerAway(error);
      if (rows.length === 1 || (asRefusal(error) && !concernsAccounts)) throw error;
      const parts = concernsAccounts ? Map.groupBy(rows, ({ accountId }) => accountId).values() : rows.map((row) => [row]);
      const outcomes = new Map((await Promise.all(Array.from(parts, (part) => insertPart(part, lane)))).flat());
      return rows.map(({ id }) => outcomes.get(id) ?? new Error('A row was left out'));
    }
  }

  async function insertPart(rows: readonly store.NewFeedback[], lane: number): Promise<(readonly [id: string, boolean | Error])[]> {
    try {
      const stored = await insertRows(rows, lane);
      return rows.map(({ id }, index) => [id, stored[index] === true]);
    } catch (error) {
      return rows.map(({ id }) => [id, asError(error)]);
    }
  }

  async function insertRows(rows: readonly store.NewFeedback[], lane: number): Promise<boolean[]> {
    const { ids, arrivals } = await insert(rows, lane);
    pubsub.publish(arrivals);
    return rows.map(({ id }) => ids.has(id));
  }
}

/** Stores a row. Returns false if its key is already stored. */
async function isNew(writer: Writer, row: store.NewFeedback, settle: FloodClaim['settle']): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await writer.add(row);
    return isStored;
  } catch (error) {
    if (isFormMissing(error)) throw refusal('form-closed');
    throw error;
  } finally {
    settle(isStored);
  }
}

interface NewRow extends IncomingSubmission {
  readonly keyHash: string;
  readonly version: number;
  readonly derived: DerivedFields;
  readonly isBeyond: boolean;
}

function newRow(
  { now, random }: IntakeDependencies,
  target: PublicForm,
  {
    keyHash,
    version,
    language,
    changed,
    derived,
    isBeyond,
    responses,
    diagnostics,
    url,
    userId,
    at,
    orderNumber,
    test,
    isRepeat,
    created = now(),
  }: NewRow,
): store.NewFeedback {
  return {
    accountId: target.accountId,
    id: feedbackId(created, random),
    propertyId: target.form.data.propertyId,
    formId: target.form.id,
    formVersion: version,
    keyHash,
    suspected: isBeyond || isRepeat ? true : undefined,
    created,
    ...parts(derived),
    converted: hasOpenedReview(responses) ? created : undefined,
    responses,
    diagnostics,
    url,
    userId,
    toolId: at === undefined ? undefined : toolIdOf(at),
    orderNumber,
    // A network beyond the limit isn't a teammate testing the form.
    test: isBeyond ? undefined : test,
    language: language === target.form.data.language ? undefined : language,
    changed,
  };
}

/** Returns the version that the answers belong to: the one the page showed, or else the newest that they fit. */
async function versionOf(
  { database }: IntakeDependencies,
  target: PublicForm,
  { responses, formVersion: shown }: Pick<IncomingSubmission, 'responses' | 'formVersion'>,
): Promise<number> {
  const { version, steps } = target.form.data;
  const problem = wrongResponse(steps, responses);
  const isOld = shown !== undefined && shown < version;
  if (!problem && !isOld) return version;
  const matching = (await earlierVersions(database, target)).filter((each) => !wrongResponse(each.steps, responses));
  const shownVersion = matching.find((each) => each.version === shown);
  if (shownVersion) return shownVersion.version;
  if (!problem) return version;
  if (!matching[0]) throw badResponse(problem);
  return matching[0].version;
}

const badResponse = ({ index, field, message }: WrongResponse): Refusal => badField(`payload.data.responses.${index}.${field}`, message);

/* ── Amending, by the holder of the key ── */

/** Amends the submission with a key. Returns undefined if there is none. */
async function amend(
  platform: IntakeDependencies,
  target: PublicForm,
  { keyHash, responses, changed, diagnostics }: Pick<NewRow, 'keyHash' | 'responses' | 'changed' | 'diagnostics'>,
): Promise<Submission | undefined> {
  const events: RecordedEvent[] = [];
  const amended = await inAccount(platform, { accountId: target.accountId, actor: VISITOR }, async (scope) => {
    const stored = await store.lockByKey(scope, target.form.id, keyHash);
    if (!stored) return undefined;
    const { feedback: before, changed: lastChanged } = stored;
    // A later request of the same visitor, with everything that this one has, arrived first. Two devices' clocks may differ.
    const isLate = changed !== undefined && lastChanged !== null && changed < lastChanged;
    if (isLate && !areTwoScreens(before.data.diagnostics, diagnostics)) return before;
    const merged = mergeResponses(before.data.responses, responses);
    if (areSameResponses(merged, before.data.responses)) {
      if (changed !== undefined && changed !== lastChanged) await store.markChanged(scope, before.id, changed);
      return before;
    }
    if (!canBeAmended(before.data.created, platform.now())) throw refusal('amend-closed');
    const problem = unreachable(merged) && unreachable(responses);
    if (problem) throw badResponse(problem);
    const derived = derive(merged);
    if (!derived) throw badField('payload.data.responses', MESSAGES.rating);
    const converted = before.data.converted ?? (hasOpenedReview(merged) ? platform.now() : undefined);
    // A visitor who asked for an answer waits for it, whatever the new rating.
    const urgent = derived.urgent || awaitsReply(before.data.reply);
    const after = await store.amend(scope, before, { ...parts(derived), urgent, converted, responses: merged, changed });
    events.push(...(await appendAmended(scope, before, after)));
    return after;
  });
  platform.pubsub.publish(events);
  return amended && submissionOf(amended);
}

/** Returns whether answers were given on two screens, in either orientation. */
const areTwoScreens = (first: Diagnostics | undefined, second: Diagnostics | undefined): boolean =>
  first !== undefined && second !== undefined && sidesOf(first).join() !== sidesOf(second).join();

const sidesOf = ({ screen: { width, height } }: Diagnostics): number[] => [Math.min(width, height), Math.max(width, height)];

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const parts = ({ rating, urgent, kind, source, text }: DerivedFields) => ({ rating, urgent, kind, source, text });

/** Returns a new row as its visitor may see it. */
function sentRow({ id, urgent, created, formId, propertyId, rating, responses, converted }: store.NewFeedback): Submission {
  return {
    id,
    sk: 'EXPERIENCE',
    gs1sk: urgent ? 'URGENT' : 'NORMAL',
    data: {
      created,
      formId,
      projectId: propertyId,
      rating,
      left: leftFieldsAfter([], responses),
      ...(converted !== undefined && { converted }),
    },
  };
}
