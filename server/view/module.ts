import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { ViewCounter } from './counter.ts';
import { openView } from './operations.ts';

interface ViewContext {
  readonly forms: FormReader;
  readonly views: ViewCounter;
}

/** Counts how often forms are opened. */
export const view = ({ forms, views }: ViewContext) =>
  ({ handlers: { view: openView({ forms, views }) }, stop: views.drain }) satisfies Module;
