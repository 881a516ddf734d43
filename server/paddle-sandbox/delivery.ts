import { createHmac } from 'node:crypto';
import type { IEventsResponse } from '@paddle/paddle-node-sdk';
import type { FastifyBaseLogger } from 'fastify';
import type { SandboxState, WaitingDelivery } from './state.ts';

/** Brings events to whoever is told, signed, one after another. */
export interface EventDelivery {
  /** Has an event delivered. */
  enqueue(eventId: string): void;
  /** Goes on after something about the deliveries was changed. */
  wake(): void;
  /** Waits until nothing is under way: everything is delivered, given up, or held back. */
  settled(): Promise<void>;
  /** Ends; what waits stays in the state. */
  stop(): Promise<void>;
}

interface DeliveryOptions {
  readonly state: SandboxState;
  readonly notify: { readonly url: string | (() => string); readonly secret: string } | undefined;
  /** ms between what happens and its delivery, and before the first retry a little more. */
  readonly delay: number;
  readonly newNotificationId: () => string;
  readonly onChange: () => void;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** As often an event is brought before it is given up. */
const MOST_TRIES = 5;
/** Each wait before another try is so many times the one before. */
const GROWTH = 4;
const SHORTEST_WAIT = 5;
/** Who does not answer within this time has not got it (ms). */
const PATIENCE = 5_000;

export function openDelivery({ state, notify, delay, newNotificationId, onChange, log }: DeliveryOptions): EventDelivery {
  const waiters = new Set<() => void>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  if (!notify) state.deliveries = [];
  arm();

  return {
    enqueue(eventId) {
      if (!notify) return;
      state.deliveries.push({ event_id: eventId, tries: 0, due: Date.now() + delay });
      arm();
    },
    wake: arm,
    settled: () =>
      new Promise((resolve) => {
        if (stopping.signal.aborted) return resolve();
        waiters.add(resolve);
        arm();
      }),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      for (const resolve of waiters) resolve();
    },
  };

  /** Waits for what is due next; says so where there is nothing to wait for. */
  function arm(): void {
    if (running || stopping.signal.aborted) return;
    clearTimeout(timer);
    if (state.deliveries.length === 0 || state.faults.holdsDeliveries) {
      for (const resolve of waiters) resolve();
      waiters.clear();
      return;
    }
    const dues = state.deliveries.map(({ due }) => due);
    // Out of order they leave together.
    const next = state.faults.reversesNextDeliveries ? Math.max(...dues) : Math.min(...dues);
    timer = setTimeout(
      () => {
        running = deliverDue().finally(() => {
          running = undefined;
          arm();
        });
      },
      Math.max(0, next - Date.now()),
    );
    timer.unref();
  }

  async function deliverDue(): Promise<void> {
    const due = state.deliveries.filter((each) => each.due <= Date.now());
    if (state.faults.reversesNextDeliveries && due.length > 0) {
      state.faults.reversesNextDeliveries = false;
      due.reverse();
    }
    for (const delivery of due) {
      if (stopping.signal.aborted || state.faults.holdsDeliveries) return;
      await deliver(delivery);
      onChange();
    }
  }

  async function deliver(delivery: WaitingDelivery): Promise<void> {
    const event = state.events.find(({ event_id }) => event_id === delivery.event_id);
    const isLost = state.faults.losesNextDelivery;
    state.faults.losesNextDelivery = false;
    if (!event || isLost || (await isTaken(event))) return remove(delivery);
    if (stopping.signal.aborted) return;
    delivery.tries += 1;
    delivery.due = Date.now() + Math.max(delay, SHORTEST_WAIT) * GROWTH ** delivery.tries;
    if (delivery.tries < MOST_TRIES) return;
    remove(delivery);
    log.warn({ event: event.event_id, type: event.event_type }, 'the payment sandbox gave up delivering an event');
  }

  async function isTaken(event: IEventsResponse): Promise<boolean> {
    if (!notify) return true;
    const body = JSON.stringify({ ...event, notification_id: newNotificationId() });
    try {
      const answer = await fetch(typeof notify.url === 'string' ? notify.url : notify.url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'paddle-signature': signature(body, notify.secret) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(PATIENCE), stopping.signal]),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }

  function remove(delivery: WaitingDelivery): void {
    state.deliveries = state.deliveries.filter((each) => each !== delivery);
  }
}

/** `Paddle-Signature` of a body that is sent now. Whoever verifies it looks at the machine's clock. */
function signature(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  return `ts=${seconds};h1=${createHmac('sha256', secret).update(`${seconds}:${body}`).digest('hex')}`;
}
