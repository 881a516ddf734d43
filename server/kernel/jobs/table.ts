/* Every kind of job and every recurring schedule of the product: a line each. */

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What each kind of job is told. It is stored as JSON, and may be read by a newer version of the product. */
export interface JobData {
  /** Renders and sends one mail. The fact may carry a code or a key. */
  'mail.send': { readonly deliveryId: string; readonly name: string; readonly fact: Readonly<Record<string, string>> };
  /** Deletes for good what was deleted a week ago. */
  'account.purge': Readonly<Record<string, never>>;
  /** Forgets deliveries that are old enough, and gives up those whose job is gone. */
  'notification.upkeep': Readonly<Record<string, never>>;
}

/** How a kind of job is tried and kept. All times are in seconds. */
export interface JobPolicy {
  /** How often it is tried at most, the first time included. */
  readonly tries: number;
  /** The wait before the second try; it doubles from there on, with some chance in it, up to `longestWait`. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** A try that takes longer counts as failed: its process may be dead. */
  readonly longestTry: number;
  /** How long a job is kept when it is done or given up. */
  readonly keep: number;
}

const ORDINARY: JobPolicy = { tries: 8, firstWait: 10, longestWait: HOUR, longestTry: 5 * MINUTE, keep: 7 * DAY };

export const JOBS: Readonly<Record<keyof JobData, JobPolicy>> = {
  // About a day of tries: a mail server that was away for the night gets its mail. Wiped soon, because of the codes.
  'mail.send': { tries: 30, firstWait: 10, longestWait: HOUR, longestTry: 2 * MINUTE, keep: MINUTE },
  'account.purge': ORDINARY,
  'notification.upkeep': ORDINARY,
};

/** When a job recurs: minute, hour, day of the month, month, day of the week, all UTC. */
export const SCHEDULES: Readonly<Partial<Record<keyof JobData, string>>> = {
  'account.purge': '41 * * * *',
  'notification.upkeep': '17 * * * *',
};

export const JOB_NAMES = Object.keys(JOBS) as (keyof JobData)[];
