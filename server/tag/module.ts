import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openTag } from './operations.ts';

/** Tags on feedback. */
export const tag = ({ platform }: { readonly platform: Platform }) => ({ handlers: { tag: openTag(platform) } }) satisfies Module;
