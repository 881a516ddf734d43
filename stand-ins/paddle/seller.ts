import { randomBytes } from 'node:crypto';
import type { EventName } from '@paddle/paddle-node-sdk';
import type { PaddleState, StateFile } from './state.ts';

/** One seller's account at Paddle: its records, its clock, and the events it reports. */
export interface Seller {
  readonly state: PaddleState;
  /** Writes the records to their file. */
  readonly save: () => Promise<void>;
  /** UTC ms. */
  readonly now: () => number;
  /** Returns the current time in ISO 8601, at least a millisecond after the previous one, so that events can be ordered. */
  timestamp(): string;
  /** Returns a prefix and 26 characters that sort after every earlier id and can't be guessed. */
  newId(prefix: string): string;
  /** Records an event about an object as it is now, and has it delivered. */
  report(type: `${EventName}`, data: object): void;
}

interface SellerOptions extends StateFile {
  readonly now: () => number;
  readonly onEvent: (eventId: string) => void;
}

/** How many events can be listed. */
const EVENTS_STORED = 2_000;

export function openSeller({ state, save, now, onEvent }: SellerOptions): Seller {
  return { state, save, now, timestamp: () => new Date(tick()).toISOString(), newId, report };

  function tick(): number {
    state.latest = Math.max(Math.floor(now()), state.latest + 1);
    return state.latest;
  }

  function newId(prefix: string): string {
    return `${prefix}_${tick().toString(36).padStart(9, '0')}${randomBytes(9).toString('hex').slice(1)}`;
  }

  function report(type: `${EventName}`, data: object): void {
    const event_id = newId('evt');
    const occurred_at = new Date(state.latest).toISOString();
    state.events.push({ event_id, event_type: type, occurred_at, notification_id: null, data: structuredClone(data) });
    state.events.splice(0, state.events.length - EVENTS_STORED);
    onEvent(event_id);
  }
}
