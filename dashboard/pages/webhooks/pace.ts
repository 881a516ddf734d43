import type { Webhook, WebhookDelivery } from '#contract/webhook/webhook.ts';

/** How often it is asked what came of a message that is about to be tried, or is (ms). */
const EVERY = 1_000;
const SOON = 10_000;

/** After how long (ms) messages are read anew, now (UTC ms); false where nothing will come of them. While a webhook is off, what is due waits for ever. */
export const paceOf = ({ data: { isOn } }: Webhook, deliveries: readonly WebhookDelivery[], now: number): number | false =>
  isOn && deliveries.some((delivery) => isAboutToBeTried(delivery, now)) ? EVERY : false;

/** Or is being tried: then no next try is told. */
const isAboutToBeTried = ({ data: { status, next = 0 } }: WebhookDelivery, now: number): boolean =>
  status === 'waiting' && next < now + SOON;
