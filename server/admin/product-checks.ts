import { pluralize } from '#contract/core/sentences.ts';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import * as billing from '../billing/store.ts';
import { lastOfInstallation } from '../event/store.ts';
import { queueHealth } from '../notification/store.ts';
import { jobsStatus } from '../platform/jobs/status.ts';
import { atCommandLine } from '../platform/tenancy/access.ts';
import { type CheckResult, type Finding, ok, runCheck } from './finding.ts';
import type { Installation } from './installation.ts';
import { duration, minute } from './output.ts';
import { operatorsOf } from './sign-in.ts';

/** Checks the product's data and jobs. */
export const productFindings = async (installation: Installation): Promise<Finding[]> => [
  // Opening the installation has already checked its role.
  { check: 'role', ...ok('The product’s role sees one account at a time and can’t change that.') },
  await runCheck('operators', () => operators(installation)),
  await runCheck('mails', () => mails(installation)),
  await runCheck('queue', () => queue(installation)),
  ...(installation.billing.provider ? [await runCheck('payments', () => payments(installation))] : []),
  await runCheck('backup', () => backup(installation)),
];

async function operators(installation: Installation): Promise<CheckResult> {
  const people = await operatorsOf(installation);
  if (people.length === 0) {
    const advice = 'Set OPERATOR_EMAILS to your address and restart Afterword.';
    return { state: 'warning', message: 'OPERATOR_EMAILS is empty, so no one can see all accounts in the browser.', advice };
  }
  const waiting = people.filter(({ isKnown, hasSecondFactor }) => !(isKnown && hasSecondFactor));
  if (waiting.length === 0) return ok(`${pluralize(people.length, 'operator')} can sign in.`);
  const advice = 'They need to open the emailed link and set up two-step sign-in. Resend it with: npm run admin -- operators add EMAIL';
  return { state: 'warning', message: `Not ready yet: ${waiting.map(({ email }) => email).join(', ')}.`, advice };
}

/** The longest normal wait of a mail and of a job (ms). */
const LONGEST_MAIL = HOUR;
const LONGEST_JOB = 10 * MINUTE;

async function mails({ platform }: Installation): Promise<CheckResult> {
  const { waiting, failed, oldest, hosts } = await atCommandLine(platform, queueHealth);
  const age = oldest ? platform.now() - oldest.getTime() : 0;
  if (failed === 0 && age < LONGEST_MAIL)
    return ok(waiting === 0 ? 'None waiting, and none failed in the last day.' : `${waiting} waiting, and none failed in the last day.`);
  const lastError = hosts.find((host) => host.lastError)?.lastError;
  const wait = age < LONGEST_MAIL ? '' : `, the oldest for ${duration(age)}`;
  const message = `${pluralize(failed, 'mail')} failed in the last day, and ${waiting} waiting${wait}.${lastError ? ` The last error: ${lastError}.` : ''}`;
  return { state: 'warning', message, advice: 'See the details: npm run admin -- queue' };
}

async function queue({ platform }: Installation): Promise<CheckResult> {
  const jobs = await atCommandLine(platform, ({ db }) => jobsStatus(db));
  const [oldest] = jobs
    .flatMap(({ oldest: since, ...job }) => (since === null ? [] : [{ ...job, since }]))
    .sort((a, b) => a.since - b.since);
  if (!oldest) return ok('No jobs are waiting.');
  const age = platform.now() - oldest.since;
  const message = `The oldest job, ${oldest.name}, has been waiting for ${duration(age)}.`;
  if (age < LONGEST_JOB) return ok(message);
  if (oldest.running > 0) return { state: 'warning', message, advice: `Jobs of its kind are running; ${oldest.waiting} are waiting.` };
  return { state: 'wrong', message, advice: 'No worker is running. Start Afterword with “worker” in ROLES.' };
}

/** The longest normal time since the provider's events were read (ms). */
const LONGEST_UNREAD = 3 * HOUR;

async function payments({ platform }: Installation): Promise<CheckResult> {
  const { open, readAt, failure } = await atCommandLine(platform, billing.health);
  const age = readAt ? platform.now() - readAt.getTime() : undefined;
  if (failure !== null)
    return { state: 'wrong', message: `The payment provider’s events could not be read: ${failure}`, advice: 'Check PADDLE_API_KEY.' };
  if (age !== undefined && age > LONGEST_UNREAD)
    return {
      state: 'wrong',
      message: `The payment provider’s events were last read ${duration(age)} ago.`,
      advice: 'Start Afterword with “worker” in ROLES.',
    };
  if (open === 0) return ok('All events from the payment provider are applied.');
  return {
    state: 'warning',
    message: `${pluralize(open, 'event')} from the payment provider could not be applied.`,
    advice: 'See them under Subscriptions in the operator area.',
  };
}

const BACKUP_OLD = 2 * DAY;

async function backup({ platform }: Installation): Promise<CheckResult> {
  const last = await atCommandLine(platform, (scope) => lastOfInstallation(scope, 'backup.taken'));
  const advice = 'Run npm run backup every night; see the README. Backups made by other means aren’t tracked here.';
  if (last === undefined) return { state: 'warning', message: 'No backup was made with npm run backup.', advice };
  const message = `The newest is from ${minute(last)}, ${duration(platform.now() - last)} ago.`;
  return platform.now() - last < BACKUP_OLD ? ok(message) : { state: 'warning', message, advice };
}
