import type { Intake } from '../feedback/intake.ts';
import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openKiosk } from './operations.ts';
import { addKioskPage, openKioskDocument } from './page.ts';
import { openTablet } from './tablet.ts';
import { watchKiosks } from './watch.ts';

interface KioskContext {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly intake: Intake;
}

/** Tablets that collect ratings (docs/decisions/0014-kiosks-and-brand.md). */
export const kiosk = ({ platform, forms, intake }: KioskContext) => {
  const document = openKioskDocument(platform.config);
  const started = platform.now();
  return {
    handlers: { kiosk: { ...openKiosk(platform), ...openTablet({ platform, forms, intake, version: document.version }) } },
    work: { 'kiosk.watch': () => watchKiosks(platform, started) },
    serve(http) {
      addKioskPage(http, document);
      return {};
    },
  } satisfies Module;
};
