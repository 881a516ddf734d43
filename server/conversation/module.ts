import type { Billing } from '../billing/billing.ts';
import type { FormReader } from '../form/store.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { openConversationLinks } from './links.ts';
import { openConversation } from './operations.ts';

interface ConversationContext {
  readonly platform: Platform;
  readonly forms: FormReader;
  readonly billing: Billing;
  readonly send: SendMail;
}

/** Private conversations between a visitor and the team (docs/decisions/0015-replies-and-rights.md). */
export const conversation = (context: ConversationContext) =>
  ({
    handlers: { conversation: openConversation({ ...context, links: openConversationLinks(context.platform) }) },
  }) satisfies Module;
