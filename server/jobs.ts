import type { MailName, Mails } from '#contract/mail/mail.ts';
import type { JobPolicy } from './platform/jobs/jobs.ts';

/* Every kind of job and every recurring schedule of the product: a line each. */

declare module './platform/jobs/jobs.ts' {
  /** The data of each kind of job. They are stored as JSON, and may be read by a newer version of the product. */
  interface JobData {
    /** Renders and sends one mail. Its props may carry a code or a key, so they are sealed; they stood open in jobs of earlier versions. */
    'mail.send': { readonly deliveryId: string; readonly mail: MailName; readonly thread?: string } & (
      | { readonly sealed: string }
      | { readonly props: Mails[MailName] }
    );
    /** Brings one push to a device. */
    'push.send': { readonly accountId: string; readonly deliveryId: string };
    /** Runs a subscriber again that failed. */
    'event.react': { readonly accountId: string; readonly eventId: number; readonly subscriber: string };
    /** Deletes for good what was deleted a week ago. */
    'account.purge': Readonly<Record<string, never>>;
    /** Deletes expired codes, challenges, invitations, sessions and counted failures of the user pool. */
    'identity.upkeep': Readonly<Record<string, never>>;
    /** Deletes old deliveries and notifications, gives up those whose job is gone, and marks as read what was dealt with. */
    'notification.upkeep': Readonly<Record<string, never>>;
    /** Deletes old alerts and expired links in their mails. */
    'alert.upkeep': Readonly<Record<string, never>>;
    /** Writes the next pieces of a file that somebody asked for, in their name. */
    'export.write': { readonly accountId: string; readonly userId: string; readonly exportId: string };
    /** Deletes the pieces of a file that was deleted. */
    'export.forget': { readonly accountId: string; readonly userId: string; readonly exportId: string };
    /** Deletes files a day after they were finished, and gives up those whose job is gone. */
    'export.upkeep': Readonly<Record<string, never>>;
    /** Makes the reports whose time has come. */
    'report.make': Readonly<Record<string, never>>;
    /** Has sent again what failed of a webhook, where that is much: what was written since and tried last before (UTC ms). */
    'webhook.replay': { readonly accountId: string; readonly webhookId: string; readonly since: number; readonly before: number };
    /** Gives up what waits for a webhook whose receiver is gone. */
    'webhook.give-up': { readonly accountId: string; readonly webhookId: string };
    /** Deletes old deliveries of webhooks, and webhooks that were deleted. */
    'webhook.upkeep': Readonly<Record<string, never>>;
    /** Deletes the words of comments that were deleted a day ago. */
    'comment.upkeep': Readonly<Record<string, never>>;
    /** Turns off the two-step sign-in of people for whom that was asked for a day ago. */
    'second-factor.reset': Readonly<Record<string, never>>;
    /** Reads what the payment provider told since the last time. */
    'billing.catch-up': Readonly<Record<string, never>>;
    /** Reminds of trials that end. */
    'billing.remind': Readonly<Record<string, never>>;
    /** Moves the first bill of what was bought in a trial to its end (UTC ms). */
    'billing.align': { readonly accountId: string; readonly subscriptionId: string; readonly at: number };
    /** Asks the payment provider about an account. */
    'billing.sync': { readonly accountId: string };
    /** Cancels what a deleted account pays for. */
    'billing.cancel': { readonly accountId: string };
    /** Deletes counts of what was asked for, once no limit looks back so far. */
    'rate-limit.upkeep': Readonly<Record<string, never>>;
  }
}

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ORDINARY: JobPolicy = { tries: 8, firstWait: 10, longestWait: HOUR, longestTry: 5 * MINUTE, keep: 7 * DAY };

export const JOBS = {
  // About a day of tries: a mail server that was away for the night gets its mail. Wiped soon, because of the codes.
  'mail.send': { tries: 30, firstWait: 10, longestWait: HOUR, longestTry: 2 * MINUTE, keep: MINUTE },
  // What a receiver answers is not the job's failure: the next try is a job of its own. A process may die at one. Twice the share that
  // an account has of a host: where that hangs, half of them go on with what others are sent.
  'push.send': { tries: 3, firstWait: 2, longestWait: MINUTE, longestTry: 20, keep: MINUTE, atOnce: 20 },
  'event.react': ORDINARY,
  'alert.upkeep': { ...ORDINARY, schedule: '11 * * * *' },
  // Short, so that another process soon goes on where one died.
  'export.write': { tries: 6, firstWait: 2, longestWait: MINUTE, longestTry: MINUTE, keep: HOUR },
  'export.forget': ORDINARY,
  'export.upkeep': { ...ORDINARY, schedule: '7 * * * *' },
  'account.purge': { ...ORDINARY, schedule: '41 * * * *' },
  'identity.upkeep': { ...ORDINARY, schedule: '*/15 * * * *' },
  'notification.upkeep': { ...ORDINARY, schedule: '*/5 * * * *' },
  'rate-limit.upkeep': { ...ORDINARY, schedule: '29 * * * *' },
  'report.make': { ...ORDINARY, schedule: '*/15 * * * *' },
  'webhook.replay': ORDINARY,
  'webhook.give-up': ORDINARY,
  'webhook.upkeep': { ...ORDINARY, schedule: '37 * * * *' },
  'comment.upkeep': { ...ORDINARY, schedule: '53 * * * *' },
  'billing.catch-up': { ...ORDINARY, schedule: '5 * * * *' },
  'billing.remind': { ...ORDINARY, schedule: '47 * * * *' },
  'billing.align': ORDINARY,
  'billing.sync': ORDINARY,
  // A day of tries: somebody would go on paying for what is gone.
  'billing.cancel': { ...ORDINARY, tries: 30 },
  'second-factor.reset': { ...ORDINARY, schedule: '*/5 * * * *' },
} satisfies Readonly<Record<string, JobPolicy>>;
