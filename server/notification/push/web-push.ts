import webPush from 'web-push';
import { PUSH_TTL } from '#contract/notification/device.ts';
import type { OutboundCall } from '../../platform/outbound/outbound.ts';

/* Pushes on the wire, by RFC 8030. The library encrypts and signs; it opens no connection. */

/** The keys by which push services identify this installation (RFC 8292), base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const makeVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys();

/** A browser's subscription: its address at a push service, and the keys that only it can decrypt with. */
export interface PushAddress {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface OutgoingPush extends Pick<OutboundCall, 'caller'> {
  readonly to: PushAddress;
  /** What the service worker receives, as JSON. */
  readonly payload: object;
  /** A device receives the newest of the waiting pushes with one topic: at most 32 characters of base64url. */
  readonly topic: string;
  /** How old it is (ms). */
  readonly age: number;
  readonly keys: VapidKeys;
  /** Where a push service reports problems: `mailto:` or `https:`. */
  readonly contact: string;
}

/** Returns the call that sends a push. Throws if the browser's keys are invalid. */
export function pushCall({ caller, to, payload, topic, age, keys, contact }: OutgoingPush): OutboundCall {
  const { endpoint, headers, body } = webPush.generateRequestDetails(to, JSON.stringify(payload), {
    vapidDetails: { subject: contact, ...keys },
    TTL: Math.max(0, Math.floor((PUSH_TTL - age) / 1000)),
    urgency: 'high',
    topic,
  });
  const { 'Content-Type': contentType = '', 'Content-Length': _length, ...rest } = headers as Record<string, string>;
  return { caller, url: endpoint, headers: rest, body: body as Buffer, contentType };
}
