import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { DeleteMail } from '../platform/mailer/send-mail.ts';
import { openFairQueue } from '../platform/tenancy/fair-queue.ts';
import { openPrivacy } from './operations.ts';
import { applyRetention } from './retention.ts';

/** A search reads many answers, so an account runs one at a time (ms). */
const TURNS = { most: 1, waiting: 20, patience: 2_000 };

interface PrivacyContext {
  readonly platform: Platform;
  readonly mails: { readonly delete: DeleteMail };
}

/** Visitors' requests about their data, and how long words are kept (docs/decisions/0024-visitors-rights.md). */
export const privacy = ({ platform, mails }: PrivacyContext) =>
  ({
    handlers: { privacy: openPrivacy({ platform, turns: openFairQueue(TURNS), deleteMail: mails.delete }) },
    work: { 'privacy.retention': () => applyRetention({ ...platform, deleteMail: mails.delete }) },
  }) satisfies Module;
