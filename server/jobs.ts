import type { MailName, Mails } from '#contract/mail/mail.ts';
import type { ReportKind } from '#contract/report/report.ts';
import type { JobPolicy } from './platform/jobs/jobs.ts';

/* All jobs of the product, with their retry policies and schedules. */

declare module './platform/jobs/jobs.ts' {
  /** The data of each job. It's stored as JSON, and may be read by a newer version of the product. */
  interface JobData {
    /** Renders and sends one mail. Its props may contain a code or key, so they are encrypted (`sealed`); jobs of earlier versions have plain `props`. */
    'mail.send': { readonly deliveryId: string; readonly mail: MailName; readonly thread?: string } & (
      | { readonly sealed: string }
      | { readonly props: Mails[MailName] }
    );
    /** Sends one push notification to a device. */
    'push.send': { readonly accountId: string; readonly deliveryId: string };
    /** Retries a failed subscriber. */
    'event.react': { readonly accountId: string; readonly eventId: number; readonly subscriber: string };
    /** Purges accounts that were deleted a week ago. */
    'account.purge': Readonly<Record<string, never>>;
    /** Deletes expired codes, challenges, invitations, sessions and counted failures of the user pool. */
    'identity.upkeep': Readonly<Record<string, never>>;
    /** Deletes old deliveries and notifications, gives up deliveries without a job, and marks handled notifications as read. */
    'notification.upkeep': Readonly<Record<string, never>>;
    /** Deletes old alerts and expired links in their mails. */
    'alert.upkeep': Readonly<Record<string, never>>;
    /** Writes the next parts of an export, on behalf of the person who requested it. */
    'export.write': { readonly accountId: string; readonly userId: string; readonly exportId: string };
    /** Deletes the parts of a deleted export. */
    'export.forget': { readonly accountId: string; readonly userId: string; readonly exportId: string };
    /** Deletes exports a day after they were finished, and gives up those without a job. */
    'export.upkeep': Readonly<Record<string, never>>;
    /** Sends the reports that are due. */
    'report.make': Readonly<Record<string, never>>;
    /** Sends a person the report of the last period before they requested it (UTC ms). */
    'report.send': {
      readonly accountId: string;
      readonly propertyId: string;
      readonly userId: string;
      readonly kind: ReportKind;
      readonly at: number;
    };
    /** Sends a webhook's many failed deliveries again: those created since a time and last tried before another (UTC ms). */
    'webhook.replay': { readonly accountId: string; readonly webhookId: string; readonly since: number; readonly before: number };
    /** Gives up the waiting deliveries of a webhook whose receiver is gone. */
    'webhook.give-up': { readonly accountId: string; readonly webhookId: string };
    /** Deletes old webhook deliveries, and webhooks marked as deleted. */
    'webhook.upkeep': Readonly<Record<string, never>>;
    /** Deletes the text of comments that were deleted a day ago. */
    'comment.upkeep': Readonly<Record<string, never>>;
    /** Deletes views that were deleted a day ago. */
    'saved-view.upkeep': Readonly<Record<string, never>>;
    /** Erases answers that are older than their property's retention. */
    'privacy.retention': Readonly<Record<string, never>>;
    /** Turns off two-step sign-in for people whose reset was requested a day ago. */
    'second-factor.reset': Readonly<Record<string, never>>;
    /** Reads the payment provider's events since the last run. */
    'billing.catch-up': Readonly<Record<string, never>>;
    /** Sends reminders about trials that end soon. */
    'billing.remind': Readonly<Record<string, never>>;
    /** Moves the first bill of a subscription bought during a trial to the trial's end (UTC ms). */
    'billing.align': { readonly accountId: string; readonly subscriptionId: string; readonly at: number };
    /** Syncs an account's subscription with the payment provider. */
    'billing.sync': { readonly accountId: string };
    /** Cancels a deleted account's subscription. */
    'billing.cancel': { readonly accountId: string };
    /** Sends feedback requests and reminders that are due. */
    'feedback-request.send': Readonly<Record<string, never>>;
    /** Deletes old feedback requests. */
    'feedback-request.upkeep': Readonly<Record<string, never>>;
    /** Finds the answers about a new or changed topic. */
    'topic.match': { readonly accountId: string; readonly topicId: string };
    /** Subtracts the counts of a deleted property from its account's. */
    'property.subtract': { readonly accountId: string; readonly propertyId: string };
    /** Finds kiosks that became silent during their opening hours. */
    'kiosk.watch': Readonly<Record<string, never>>;
    /** Deletes rate limit counts that are older than any limit's window. */
    'rate-limit.upkeep': Readonly<Record<string, never>>;
  }
}

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Ordinary jobs. Times in seconds. @limit job-tries */
const ORDINARY: JobPolicy = { tries: 8, firstWait: 10, longestWait: HOUR, longestTry: 5 * MINUTE, keep: 7 * DAY };

