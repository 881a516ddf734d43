import type { Module } from '../module.ts';
import { addStream, type StreamOptions } from './stream.ts';

/** The event module, with its live stream. */
export const event = (context: StreamOptions) => ({ serve: (http) => ({ metrics: [addStream(http, context)] }) }) satisfies Module;
