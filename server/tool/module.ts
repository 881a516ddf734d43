import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openTool } from './operations.ts';

/** The tools of a property, such as its form. */
export const tool = ({ platform }: { readonly platform: Platform }) => ({ handlers: { tool: openTool(platform) } }) satisfies Module;
