import type { Billing } from '../billing/billing.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { addDownload } from './download.ts';
import { openExport } from './operations.ts';
import { openWriting } from './writing.ts';

interface ExportContext {
  readonly platform: Platform;
  readonly billing: Billing;
}

/** Files of what an account holds, written in the background. */
export const exporting = ({ platform, billing }: ExportContext) =>
  ({
    handlers: { export: openExport(platform) },
    work: openWriting({ ...platform, billing }),
    serve(http) {
      addDownload(http, platform);
      return {};
    },
  }) satisfies Module;
