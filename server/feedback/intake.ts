import { createHash } from 'node:crypto';
import { badField, type Refusal, refusal } from '#contract/core/errors.ts';
import { feedbackId, toolIdOf } from '#contract/core/ids.ts';
import { MESSAGES } from '#contract/core/schema.ts';
import { VISITOR } from '#contract/event/event.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { Diagnostics, Feedback, Response, Submission } from '#contract/feedback/feedback.ts';
import { leftFieldsAfter } from '#contract/form/form-page.ts';
import {
  addsContact,
  areSameResponses,
  canBeAmended,
  type Derived,
  derive,
  hasOpenedReview,
  mergeResponses,
  submissionOf,
  unreachable,
  type WrongResponse,
  wrongResponse,
} from '#contract/form/submission.ts';
import { append } from '../event/store.ts';
import { earlierVersions, type PublicForm } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { type Batcher, createBatcher } from '../platform/database/batch.ts';
import { asRefusal, isLocked, sqlState } from '../platform/database/database.ts';
import type { Figures } from '../platform/figures.ts';
import { type AccountScope, inAccount } from '../platform/tenancy/access.ts';
import { openBudget, type Spending, UNCOUNTED } from './budget.ts';
import { openIntakeCheck } from './intake-check.ts';
import * as store from './store.ts';

/** What a visitor sent. */
interface IncomingSubmission {
  readonly key: string;
  readonly responses: readonly Response[];
  /** The version that the page showed, where it says so. */
  readonly formVersion?: number | undefined;
  readonly diagnostics?: Diagnostics | undefined;
  readonly url?: string | undefined;
  readonly userId?: string | undefined;
  /** The placement that the form's address named. */
  readonly at?: string | undefined;
  /** Whether somebody of the team tries the form. */
  readonly test?: true | undefined;
  /** The network that it came from, where that is known. */
  readonly network?: string | undefined;
}

/** The visitors' write path: from here on a submission is on disk, or its sender knows that it is not. */
export interface Intake {
  /** Stores a submission or amends the one that its key names. Resolves after the commit. */
  submit(target: PublicForm, sent: IncomingSubmission): Promise<Submission>;
  /** The submission that a key names, for the holder of the key, as long as it can be amended; undefined when there is none. */
  find(target: PublicForm, key: string): Promise<Submission | undefined>;
  /** Whether a key names a submission that can no longer be amended. */
  isOver(target: PublicForm, key: string): Promise<boolean>;
  /** Throws while submissions cannot be stored. */
  check(): Promise<void>;
  /** How what visitors send fares in this process. */
  readonly figures: Figures;
  /** Resolves when every submission that was accepted so far, and its place in a budget, is on disk or refused. */
  drain(): Promise<void>;
}

