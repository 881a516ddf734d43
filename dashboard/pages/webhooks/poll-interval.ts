import type { Webhook, WebhookDelivery } from '#contract/webhook/webhook.ts';

/** The interval while a message is being sent or due soon (ms). */
const INTERVAL = 1_000;
/** A message is due soon within this time (ms). */
const SOON = 10_000;

/** Returns the interval for reloading messages (ms), or false if none will change soon. While a webhook is off, none is sent. `now` is UTC ms. */
export const pollInterval = ({ data: { isOn } }: Webhook, deliveries: readonly WebhookDelivery[], now: number): number | false =>
  isOn && deliveries.some((delivery) => isActive(delivery, now)) ? INTERVAL : false;

/** Returns true if the message is due soon or being sent; in the latter case it has no next attempt. */
const isActive = ({ data: { status, next = 0 } }: WebhookDelivery, now: number): boolean => status === 'waiting' && next < now + SOON;
