import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { maintainComments, openComment } from './operations.ts';

/** The team's comments on feedback. */
export const comment = ({ platform }: { readonly platform: Platform }) =>
  ({ handlers: { comment: openComment(platform) }, work: maintainComments(platform) }) satisfies Module;
