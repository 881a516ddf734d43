import type { EventName, IEventsResponse } from '@paddle/paddle-node-sdk';
import { idLetters, momentAt } from './moments.ts';
import type { SandboxState } from './state.ts';

export type SandboxEventName = `${EventName}`;

type IdPrefix = 'add' | 'adj' | 'adjitm' | 'cpls' | 'ctm' | 'evt' | 'inv' | 'ntf' | 'paymtd' | 'pri' | 'pro' | 'sub' | 'txn' | 'txnitm';

/** What the rules work on: the state, a clock that never stands still, and a way to say what happened. */
export interface SandboxWorld {
  readonly state: SandboxState;
  /** UTC ms. */
  readonly now: () => number;
  /** The moment of something that happens: after everything that happened before, though within the same millisecond. */
  moment(): string;
  /** A prefix and 26 letters; ids sort as they were made. */
  newId(prefix: IdPrefix): string;
  newUuid(): string;
  /** Records an event, with the object as it is now, and has it delivered. */
  report(type: SandboxEventName, data: object): void;
}

interface SandboxWorldOptions {
  readonly state: SandboxState;
  readonly now: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly onEvent: (event: IEventsResponse) => void;
}

/** For so long events can be read (ms). */
const KEPT_FOR = 90 * 86_400_000;

export function openWorld({ state, now, random, onEvent }: SandboxWorldOptions): SandboxWorld {
  return {
    state,
    now: () => Math.floor(now()),
    moment: () => momentAt(tick()),
    newId: (prefix) => `${prefix}_${idLetters(tick(), random(14))}`,
    newUuid() {
      const hex = Buffer.from(random(16)).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
    },
    report(type, data) {
      const at = tick();
      const event = {
        event_id: `evt_${idLetters(at, random(14))}`,
        event_type: type,
        occurred_at: momentAt(at),
        notification_id: null,
        data: structuredClone(data),
      };
      const oldest = momentAt((now() - KEPT_FOR) * 1000);
      while ((state.events[0]?.occurred_at ?? oldest) < oldest) state.events.shift();
      state.events.push(event);
      onEvent(event);
    },
  };

  function tick(): number {
    // Some microseconds apart, as events of one change are.
    state.latest = Math.max(Math.floor(now()) * 1000, state.latest + 7 + ((random(1)[0] ?? 0) % 19));
    return state.latest;
  }
}
