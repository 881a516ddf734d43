import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import { openTurns } from '../platform/tenancy/fair-queue.ts';
import { openPrivacy } from './operations.ts';
import { applyRetention } from './retention.ts';

interface PrivacyContext {
  readonly platform: Platform;
  readonly mails: { readonly delete: DeleteMail };
}

/** Visitors' requests about their data, and how long words are kept (docs/decisions/0015-replies-and-rights.md). */
export const privacy = ({ platform, mails }: PrivacyContext) =>
  ({
    handlers: { privacy: openPrivacy({ platform, turns: openTurns(), deleteMail: mails.delete }) },
    work: { 'privacy.retention': () => applyRetention({ ...platform, deleteMail: mails.delete }) },
  }) satisfies Module;
