import { MOST_DELIVERED } from '#contract/kiosk/kiosk-page.ts';
import { type CallOutcome, call } from './api.ts';
import type { TabletDatabase, WaitingAnswer } from './database.ts';

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
    async rate(given: Omit<WaitingAnswer, 'given' | 'key'>): Promise<void> {
      const answer = { ...given, key: crypto.randomUUID().replaceAll('-', ''), given: Date.now() };
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
    let most = MOST_DELIVERED;
    for (;;) {
      const oldest = (await stored.oldest(most + 1)).filter(([place]) => place !== current?.place).slice(0, most);
      const paired = token();
      if (paired === undefined || oldest.length === 0) return;
      const outcome = await call('deliver', { token: paired, answers: oldest.map(([, answer]) => agedNow(answer)) });
      note(outcome);
      if (outcome.kind === 'answered') {
        const { refused } = outcome.answer;
        await stored.settle(oldest, ({ key }) => refused.includes(key));
      } else if (outcome.kind === 'refused' && outcome.status === 400) {
        // One that is wrong must not hold up the others.
        if (oldest.length === 1) await stored.settle(oldest, () => true);
        most = 1;
      } else return;
      await count();
    }
  }
}

/** Returns an answer with its age instead of a time, because this tablet's clock may be wrong. */
function agedNow({ given, ...answer }: WaitingAnswer) {
  return { ...answer, age: Math.max(0, Date.now() - given) };
}
