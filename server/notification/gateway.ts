import webPush from 'web-push';
import { PUSH_LIVES } from '#contract/notification/device.ts';
import type { OutboundCall } from '../platform/outbound/outbound.ts';

/* Push services, by RFC 8030: what a push is on the wire. The library encrypts and signs; it opens no connection. */

/** The keys that push services know this installation by (RFC 8292), base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const makeVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys();

/** A browser as it is subscribed: its address at a push service, and the keys that only it can open with. */
export interface PushAddress {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface OutgoingPush extends Pick<OutboundCall, 'caller'> {
  readonly to: PushAddress;
  /** What the service worker is handed, as JSON. */
  readonly payload: object;
  /** Of several with one topic that wait for a device, it gets the newest: at most 32 letters of base64url. */
  readonly topic: string;
  /** How old it is (ms). */
  readonly age: number;
  readonly keys: VapidKeys;
  /** Whom a push service writes to where something is wrong: `mailto:` or `https:`. */
  readonly contact: string;
}

/** The call that brings a push to its service. Throws where the browser's keys are none. */
export function pushCall({ caller, to, payload, topic, age, keys, contact }: OutgoingPush): OutboundCall {
  const { endpoint, headers, body } = webPush.generateRequestDetails(to, JSON.stringify(payload), {
    vapidDetails: { subject: contact, ...keys },
    TTL: Math.max(0, Math.floor((PUSH_LIVES - age) / 1000)),
    urgency: 'high',
    topic,
  });
  const { 'Content-Type': contentType = '', 'Content-Length': _length, ...rest } = headers as Record<string, string>;
  return { caller, url: endpoint, headers: rest, body: body as Buffer, contentType };
}
