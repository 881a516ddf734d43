import type { Billing } from '../billing/billing.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { openReport } from './operations.ts';
import { openReportJobs } from './report-jobs.ts';
import { reportPlan, requestedReport } from './subscribers.ts';

interface ReportContext {
  readonly platform: Platform;
  readonly send: SendMail;
  readonly billing: Billing;
}

/** Daily, weekly and monthly reports by email. */
export const report = ({ platform, send, billing }: ReportContext) =>
  ({
    handlers: { report: openReport() },
    subscribers: [reportPlan(), requestedReport(platform)],
    work: openReportJobs({ platform, send, billing }),
  }) satisfies Module;
