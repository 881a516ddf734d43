import type { Module } from '../module.ts';
import { addLeaving, type LeavingPlatform } from './leaving.ts';
import { openProperty } from './operations.ts';

/** The places where feedback is collected. */
export const property = ({ platform }: { readonly platform: LeavingPlatform }) =>
  ({
    handlers: { property: openProperty() },
    serve(http) {
      addLeaving(http, platform);
      return {};
    },
  }) satisfies Module;
