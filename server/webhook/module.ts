import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openOutbound } from '../platform/outbound/outbound.ts';
import { openCourier } from './courier.ts';
import { openDeliveries, webhookWork } from './delivery-operations.ts';
import { webhookMetrics } from './metrics.ts';
import { openWebhook } from './operations.ts';
import { webhookDeliveriesOf } from './subscribers.ts';

/** Sends events to the addresses that teams registered. */
export const webhook = ({ platform }: { readonly platform: Platform }) => {
  const outbound = openOutbound({ config: platform.config.outbound });
  const courier = openCourier(platform, outbound);
  return {
    handlers: { webhook: { ...openWebhook(platform, outbound), ...openDeliveries(platform) } },
    subscribers: [webhookDeliveriesOf(platform)],
    work: webhookWork(platform),
    metrics: [webhookMetrics(platform)],
    start: courier.start,
    stop: courier.stop,
  } satisfies Module;
};
