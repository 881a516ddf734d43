import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IEventsResponse } from '@paddle/paddle-node-sdk';
import type { FastifyBaseLogger } from 'fastify';
import type { PendingDelivery, StateFile } from './state.ts';

export type EventDelivery = ReturnType<typeof openDelivery>;

interface DeliveryOptions {
  readonly notify: { readonly url: string; readonly secret: string };
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** The waits before the retries of an event (ms). After the last one it is given up. */
const RETRY_DELAYS = [50, 400, 3_200, 25_600];
/** The receiver has to respond within this time (ms). */
const TIMEOUT = 5_000;

/** Posts signed events to one receiver, one at a time, and retries those that it doesn't accept. */
export function openDelivery({ state, save }: StateFile, { notify, log }: DeliveryOptions) {
  const shutdown = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let currentRun: Promise<void> | undefined;
  wake();

  return {
    enqueue(event_id: string): void {
      state.deliveries.push({ event_id, tries: 0, due: Date.now() });
      wake();
    },
    /** Continues after deliveries were held or released. */
    wake,
    /** Resolves once every event was accepted, given up or held. */
    async settled(): Promise<void> {
      while (currentRun || (isDelivering() && state.deliveries.length > 0)) await sleep(5);
    },
    /** Pending deliveries stay in the state. */
    async stop(): Promise<void> {
      shutdown.abort();
      clearTimeout(timer);
      await currentRun;
    },
  };

  function isDelivering(): boolean {
    return !state.faults.holdsDeliveries && !shutdown.signal.aborted;
  }

  function wake(): void {
    clearTimeout(timer);
    if (currentRun || !isDelivering() || state.deliveries.length === 0) return;
    const next = Math.min(...state.deliveries.map(({ due }) => due));
    timer = setTimeout(start, Math.max(0, next - Date.now()));
  }

  function start(): void {
    currentRun = deliverDue()
      .catch((error: unknown) => log.warn({ err: error }, 'the Paddle stand-in could not save its deliveries'))
      .finally(() => {
        currentRun = undefined;
        wake();
      });
  }

  async function deliverDue(): Promise<void> {
    for (const delivery of state.deliveries.filter(({ due }) => due <= Date.now())) {
      if (!isDelivering()) return;
      await deliver(delivery);
      await save();
    }
  }

  async function deliver(delivery: PendingDelivery): Promise<void> {
    const event = state.events.find(({ event_id }) => event_id === delivery.event_id);
    const isAccepted = event === undefined || (await post(event));
    if (!isAccepted && shutdown.signal.aborted) return;
    const wait = isAccepted ? undefined : RETRY_DELAYS[delivery.tries];
    delivery.tries += 1;
    delivery.due = Date.now() + (wait ?? 0);
    if (wait !== undefined) return;
    if (!isAccepted) log.warn({ event: event.event_id, type: event.event_type }, 'the Paddle stand-in gave up delivering an event');
    state.deliveries = state.deliveries.filter((pending) => pending !== delivery);
  }

  async function post(event: IEventsResponse): Promise<boolean> {
    const body = JSON.stringify({ ...event, notification_id: event.event_id.replace('evt_', 'ntf_') });
    const headers = { 'content-type': 'application/json', 'paddle-signature': signatureOf(body, notify.secret) };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), shutdown.signal]);
    try {
      const response = await fetch(notify.url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

/** Returns `Paddle-Signature` of a body. The receiver compares it with the machine's clock. */
function signatureOf(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  return `ts=${seconds};h1=${createHmac('sha256', secret).update(`${seconds}:${body}`).digest('hex')}`;
}
