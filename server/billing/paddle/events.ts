import type { EventEntity, IEventsResponse } from '@paddle/paddle-node-sdk';
import type { EventBody, PaymentProvider } from '../port.ts';
import type { PaddleClient } from './client.ts';
import { eventFrom } from './conversion.ts';

/** Events per page. */
const EVENTS_AT_ONCE = 100;
/** Signatures dated further ahead than this (ms) are rejected, because someone could store them for later. @limit payment-events */
const AHEAD = 5_000;

interface EventOptions {
  readonly webhookSecrets: readonly string[];
  /** UTC ms. */
  readonly now: () => number;
}

/** Events, which Paddle posts and also lists. */
export const unsettledEvents = (
  { paddle, read }: PaddleClient,
  { webhookSecrets, now }: EventOptions,
): Pick<PaymentProvider, 'readWebhook' | 'readEvent' | 'eventsAfter'> => ({
  async readWebhook(raw, header) {
    const signatures = signaturesIn(header, now());
    // An empty secret would accept any signature. The settings refuse one.
    for (const secret of webhookSecrets)
      for (const signature of signatures)
        if (secret !== '' && (await paddle.webhooks.isSignatureValid(raw, secret, signature))) return JSON.parse(raw) as EventBody;
    return 'forged';
  },
  readEvent: eventFrom,
  async *eventsAfter(after) {
    const events = paddle.events.list({ orderBy: 'id[ASC]', perPage: EVENTS_AT_ONCE, ...(after !== undefined && { after }) });
    // Unparsed, so that one unreadable event doesn't block the others.
    events.fromJson = (body) => body as unknown as EventEntity;
    while (events.hasMore) yield (await read('events.list', () => events.next())) as unknown as (EventBody & IEventsResponse)[];
  },
});

/** Splits the header into one signature each, because Paddle's library checks only the last. Returns none for a future date. */
function signaturesIn(header: string, now: number): string[] {
  const parts = header.split(';').map((part) => part.trim());
  const at = parts.find((part) => /^ts=\d{1,12}$/.test(part));
  if (at === undefined || Number(at.slice(3)) * 1_000 > now + AHEAD) return [];
  return parts
    .filter((part) => /^h1=[\da-f]{64}$/.test(part))
    .slice(0, MOST_SIGNATURES)
    .map((part) => `${at};${part}`);
}

/** There are two while a secret is being replaced. */
const MOST_SIGNATURES = 4;
