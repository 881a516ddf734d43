import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openForm } from './operations.ts';
import type { FormReader } from './store.ts';

interface FormContext {
  readonly platform: Platform;
  readonly forms: FormReader & { stop(): void };
}

/** The forms that visitors fill in. */
export const form = ({ platform, forms }: FormContext) =>
  ({ handlers: { form: openForm({ platform, reader: forms }) }, stop: forms.stop }) satisfies Module;
