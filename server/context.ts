import type { EventName } from '#contract/events.ts';
import { withApiKeys } from './api-key/authenticator.ts';
import { type Billing, openBilling } from './billing/billing.ts';
import { openPaymentProvider } from './billing/payments.ts';
import type { EventFeed } from './event/feed.ts';
import { type Intake, openIntake } from './feedback/intake.ts';
import { changeWork } from './feedback/operations.ts';
import type { FormDocument } from './form/document.ts';
import { type FormReader, openFormReader } from './form/store.ts';
import { openIdentity } from './identity/identity.ts';
import type { Identity } from './identity/port.ts';
import { type MailQueue, openMails } from './notification/mail/mails.ts';
import type { Platform } from './platform/context.ts';
import { openPictures, type Pictures } from './platform/images/images.ts';
import type { SendMail } from './platform/mailer/send-mail.ts';
import type { Authenticator } from './platform/tenancy/access.ts';
import { openViewCounter, type ViewCounter } from './view/counter.ts';
import { openDirectory } from './workflows/directory.ts';

/** Services shared by modules. Each module declares the part it needs. */
export interface Context {
  readonly platform: Platform;
  readonly feed: EventFeed;
  readonly pool: Identity;
  readonly authenticator: Authenticator;
  readonly billing: Billing;
  readonly forms: FormReader & { stop(): void };
  readonly document: FormDocument;
  readonly intake: Intake;
  readonly views: ViewCounter;
  readonly pictures: Pictures;
  readonly mails: MailQueue;
  readonly send: SendMail;
  readonly changeWork: typeof changeWork;
  /** Interval between the checks of live streams (ms). */
  readonly beat: number | undefined;
}

interface ContextOptions {
  readonly platform: Platform;
  readonly feed: EventFeed;
  readonly document: FormDocument;
  readonly intake: ((platform: Platform) => Intake) | undefined;
  readonly pictures: Pictures | undefined;
  readonly beat: number | undefined;
  /** Returns the names of events with a subscriber. Called at the first submission. */
  readonly subscribedNames: () => readonly EventName[];
}

export async function openContext({
  platform,
  feed,
  document,
  intake,
  pictures = openPictures(),
  beat,
  subscribedNames,
}: ContextOptions): Promise<Context> {
  const mails = openMails(platform);
  const pool = await openIdentity(platform, { directory: openDirectory(platform), sendMail: mails.send });
  return {
    platform,
    feed,
    pool,
    authenticator: withApiKeys(platform, pool.authenticator),
    billing: openBilling({ platform, provider: openPaymentProvider(platform) }),
    forms: openFormReader({ ...platform, feed }),
    document,
    intake: intake?.(platform) ?? openIntake(platform, { subscribedNames }),
    views: openViewCounter(platform),
    pictures,
    mails,
    send: mails.send,
    changeWork,
    beat,
  };
}
