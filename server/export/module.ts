import { feedbackIdCreated } from '#contract/core/ids.ts';
import type { Billing } from '../billing/billing.ts';
import { subscriber } from '../event/relay.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { addDownload } from './download.ts';
import { openExportJobs } from './export-jobs.ts';
import { openExport } from './operations.ts';
import { failArchives, failErased } from './store.ts';

interface ExportContext {
  readonly platform: Platform;
  readonly billing: Billing;
}

/** Files with an account's data, written in the background. */
export const exporting = ({ platform, billing }: ExportContext) =>
  ({
    handlers: { export: openExport(platform) },
    subscribers: [
      subscriber('erased exports', ['feedback.erased'], (scope, { subject }) => failErased(scope, feedbackIdCreated(subject))),
      subscriber('erased archives', ['privacy.erased'], async (scope, { data: { requests } }) => {
        if (requests !== undefined) await failArchives(scope);
      }),
    ],
    work: openExportJobs({ ...platform, billing }),
    serve(http) {
      addDownload(http, platform);
      return {};
    },
  }) satisfies Module;
