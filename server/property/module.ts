import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openProperty } from './operations.ts';
import { addUnsubscribePage, type UnsubscribePlatform } from './unsubscribe-page.ts';

/** The places where feedback is collected. */
export const property = ({ platform }: { readonly platform: UnsubscribePlatform & Pick<Platform, 'random'> }) =>
  ({
    handlers: { property: openProperty(platform) },
    serve(http) {
      addUnsubscribePage(http, platform);
      return {};
    },
  }) satisfies Module;
