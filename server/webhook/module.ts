import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { openOutbound } from '../platform/outbound/outbound.ts';
import { openCourier } from './courier.ts';
import { webhookFigures } from './figures.ts';
import { openWebhook, webhookWork } from './operations.ts';
import { webhookDeliveriesOf, webhookFailingMail } from './subscribers.ts';

interface WebhookContext {
  readonly platform: Platform;
  readonly send: SendMail;
  readonly notify: Notify;
  readonly ring: Ring;
}

/** Sends events to the addresses that teams registered. */
export const webhook = ({ platform, ...channels }: WebhookContext) => {
  const outbound = openOutbound({ config: platform.config.outbound });
  const courier = openCourier(platform, outbound);
  return {
    handlers: { webhook: openWebhook(platform, outbound) },
    subscribers: [webhookDeliveriesOf(platform), webhookFailingMail({ ...channels, site: platform.config.publicUrl })],
    work: webhookWork(platform),
    metrics: [webhookFigures(platform)],
    start: courier.start,
    stop: courier.stop,
  } satisfies Module;
};
