import { LONGEST_AGE, MOST_DELIVERED } from '#contract/kiosk/kiosk-page.ts';
import { newKey } from '../form/new-key.ts';
import { type CallOutcome, call } from './api.ts';
import type { PlacedAnswer, TabletDatabase, TapTime, WaitingAnswer } from './database.ts';

interface AnswersOptions {
  readonly database: Promise<TabletDatabase>;
  /** Returns the pairing's token; undefined while there is none. */
  readonly token: () => string | undefined;
  readonly note: (outcome: CallOutcome<'deliver'>) => void;
  readonly show: (counts: { readonly waiting: number; readonly refused: number }) => void;
}

/**
 * Stores answers and delivers them. An answer is delivered when its visitor is done, so that its words arrive with it; one whose page
 * was closed is delivered after the next start.
 */
export function openAnswers({ database, token, note, show }: AnswersOptions) {
  /** The current visitor's answer. */
  let current: { readonly place: number; readonly answer: WaitingAnswer } | undefined;
  let delivering: Promise<void> | undefined;
  return {
    /** Stores a rating. It has arrived on the disk when this resolves. */
    async rate(given: Omit<WaitingAnswer, keyof TapTime | 'key'>): Promise<void> {
      const answer = { ...given, key: newKey(), ...timeOfTap() };
      current = { answer, place: await (await database).put(answer) };
      await count();
    },
    /** Adds words to the current visitor's rating. */
    async addWords(response: WaitingAnswer['responses'][number]): Promise<void> {
      if (!current) return;
      const answer = { ...current.answer, responses: [...current.answer.responses, response] };
      current = { answer, place: await (await database).put(answer, current.place) };
    },
    /** Delivers the current visitor's answer, and starts the next visit. */
    finish(): void {
      current = undefined;
      void deliver();
    },
    deliver,
    count,
  };

  async function count(): Promise<void> {
    const stored = await database;
    show({ waiting: await stored.count(), refused: await stored.countRefused() });
  }

  /** Delivers in turn, so that no answer is sent twice at the same time. */
  function deliver(): Promise<void> {
    delivering = (delivering ?? Promise.resolve()).then(deliverAll).catch(() => undefined);
    return delivering;
  }

  async function deliverAll(): Promise<void> {
    const stored = await database;
    /** The places of answers that the server can't store now. They must not hold up the others. */
    const skipped = new Set<number>();
    let most = MOST_DELIVERED;
    for (;;) {
      const waiting = await stored.oldest(most + skipped.size + 1);
      const oldest = waiting.filter(([place]) => place !== current?.place && !skipped.has(place)).slice(0, most);
      const paired = token();
      if (paired === undefined || oldest.length === 0) return;
      const outcome = await call('deliver', { token: paired, answers: oldest.map(([, answer]) => agedNow(answer)) });
      note(outcome);
      if (outcome.kind === 'answered') {
        const { refused } = outcome.answer;
        await stored.settle(oldest, ({ key }) => refused.includes(key));
      } else if (outcome.kind === 'refused' && outcome.code === 'too-large' && oldest.length > 1) {
        most = Math.ceil(oldest.length / 2);
      } else if (outcome.kind === 'refused') {
        const { named, final } = namedBy(outcome, oldest);
        await stored.settle(final, () => true);
        for (const [place] of named) skipped.add(place);
        if (named.length === 0 || skipped.size > MOST_DELIVERED) return;
      } else return;
      await count();
    }
  }
}

/** Returns the delivered answers that a refusal is about, and those of them that the server will never accept. */
function namedBy({ code, errors }: Extract<CallOutcome<'deliver'>, { kind: 'refused' }>, delivered: readonly PlacedAnswer[]) {
  const isNamed = (index: number, field: string): boolean => errors.some(({ path }) => path.startsWith(`answers.${index}.${field}`));
  return {
    named: delivered.filter((_, index) => code === 'too-large' || isNamed(index, '')),
    // An error outside the responses means that page and server have different versions, as during an upgrade.
    final: delivered.filter((_, index) => isNamed(index, 'responses')),
  };
}

const timeOfTap = (): TapTime => ({ given: Date.now(), page: [performance.timeOrigin, performance.now()] });

/** Returns an answer with its age instead of a time, because this tablet's clock may be wrong. */
function agedNow({ given, page: [origin, passed] = [0, 0], ...answer }: WaitingAnswer) {
  // The page's clock stands still while the tablet sleeps, and another page has another one.
  const least = origin === performance.timeOrigin ? performance.now() - passed : 0;
  const age = Date.now() - given;
  // An impossible age means that the tablet's clock has been corrected since.
  return { ...answer, age: age < least || age > LONGEST_AGE ? least : age };
}
