import type { Billing } from '../billing/billing.ts';
import type { FormDocument } from '../form/form.ts';
import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { DeleteMail, SendMail } from '../platform/mailer/send-mail.ts';
import { openConversationLinks } from './links.ts';
import { openConversation } from './operations.ts';
import { addConversationPage } from './page.ts';
import { bouncedAnswers } from './subscribers.ts';

interface ConversationContext {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly billing: Billing;
  readonly send: SendMail;
  readonly mails: { readonly delete: DeleteMail };
  readonly document: FormDocument;
}

/** Private conversations between a visitor and the team (docs/decisions/0015-replies-and-rights.md). */
export function conversation(context: ConversationContext) {
  const links = openConversationLinks(context.platform);
  return {
    handlers: { conversation: openConversation({ ...context, links }) },
    subscribers: [bouncedAnswers],
    serve(http) {
      addConversationPage(http, { ...context, links });
      return {};
    },
  } satisfies Module;
}
