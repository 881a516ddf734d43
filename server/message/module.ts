import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { Pictures } from '../platform/images/images.ts';
import { openMessage } from './operations.ts';

interface MessageContext {
  readonly platform: Platform;
  readonly pictures: Pictures;
}

/** Support messages from teams to the operators. */
export const message = ({ platform, pictures }: MessageContext) =>
  ({ handlers: { message: openMessage({ ...platform, pictures }) } }) satisfies Module;
