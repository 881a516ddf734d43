import type { Billing } from '../billing/billing.ts';
import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { CancelMail, SendMail } from '../platform/mailer/send-mail.ts';
import { openRequestLinks } from './links.ts';
import { openFeedbackRequest } from './operations.ts';
import { openRequestJobs } from './sending.ts';
import { addStopPage } from './stop-page.ts';
import { answeredRequests, returnedRequests } from './subscribers.ts';

interface FeedbackRequestContext {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly billing: Billing;
  readonly mails: { readonly send: SendMail; readonly cancel: CancelMail };
}

/** Emails that ask customers for feedback (docs/decisions/0016-requests-and-order-numbers.md). */
export const feedbackRequest = ({ platform, forms, billing, mails }: FeedbackRequestContext) => {
  const links = openRequestLinks(platform);
  const { send, cancel: cancelMail } = mails;
  return {
    handlers: { feedbackRequest: openFeedbackRequest({ platform, billing, cancelMail }) },
    subscribers: [answeredRequests, returnedRequests({ platform, cancelMail })],
    work: openRequestJobs({ platform, forms, billing, links, send }),
    serve(http) {
      addStopPage(http, { platform, links, cancelMail });
      return {};
    },
  } satisfies Module;
};