export const JOBS = {
  // Retries for about a day, so that mails survive a mail server's night offline. Deleted soon because of the codes. @limit mail-tries
  'mail.send': { tries: 30, firstWait: 10, longestWait: HOUR, longestTry: 2 * MINUTE, keep: MINUTE },
  // A push service's refusal doesn't fail the job: the next attempt is a new job, so retries are for crashes. `atOnce` is twice an
  // account's limit of connections to a host, so that one that hangs leaves half of them to others. @limit jobs
  'push.send': { tries: 3, firstWait: 2, longestWait: MINUTE, longestTry: 20, keep: MINUTE, atOnce: 20 },
  'event.react': ORDINARY,
  'alert.upkeep': { ...ORDINARY, schedule: '11 * * * *' },
  // Short, so that another process soon continues after a crash.
  'export.write': { tries: 6, firstWait: 2, longestWait: MINUTE, longestTry: MINUTE, keep: HOUR },
  'export.forget': ORDINARY,
  'export.upkeep': { ...ORDINARY, schedule: '7 * * * *' },
  // A large account takes a while. The next hour's job continues if the process dies.
  'account.purge': { ...ORDINARY, longestTry: HOUR, schedule: '41 * * * *' },
  'identity.upkeep': { ...ORDINARY, schedule: '*/15 * * * *' },
  'notification.upkeep': { ...ORDINARY, schedule: '*/5 * * * *' },
  'rate-limit.upkeep': { ...ORDINARY, schedule: '29 * * * *' },
  'kiosk.watch': { ...ORDINARY, schedule: '*/5 * * * *' },
  'report.make': { ...ORDINARY, schedule: '*/15 * * * *' },
  'report.send': ORDINARY,
  'feedback-request.send': { ...ORDINARY, schedule: '*/5 * * * *' },
  'feedback-request.upkeep': { ...ORDINARY, schedule: '23 * * * *' },
  // All texts of a large account take a while.
  'topic.match': { ...ORDINARY, longestTry: HOUR },
  'property.subtract': ORDINARY,
  'webhook.replay': ORDINARY,
  'webhook.give-up': ORDINARY,
  'webhook.upkeep': { ...ORDINARY, schedule: '37 * * * *' },
  'comment.upkeep': { ...ORDINARY, schedule: '53 * * * *' },
  'saved-view.upkeep': { ...ORDINARY, schedule: '54 * * * *' },
  'privacy.retention': { ...ORDINARY, schedule: '17 * * * *' },
  'billing.catch-up': { ...ORDINARY, schedule: '5 * * * *' },
  'billing.remind': { ...ORDINARY, schedule: '47 * * * *' },
  'billing.align': ORDINARY,
  'billing.sync': ORDINARY,
  // Retries for a day, or someone would keep paying for a deleted account.
  'billing.cancel': { ...ORDINARY, tries: 30 },
  'second-factor.reset': { ...ORDINARY, schedule: '*/5 * * * *' },
} satisfies Readonly<Record<string, JobPolicy>>;
