import type { Module } from '../module.ts';
import { openInsight } from './operations.ts';

/** Charts and numbers. */
export const insight = () => ({ handlers: { insight: openInsight() } }) satisfies Module;
