import { expect } from 'vitest';
import { Refusal } from '#contract/core/errors.ts';
import type { RecordedEvent } from '#contract/events.ts';
import { ACCOUNT_ID, dana, noor, sam } from '#fixtures/business.ts';
import { createWorld } from '#fixtures/world/world.ts';
import { openEventFeed } from '../../server/event/feed.ts';
import { openTestApp } from '../support/app.ts';

const PEOPLE = { dana, noor, sam };
export type ScenarioCaller = keyof typeof PEOPLE | 'visitor';

/** The outcome of a call: `ok`, `not found` or an error code, the body, and the recorded events. */
export interface ScenarioOutcome {
  readonly result: string;
  // biome-ignore lint/suspicious/noExplicitAny: a response that a scenario reads without types
  readonly body: any;
  readonly events: readonly ScenarioEvent[];
}
type ScenarioEvent = Pick<RecordedEvent, 'name' | 'subject' | 'actor' | 'at' | 'data'>;

/** The server or the demo's world, on its own clock, which moves a second with each call. */
export interface ScenarioProduct {
  ask(caller: ScenarioCaller, operation: string, sent?: object): Promise<ScenarioOutcome>;
  /** Advances the clock (ms). */
  wait(ms: number): void;
  stop(): Promise<void>;
}

/** Longer than any access token lives (ms). */
const TOKEN_LIFE = 12 * 60 * 60_000;

/** The start of both products' clocks (UTC ms). */
export const START = Date.UTC(2026, 9, 25, 12);

function startClock(): { now(): number; wait(ms: number): void } {
  let at = START;
  return {
    now: () => at,
    wait(ms) {
      at += ms;
    },
  };
}

const namesOf = (operation: string): [service: string, action: string] => {
  const [service = '', action = ''] = operation.split('.');
  return [service, action];
};

export async function openWorldProduct(): Promise<ScenarioProduct> {
  const clock = startClock();
  const world = createWorld({ now: clock.now, crypto });
  let events: RecordedEvent[] = [];
  world.listen((event) => void events.push(event));
  return {
    async ask(caller, operation, sent = {}) {
      clock.wait(1_000);
      events = [];
      const person = caller === 'visitor' ? undefined : PEOPLE[caller];
      const answer = await world.call(person, ...namesOf(operation), sent).catch((error: unknown) => problemOf(error));
      return { result: resultOf(answer), body: answer, events: events.map(summaryOf) };
    },
    wait: clock.wait,
    stop: async () => undefined,
  };
}

const FORM_CHANGES = ['form.created', 'form.saved', 'form.closed', 'form.opened', 'form.deleted'] as const;

export async function openServerProduct(): Promise<ScenarioProduct> {
  const clock = startClock();
  const app = await openTestApp({ clock: clock.now });
  const published: RecordedEvent[] = [];
  openEventFeed(app.app.platform.pubsub).byName(FORM_CHANGES, { onEvent: (event) => void published.push(event) });
  const signIn = (caller: ScenarioCaller): Promise<string | undefined> =>
    caller === 'visitor' ? Promise.resolve(undefined) : app.signIn(PEOPLE[caller].data.emailAddress);
  const tokens = new Map<ScenarioCaller, string | undefined>();
  for (const name of Object.keys(PEOPLE) as ScenarioCaller[]) tokens.set(name, await signIn(name));
  return {
    async ask(caller, operation, sent = {}) {
      clock.wait(1_000);
      // A topic's answers are found by a job, which the world doesn't wait for.
      if (operation.startsWith('topic.')) await expect.poll(unmatched).toBe(0);
      const before = await lastEvent();
      if (!tokens.has(caller)) tokens.set(caller, await signIn(caller));
      const { body } = await app.call(...namesOf(operation), sent, tokens.get(caller));
      const events = await app.stored<RecordedEvent>(
        `select name, subject, actor, (extract(epoch from at) * 1000)::float8 as at, data from event where account_id = $1 and id > $2 order by id`,
        [ACCOUNT_ID, before],
      );
      // Visitors see a changed form once its event is published.
      const ofForms = events.filter(({ name }) => name.startsWith('form.'));
      await expect.poll(() => ofForms.every(({ name, at }) => published.some((each) => each.name === name && each.at === at))).toBe(true);
      const { type: _type, title: _title, status, requestId: _requestId, ...problem } = body;
      return { result: resultOf(body), body: body.code ? problem : { ...body, status }, events: events.map(summaryOf) };
    },
    wait(ms) {
      clock.wait(ms);
      // The tokens have expired, so each caller signs in again.
      if (ms > TOKEN_LIFE) tokens.clear();
    },
    stop: () => app.stop(),
  };

  async function unmatched(): Promise<number> {
    return (await app.stored('select from topic where matched is null')).length;
  }

  async function lastEvent(): Promise<number> {
    const [row] = await app.stored<{ last: number }>('select coalesce(max(id), 0)::integer as last from event');
    return row?.last ?? 0;
  }
}

/** Returns a refusal as the API sends it, without the transport fields. */
function problemOf(error: unknown): object {
  if (!(error instanceof Refusal)) throw error;
  const { code, detail, errors } = error;
  return { code, ...(detail !== undefined && { detail }), ...(errors.length > 0 && { errors }) };
}

function resultOf(answer: unknown): string {
  const { status, code } = answer as { status?: string; code?: string };
  return code ?? status ?? 'nothing';
}

const summaryOf = ({ name, subject, actor, at, data }: RecordedEvent): ScenarioEvent => ({ name, subject, actor, at, data });
