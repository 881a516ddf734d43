import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gaugeOf } from '#contract/form/steps.ts';
import { forms } from '#fixtures/business.ts';
import type { Ledger } from './ledger.ts';
import type { Victim } from './victim.ts';

export interface Load {
  /** The number of each response: `200`, `503 with Retry-After`, or `none`. */
  readonly responses: ReadonlyMap<string, number>;
  /** Resolves when each visitor has an acknowledgement. */
  stop(): Promise<void>;
  /** Stops the visitors without one. */
  abandon(): void;
}

/** Each sends one submission at a time. */
export const VISITORS = 32;
const TIMEOUT = 15_000;
const PAUSE = 50;

/** Starts visitors who rate repeatedly, each retrying with the same key until acknowledged, as the form does. */
export function startLoad({ address }: Pick<Victim, 'address'>, ledger: Ledger): Load {
  const responses = new Map<string, number>();
  let isOver = false;
  let isAbandoned = false;
  const visitors = Promise.all(Array.from({ length: VISITORS }, (_, index) => visit(index)));
  return {
    responses,
    async stop() {
      isOver = true;
      await visitors;
    },
    abandon() {
      isOver = isAbandoned = true;
    },
  };

  async function visit(index: number): Promise<void> {
    for (let turn = index; !isOver; turn += 1) {
      const key = randomBytes(24).toString('base64url');
      const rating = (turn % 5) + 1;
      const since = Date.now();
      for (let attempts = 1; !isAbandoned; attempts += 1) {
        const id = await send({ key, rating, turn });
        if (id !== undefined) {
          ledger.acknowledged({ key, id, rating, attempts, duration: Date.now() - since });
          break;
        }
        await sleep(PAUSE);
      }
    }
  }

  /** Returns the acknowledged id, or undefined without an acknowledgement. */
  async function send({ key, rating, turn }: { key: string; rating: number; turn: number }): Promise<string | undefined> {
    const form = forms[turn % forms.length];
    if (!form) throw new Error('The sample business has no form');
    const data = { formId: form.id, responses: [{ uuid: gaugeOf(form.data.steps).uuid, block: 'EmojiGauge', response: rating }] };
    try {
      const response = await fetch(`${address}/api/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ service: 'feedback', action: 'save', idempotencyKey: key, payload: { data } }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      count(`${response.status}${response.headers.has('retry-after') ? ' with Retry-After' : ''}`);
      if (response.status === 400) throw new Refused(await response.text());
      const body = response.ok ? ((await response.json()) as { status: string; feedback: { id: string } }) : undefined;
      return body?.status === 'ok' ? body.feedback.id : undefined;
    } catch (error) {
      if (error instanceof Refused) throw error;
      count('none');
      return undefined;
    }
  }

  function count(response: string): void {
    responses.set(response, (responses.get(response) ?? 0) + 1);
  }
}

/** An error of this script, not a crash. */
class Refused extends Error {}
