import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { forgetComments, openComment } from './operations.ts';

/** The team's comments on feedback. */
export const comment = ({ platform }: { readonly platform: Platform }) =>
  ({ handlers: { comment: openComment(platform) }, work: forgetComments(platform) }) satisfies Module;
