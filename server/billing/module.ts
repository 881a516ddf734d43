import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { Billing } from './billing.ts';
import { billingMetrics } from './metrics.ts';

interface BillingContext {
  readonly platform: Pick<Platform, 'database' | 'now'>;
  readonly billing: Billing;
}

/** Trials, plans and what the payment provider reports. */
export const billing = ({ platform, billing: { provider, work } }: BillingContext) =>
  ({ work, metrics: provider ? [billingMetrics(platform)] : [] }) satisfies Module;
