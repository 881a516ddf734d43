import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openApiKey } from './operations.ts';

/** Keys with which a business's own programs call the API (docs/decisions/0004-access.md). */
export const apiKey = ({ platform }: { readonly platform: Platform }) => ({ handlers: { apiKey: openApiKey(platform) } }) satisfies Module;
