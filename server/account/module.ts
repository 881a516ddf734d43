import type { Billing } from '../billing/billing.ts';
import type { Module } from '../module.ts';
import { openAccount } from './operations.ts';

/** The business and its settings. */
export const account = ({ billing }: { readonly billing: Billing }) =>
  ({ handlers: { account: openAccount({ billing }) } }) satisfies Module;