/** Two multi-row inserts in flight keep the disk busy while the next gather what arrives. */
const LANES = 2;
const MOST_ROWS = 200;
/** At most this many submissions wait; further ones are refused with a retry, which the form’s page makes by itself. */
const MOST_WAITING = 5_000;
/** Neither new nor known by its key means that the id's five letters were taken in that millisecond: take others. */
const ID_ATTEMPTS = 3;
/** Processes that share a database pick one of these, so that they rarely count in the same rows. */
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
  const budget = openBudget(platform);
  return {
    async submit(target, sent) {
      const version = await versionOf(platform, target, sent);
      const keyHash = hashOf(sent.key);
      const wrong = unreachable(sent.responses);
      const derived = wrong ? undefined : derive(sent.responses);
      for (let attempt = 0; derived && attempt < ID_ATTEMPTS; attempt += 1) {
        const { isBeyond, settle } = spendingOf(target, keyHash, sent);
        const row = newRow(platform, target, { ...sent, keyHash, version, derived, isBeyond });
        if (await isNew(writer, row, settle)) return sentRow(row);
        const amended = await amend(platform, target, { keyHash, responses: sent.responses });
        if (amended) return amended;
      }
      // Without a rating, or a way to reach whoever asks for it, it can only be an addition to what is there already.
      const amended = await amend(platform, target, { keyHash, responses: sent.responses });
      if (!amended) throw wrong ? badResponse(wrong) : badField('payload.data.responses', MESSAGES.rating);
      return amended;
    },
    async find(target, key) {
      const found = await byKey(target, key);
      return found && canBeAmended(found.data.created, platform.now()) ? submissionOf(found) : undefined;
    },
    async isOver(target, key) {
      const found = await byKey(target, key);
      return found !== undefined && !canBeAmended(found.data.created, platform.now());
    },
    check,
    figures: intakeFigures(writer),
    async drain() {
      await writer.drain();
      await budget.stop();
    },
  };

  function byKey({ accountId, form }: PublicForm, key: string): Promise<Feedback | undefined> {
    return inAccount(platform, { accountId, actor: VISITOR }, (scope) => store.byKey(scope, form.id, hashOf(key)));
  }

  function spendingOf({ accountId, form }: PublicForm, keyHash: string, { network }: IncomingSubmission): Spending {
    if (network === undefined) return UNCOUNTED;
    return budget.spend({ id: form.id, accountId, propertyId: form.data.propertyId }, { network, keyHash });
  }
}

const insertInto =
  ({ database }: IntakeDependencies, subscribedNames: () => readonly EventName[]): store.Insert =>
  (rows, lane) =>
    store.insertMany(database, rows, { lane, subscribedNames: subscribedNames() });

const intakeFigures = (writer: Writer) =>
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
  }) satisfies Figures;

/* ── New feedback: rows of many visitors share a transaction ── */

/** Stores a row and resolves with whether it is new. */
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
   * One row never fails the others of its batch: where a batch fails because of its data, each row is tried alone. Where
   * another transaction locks what a row refers to, each account's rows are, so that no account waits for another.
   */
  async function insertTogether(rows: readonly store.NewFeedback[], lane: number): Promise<(boolean | Error)[]> {
    try {
      return await inserted(rows, lane);
    } catch (error) {
      if (rows.length === 1 || (asRefusal(error) && !isLocked(error))) throw error;
      const parts = isLocked(error) ? byAccount(rows) : rows.map((row) => [row]);
      const outcomes = new Map((await Promise.all(parts.map((part) => insertPart(part, lane)))).flat());
      return rows.map(({ id }) => outcomes.get(id) ?? new Error('A row was left out'));
    }
  }

  async function insertPart(rows: readonly store.NewFeedback[], lane: number): Promise<(readonly [id: string, boolean | Error])[]> {
    try {
      const stored = await inserted(rows, lane);
      return rows.map(({ id }, place) => [id, stored[place] === true]);
    } catch (error) {
      return rows.map(({ id }) => [id, asError(error)]);
    }
  }

  async function inserted(rows: readonly store.NewFeedback[], lane: number): Promise<boolean[]> {
    const { ids, arrivals } = await insert(rows, lane);
    pubsub.publish(arrivals);
    return rows.map(({ id }) => ids.has(id));
  }
}

function byAccount(rows: readonly store.NewFeedback[]): store.NewFeedback[][] {
  const groups = new Map<string, store.NewFeedback[]>();
  for (const row of rows) groups.set(row.accountId, [...(groups.get(row.accountId) ?? []), row]);
  return [...groups.values()];
}

/** Stores a row; false when its key was stored before. */
async function isNew(writer: Writer, row: store.NewFeedback, settle: Spending['settle']): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await writer.add(row);
    return isStored;
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw refusal('form-closed');
    throw error;
  } finally {
    settle(isStored);
  }
}

interface NewRow extends IncomingSubmission {
  readonly keyHash: string;
  readonly version: number;
  readonly derived: Derived;
  readonly isBeyond: boolean;
}

