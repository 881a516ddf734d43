import type { MailName, Mails } from '#contract/mail.ts';
import type { JobPolicy } from './kernel/jobs.ts';

/* Every kind of job and every recurring schedule of the product: a line each. */

declare module './kernel/jobs.ts' {
  /** The data of each kind of job. They are stored as JSON, and may be read by a newer version of the product. */
  interface JobData {
    /** Renders and sends one mail. Its props may carry a code or a key, so they are sealed; they stood open in jobs of earlier versions. */
    'mail.send': { readonly deliveryId: string; readonly mail: MailName } & (
      | { readonly sealed: string }
      | { readonly props: Mails[MailName] }
    );
    /** Runs a subscriber again that failed. */
    'event.react': { readonly accountId: string; readonly eventId: number; readonly subscriber: string };
    /** Deletes for good what was deleted a week ago. */
    'account.purge': Readonly<Record<string, never>>;
    /** Deletes expired codes, challenges, invitations, sessions and counted failures of the user pool. */
    'identity.upkeep': Readonly<Record<string, never>>;
    /** Deletes old deliveries, and gives up those whose job is gone. */
    'notification.upkeep': Readonly<Record<string, never>>;
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
  'event.react': ORDINARY,
  'account.purge': { ...ORDINARY, schedule: '41 * * * *' },
  'identity.upkeep': { ...ORDINARY, schedule: '*/15 * * * *' },
  'notification.upkeep': { ...ORDINARY, schedule: '17 * * * *' },
  'rate-limit.upkeep': { ...ORDINARY, schedule: '29 * * * *' },
} satisfies Readonly<Record<string, JobPolicy>>;
