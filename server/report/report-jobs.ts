import { SYSTEM } from '#contract/event/event.ts';
import type { ReportMail } from '#contract/mail/mail.ts';
import { listsOf, type Property, zoneOf } from '#contract/property/property.ts';
import { lastPeriod, type ReportPeriod, reportPeriod } from '#contract/report/report.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { Job, JobData, Work } from '../platform/jobs/jobs.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import { openListLinks } from '../property/property.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import { buildReport } from './build-report.ts';
import { settingsOf } from './report.ts';
import * as store from './store.ts';

interface ReportJobsOptions {
  readonly platform: Pick<Platform, 'config' | 'secret' | 'database' | 'now' | 'log'>;
  readonly send: SendMail;
  readonly billing: Pick<Billing, 'isReadOnly'>;
}

/** Due reports that are read at a time. */
const AT_ONCE = 50;
/** The event that causes report mails. */
const REPORT_MADE = 'report.made';
const REPORT_REQUESTED = 'report.requested';

/**
 * Returns the jobs that send reports: due ones, each in one transaction with the mark that it was made, and one that someone requested.
 * Concurrent processes wait for each other's lock on the property, and the second finds nothing to do.
 */
export function openReportJobs({ platform, send, billing }: ReportJobsOptions): Work {
  const { log, config } = platform;
  const links = openListLinks({ secret: platform.secret, site: config.publicUrl });
  return {
    'report.make': makeAll,
    'report.send': ({ data }) => inAccount(platform, { accountId: data.accountId, actor: SYSTEM }, (scope) => sendRequested(scope, data)),
  };

  /** Sends the report of the last period only to the person who requested it. */
  async function sendRequested(scope: AccountScope, { propertyId, userId, kind, at }: JobData['report.send']): Promise<void> {
    const [property, person] = [await properties.byId(scope, propertyId), await users.byId(scope, userId)];
    if (!property || !person) return;
    const props = await buildReport(scope, { property, period: lastPeriod(kind, at, zoneOf(property)), site: config.publicUrl });
    await send(scope, { to: person.data.emailAddress, mail: 'report', props, reason: REPORT_REQUESTED });
  }

  async function makeAll({ signal }: Job<JobData['report.make']>): Promise<void> {
    for (let last: store.DueReport | undefined, isMore = true; isMore && !signal.aborted; ) {
      const reports = await inEveryAccount(platform, (scope) => store.due(scope, last, AT_ONCE));
      for (const report of reports) if (!signal.aborted) await makeOrLog(report);
      last = reports.at(-1);
      isMore = reports.length === AT_ONCE;
    }
  }

  /** Makes a property's due reports of a kind. A failure is logged, and the next run retries it, so that it doesn't affect others. */
  async function makeOrLog(due: store.DueReport): Promise<void> {
    const { accountId, propertyId, kind } = due;
    try {
      while (await inAccount(platform, { accountId, actor: SYSTEM }, (scope) => makeNext(scope, due)));
    } catch (error) {
      log.error({ err: error, accountId, propertyId, kind }, 'a report could not be made and will be retried');
    }
  }

  /** Makes or skips a property's due report of a kind. Returns false if there was none. The following report may be due as well. */
  async function makeNext(scope: AccountScope, { propertyId, kind }: store.DueReport): Promise<boolean> {
    const property = await properties.lock(scope, propertyId);
    if (!property) {
      await store.removeAll(scope, propertyId);
      return false;
    }
    const next = (await store.waiting(scope, propertyId)).find((each) => each.kind === kind && each.due <= scope.now);
    if (!next) return false;
    const period = reportPeriod(kind, next.firstDay, zoneOf(property));
    await store.markMade(scope, next, await make(scope, property, period));
    await store.planNext(scope, settingsOf(property), period);
    return true;
  }

  /** Sends a report unless it's too late or the account is read-only. Returns the number of recipients. */
  async function make(scope: AccountScope, property: Property, period: ReportPeriod): Promise<number> {
    const { kind, firstDay } = period;
    if (period.until <= scope.now.getTime()) {
      log.warn({ accountId: scope.accountId, propertyId: property.id, kind, firstDay }, 'a report was skipped: it would come too late');
      return 0;
    }
    // Read-only accounts get no reports (docs/rules.md#ended).
    if (await billing.isReadOnly(scope)) return 0;
    const people = await recipients(scope, listsOf(property.data.notifications)[kind]);
    if (people.length === 0) return 0;
    const props = await buildReport(scope, { property, period, site: config.publicUrl });
    for (const person of people) await sendTo(scope, { property, person, props });
    await record(scope, REPORT_MADE, { subject: property.id, data: { kind, firstDay, people: people.length } });
    return people.length;
  }

  async function sendTo(scope: AccountScope, { property, person, props }: AddressedReport): Promise<void> {
    const leave = links.unsubscribeUrl({ accountId: scope.accountId, propertyId: property.id, userId: person.id, list: props.kind });
    await send(scope, { to: person.to, mail: 'report', props: { ...props, leave }, reason: REPORT_MADE });
  }
}

interface AddressedReport {
  readonly property: Property;
  readonly person: { readonly id: string; readonly to: string };
  readonly props: Omit<ReportMail, 'leave'>;
}

/** Returns the people of the list who are on the team; none if the account is deleted. */
async function recipients(scope: AccountScope, list: readonly string[]): Promise<AddressedReport['person'][]> {
  if (!(await accounts.byScope(scope))) return [];
  const team = await users.all(scope);
  return team.flatMap(({ id, data }) => (list.includes(id) && !data.invited ? [{ id, to: data.emailAddress }] : []));
}
