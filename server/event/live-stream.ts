import { type EventName, isSeenBy, type RecordedEvent } from '#contract/events.ts';
import type { Person } from '../platform/tenancy/access.ts';
import { type EventStream, serverSent } from './event-stream.ts';
import type { EventFeed } from './feed.ts';

/** The person whose stream it is, and the id of the account’s newest event. */
export interface StreamAdmission {
  readonly person: Person;
  readonly newest: number;
}

interface LiveStreamOptions extends StreamAdmission {
  readonly out: EventStream;
  readonly feed: EventFeed;
  /** The interval between checks (ms). */
  readonly every: number;
  /** Checks the session again. Rejects if it has ended. */
  readonly admit: () => Promise<StreamAdmission>;
  readonly onEnd: () => void;
}

/** Events after which their subject may see less, or nothing. */
const CHANGES_RIGHTS: ReadonlySet<EventName> = new Set(['user.removed', 'user.level-changed']);

/** One person's stream. Every beat checks that the session is still valid and that no event was missed. */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #stops: readonly (() => void)[];
  #listener: Person;
  #newestReceived: number;
  /** The newest event id at the previous check. If its notification hasn't arrived since, it is lost. */
  #newestRecorded: number;

  constructor(options: LiveStreamOptions) {
    const { person, newest, out, feed, every } = options;
    this.#options = options;
    this.#listener = person;
    this.#newestReceived = newest;
    this.#newestRecorded = newest;
    const check = () => void this.#check();
    const unsubscribe = feed.ofAccount(person.accountId, {
      onEvent: (event) => this.#pass(event),
      onGap: () => out.send(serverSent('missed', {})),
      onNotified: () => out.send(serverSent('notified', {})),
    });
    const beat = setInterval(check, every);
    this.#stops = [() => clearInterval(beat), unsubscribe, feed.signedOut(person.userId, check), options.onEnd];
    out.onClose(() => this.end());
  }

  end(): void {
    for (const stop of this.#stops) stop();
    this.#options.out.end();
  }

  #pass(event: RecordedEvent): void {
    const { person, out } = this.#options;
    this.#newestReceived = Math.max(this.#newestReceived, event.id);
    if (isSeenBy(event.name, this.#listener)) out.sendEvent(event);
    if (event.name === 'account.deleted') this.end();
    // Only this person's: if a whole account checked at once, it would take every connection to the database.
    else if (CHANGES_RIGHTS.has(event.name) && event.subject === person.userId) void this.#check();
  }

  async #check(): Promise<void> {
    const { person, out, admit } = this.#options;
    try {
      const now = await admit();
      if (now.person.accountId !== person.accountId) return this.end();
      this.#listener = now.person;
      out.send(this.#newestRecorded > this.#newestReceived ? serverSent('missed', {}) : ': beat\n\n');
      this.#newestReceived = Math.max(this.#newestReceived, this.#newestRecorded);
      this.#newestRecorded = now.newest;
    } catch {
      this.end();
    }
  }
}