function newRow(
  { now, random }: IntakeDependencies,
  target: PublicForm,
  { keyHash, version, derived, isBeyond, responses, diagnostics, url, userId, at, test }: NewRow,
): store.NewFeedback {
  const created = now();
  return {
    accountId: target.accountId,
    id: feedbackId(created, random),
    propertyId: target.form.data.propertyId,
    formId: target.form.id,
    formVersion: version,
    keyHash,
    suspected: isBeyond ? true : undefined,
    created,
    ...parts(derived),
    converted: hasOpenedReview(responses) ? created : undefined,
    responses,
    diagnostics,
    url,
    userId,
    toolId: at === undefined ? undefined : toolIdOf(at),
    // Whoever sends that many tries nothing any more.
    test: isBeyond ? undefined : test,
  };
}

/** The version that the answers were given to: the one that the page showed; where it does not say, the newest that they fit. */
async function versionOf(
  { database }: IntakeDependencies,
  target: PublicForm,
  { responses, formVersion: shown }: Pick<IncomingSubmission, 'responses' | 'formVersion'>,
): Promise<number> {
  const { version, steps } = target.form.data;
  const wrong = wrongResponse(steps, responses);
  const isOld = shown !== undefined && shown < version;
  if (!wrong && !isOld) return version;
  const fitting = (await earlierVersions(database, target)).filter((each) => !wrongResponse(each.steps, responses));
  const asked = fitting.find((each) => each.version === shown);
  if (asked) return asked.version;
  if (!wrong) return version;
  if (!fitting[0]) throw badResponse(wrong);
  return fitting[0].version;
}

const badResponse = ({ index, field, message }: WrongResponse): Refusal => badField(`payload.data.responses.${index}.${field}`, message);

/* ── Amending, by whoever holds the key ── */

/** Amends the submission that a key names; undefined when there is none. */
async function amend(
  platform: IntakeDependencies,
  target: PublicForm,
  { keyHash, responses }: { keyHash: string; responses: readonly Response[] },
): Promise<Submission | undefined> {
  const happened: RecordedEvent[] = [];
  const amended = await inAccount(platform, { accountId: target.accountId, actor: VISITOR }, async (scope) => {
    const before = await store.lockByKey(scope, target.form.id, keyHash);
    if (!before) return undefined;
    const merged = mergeResponses(before.data.responses, responses);
    if (areSameResponses(merged, before.data.responses)) return before;
    if (!canBeAmended(before.data.created, platform.now())) throw refusal('amend-closed');
    const wrong = unreachable(merged) && unreachable(responses);
    if (wrong) throw badResponse(wrong);
    const derived = derive(merged);
    if (!derived) throw badField('payload.data.responses', MESSAGES.rating);
    const converted = before.data.converted ?? (hasOpenedReview(merged) ? platform.now() : undefined);
    const after = await store.amend(scope, before, { ...parts(derived), converted, responses: merged });
    happened.push(...(await recordAmended(scope, before, after)));
    return after;
  });
  platform.pubsub.publish(happened);
  return amended && submissionOf(amended);
}

async function recordAmended(scope: AccountScope, before: Feedback, after: Feedback): Promise<RecordedEvent[]> {
  const { id: subject, gs1sk, data } = after;
  const rated = { propertyId: data.projectId, rating: data.rating };
  const happened = { subject, data: rated };
  const amended = await append(scope, 'feedback.amended', {
    subject,
    data: { ...rated, ...(addsContact(before, after) && { contact: true }) },
  });
  const isUrgentNow = gs1sk === 'URGENT' && before.gs1sk !== 'URGENT' && !data.suspected && !data.test;
  return isUrgentNow ? [amended, await append(scope, 'feedback.urgent', happened)] : [amended];
}

/** The form was removed between its reading and this insert. */
const FOREIGN_KEY_VIOLATION = '23503';

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const parts = ({ rating, urgent, kind, source, text }: Derived) => ({ rating, urgent, kind, source, text });

/** A new row as the visitor who sent it may see it. */
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
