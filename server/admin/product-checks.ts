import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import * as billing from '../billing/store.ts';
import { lastOfInstallation } from '../event/store.ts';
import { queueHealth } from '../notification/store.ts';
import { jobsStatus } from '../platform/jobs/status.ts';
import { atCommandLine } from '../platform/tenancy/access.ts';
import { type Finding, type Found, looked, well } from './finding.ts';
import type { Installation } from './installation.ts';
import { operatorsOf } from './sign-in.ts';
import { counted, duration, minute } from './wording.ts';

/** Looks at what the product does and holds. */
export const productFindings = async (installation: Installation): Promise<Finding[]> => [
  // To be opened at all, its role was looked at.
  { check: 'role', ...well('The product’s role sees one account at a time and can’t change that.') },
  await looked('operators', () => operators(installation)),
  await looked('mails', () => mails(installation)),
  await looked('queue', () => queue(installation)),
  ...(installation.billing.provider ? [await looked('payments', () => payments(installation))] : []),
  await looked('backup', () => backup(installation)),
];

async function operators(installation: Installation): Promise<Found> {
  const all = await operatorsOf(installation);
  if (all.length === 0) {
    const advice = 'Set OPERATOR_EMAILS to your address and restart Afterword.';
    return { state: 'warning', said: 'OPERATOR_EMAILS is empty, so no one can see all accounts in the browser.', advice };
  }
  const waiting = all.filter(({ isKnown, hasSecondFactor }) => !(isKnown && hasSecondFactor));
  if (waiting.length === 0) return well(`${counted(all.length, 'operator')} can sign in.`);
  const advice = 'They need to open the emailed link and set up two-step sign-in. Resend it with: npm run admin -- operators add EMAIL';
  return { state: 'warning', said: `Not ready yet: ${waiting.map(({ email }) => email).join(', ')}.`, advice };
}

/** How long a mail, or a job, waits where all is well at most (ms). */
const LONGEST_MAIL = HOUR;
const LONGEST_JOB = 10 * MINUTE;

async function mails({ platform }: Installation): Promise<Found> {
  const { waiting, failed, oldest, hosts } = await atCommandLine(platform, queueHealth);
  const age = oldest ? platform.now() - oldest.getTime() : 0;
  if (failed === 0 && age < LONGEST_MAIL)
    return well(waiting === 0 ? 'None waiting, and none failed today.' : `${waiting} wait, and none failed today.`);
  const why = hosts.find(({ lastError }) => lastError)?.lastError;
  const wait = age < LONGEST_MAIL ? '' : `, the oldest for ${duration(age)}`;
  const said = `${counted(failed, 'mail was', 'mails were')} given up within a day, and ${waiting} wait${wait}.${why ? ` The last error: ${why}.` : ''}`;
  return { state: 'warning', said, advice: 'See which: npm run admin -- queue' };
}

async function queue({ platform }: Installation): Promise<Found> {
  const jobs = await atCommandLine(platform, ({ db }) => jobsStatus(db));
  const [oldest] = jobs.flatMap(({ name, oldest: since }) => (since === null ? [] : [{ name, since }])).sort((a, b) => a.since - b.since);
  if (!oldest) return well('No job waits.');
  const age = platform.now() - oldest.since;
  const said = `The job that waits longest, ${oldest.name}, has waited for ${duration(age)}.`;
  if (age < LONGEST_JOB) return well(said);
  return { state: 'wrong', said, advice: 'No worker is running. Start Afterword with “worker” in ROLES.' };
}

/** How long ago the provider's events were read where all is well at most (ms). */
const LONGEST_UNREAD = 3 * HOUR;

async function payments({ platform }: Installation): Promise<Found> {
  const { open, readAt, failure } = await atCommandLine(platform, billing.health);
  const age = readAt ? platform.now() - readAt.getTime() : undefined;
  if (failure !== null)
    return { state: 'wrong', said: `The payment provider’s events could not be read: ${failure}`, advice: 'Check PADDLE_API_KEY.' };
  if (age !== undefined && age > LONGEST_UNREAD)
    return {
      state: 'wrong',
      said: `The payment provider’s events were last read ${duration(age)} ago.`,
      advice: 'Start Afterword with “worker” in ROLES.',
    };
  if (open === 0) return well('All events from the payment provider are applied.');
  return {
    state: 'warning',
    said: `${counted(open, 'event')} of the payment provider could not be used.`,
    advice: 'See them under Subscriptions in the operator area.',
  };
}

const BACKUP_OLD = 2 * DAY;

async function backup({ platform }: Installation): Promise<Found> {
  const last = await atCommandLine(platform, (scope) => lastOfInstallation(scope, 'backup.taken'));
  const advice = 'Run npm run backup every night; see the README. Backups made by other means aren’t tracked here.';
  if (last === undefined) return { state: 'warning', said: 'None was made with npm run backup.', advice };
  const said = `The newest is of ${minute(last)}, ${duration(platform.now() - last)} ago.`;
  return platform.now() - last < BACKUP_OLD ? well(said) : { state: 'warning', said, advice };
}
