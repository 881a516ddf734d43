import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openSavedReply } from './operations.ts';

/** Texts that the team often sends to visitors. */
export const savedReply = ({ platform }: { readonly platform: Platform }) =>
  ({ handlers: { savedReply: openSavedReply(platform) } }) satisfies Module;
