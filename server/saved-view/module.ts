import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { maintainViews, openSavedView } from './operations.ts';

/** Filters that a person or a team saved. */
export const savedView = ({ platform }: { readonly platform: Platform }) =>
  ({ handlers: { savedView: openSavedView(platform) }, work: maintainViews(platform) }) satisfies Module;
