import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { averageSentence, countSentence, funnelSentence } from '#contract/core/sentences.ts';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { translator } from '#contract/language/translate.ts';
import { ACCOUNT_ID, airport, dana, noor, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { openTestSmtp, type ReceivedMail, type TestSmtp } from '../../test/support/smtp.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { openBilling } from '../billing/billing.ts';
import { openMails } from '../notification/mail/mails.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import { openReportJobs } from './report-jobs.ts';
import { due } from './store.ts';

/* Reports are sent once, on Monday morning in each property's time zone, with the overview's numbers. */

const t = translator(() => ({ language: 'en' }));
const SITE = 'https://feedback.example.com';
const ZONES = {
  [pier.id]: 'Europe/Berlin',
  [oldTown.id]: 'America/New_York',
  [airport.id]: 'Australia/Lord_Howe',
} as const;

let app: TestApp;
let smtp: TestSmtp;
let now = Date.UTC(2026, 0, 7, 12);
let workers: (() => Promise<void>)[];
beforeAll(async () => {
  smtp = await openTestSmtp();
  app = await openTestApp({ clock: () => now, settings: { SMTP_URL: smtp.url, PUBLIC_URL: SITE }, also: addOtherAccount });
  const { platform } = app.app;
  const worker = () =>
    openReportJobs({ platform, send: openMails(platform).send, billing: openBilling({ platform, provider: undefined }) })['report.make'];
  workers = [worker(), worker()].map((work) => async () => work?.({ data: {}, isLast: false, signal: AbortSignal.timeout(60_000) }));
  const admin = await app.signIn();
  for (const [id, timeZone] of Object.entries(ZONES)) await save(id, { timeZone }, admin);
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(() => {
  smtp.received.length = 0;
});

const save = async (id: string, data: object, token?: string) => {
  const answer = await app.call('property', 'save', { payload: { id, data } }, token ?? (await app.signIn()));
  expect(answer.status).toBe(200);
  return answer.body.property;
};
const bothWork = (): Promise<unknown> => Promise.all(workers.map((work) => work()));

interface ReportRow {
  property_id: string;
  kind: string;
  first_day: string;
  due: Date;
  made: Date | null;
  people: number;
}
const rows = (propertyId: string, kind = 'weekly'): Promise<ReportRow[]> =>
  app.stored<ReportRow>(
    `select property_id, kind, to_char(first_day, 'YYYY-MM-DD') as first_day, due, made, people from report
      where property_id = $1 and kind = $2 order by first_day`,
    [propertyId, kind],
  );
const dueAt = async (propertyId: string, kind?: string): Promise<number | undefined> =>
  (await rows(propertyId, kind)).find(({ made }) => made === null)?.due.getTime();
const reportsMailed = async (many: number): Promise<ReceivedMail[]> => {
  const reports = () => smtp.received.filter(({ mail }) => mail.subject?.includes(' report, '));
  await vi.waitFor(() => expect(reports()).toHaveLength(many), PATIENT);
  return reports();
};
const mailWith = (subject: string, to = dana.data.emailAddress): Promise<ReceivedMail> =>
  vi.waitFor(() => {
    const mail = smtp.received.find((each) => each.mail.subject?.startsWith(subject) && each.to.includes(to));
    if (!mail) throw new Error(`No mail to ${to} starts with ${subject}`);
    return mail;
  }, PATIENT);
/** Returns the next Monday at 07:00, calculated independently of the product. */
const mondayAfter = (at: number, zone: string): DateTime => {
  const monday = DateTime.fromMillis(at, { zone }).startOf('week').set({ hour: 7 });
  return monday.toMillis() > at ? monday : monday.plus({ weeks: 1 });
};
const unwrappedText = ({ mail }: ReceivedMail): string => (mail.text ?? '').replace(/\s+/g, ' ');

describe('a weekly report', () => {
  it('is sent once every Monday of a year at seven local time, by two workers', async () => {
    const zones: Record<string, string> = { ...ZONES };
    const admin = await app.signIn();
    const { body } = await app.call('property', 'save', { payload: { data: { displayName: 'Patan', timeZone: 'Asia/Kathmandu' } } }, admin);
    zones[body.property.id] = 'Asia/Kathmandu';
    for (const [id, zone] of Object.entries(zones)) {
      await vi.waitFor(async () => expect(await dueAt(id)).toBe(mondayAfter(now, zone).toMillis()), PATIENT);
    }
    const end = now + 366 * DAY;
    const mondays = Object.values(zones).flatMap((zone) => {
      const inZone: { at: number }[] = [];
      for (let monday = mondayAfter(now, zone); monday.toMillis() < end; monday = monday.plus({ weeks: 1 }))
        inZone.push({ at: monday.toMillis() });
      return inZone;
    });
    for (const { at } of mondays.sort((a, b) => a.at - b.at)) {
      now = at - MINUTE;
      await workers[0]?.();
      now = at + MINUTE;
      await bothWork();
    }
    for (const [id, zone] of Object.entries(zones)) {
      const madeReports = (await rows(id)).filter((row) => row.made !== null);
      expect(madeReports.length).toBeGreaterThanOrEqual(52);
      expect(madeReports.every(({ people }) => people === 1)).toBe(true);
      // The run a minute before made nothing.
      expect(new Set(madeReports.map((row) => (row.made?.getTime() ?? 0) - row.due.getTime()))).toEqual(new Set([MINUTE]));
      expect(madeReports.map(({ due }) => DateTime.fromJSDate(due, { zone }).toFormat('c HH:mm'))).toEqual(
        madeReports.map(() => '1 07:00'),
      );
      const weeks = madeReports.map(({ first_day }) => Date.parse(first_day) / DAY);
      expect(weeks.map((week) => week - (weeks[0] ?? 0))).toEqual(weeks.map((_, index) => 7 * index));
    }
    const mails = await reportsMailed(mondays.length);
    expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(mondays.length);
    expect(new Set(mails.map(({ mail }) => `${mail.subject}`)).size).toBe(mondays.length);
  });

  it('has the overview’s numbers of the week, without suspected and test feedback', async () => {
    const zone = ZONES[pier.id];
    const monday = mondayAfter(now, zone ?? '');
    const [from, to] = [monday.minus({ weeks: 1 }).startOf('day').toMillis(), monday.startOf('day').toMillis()];
    const saveFeedback = (rating: Rating, text: string | undefined, more: object = {}) => {
      const { idempotencyKey, payload } = submission({ rating, ...(text !== undefined && { text }) }, { form: formOf(pier.data.formId) });
      return app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, ...more } } });
    };
    now = from - 2 * DAY;
    await saveFeedback(5, undefined);
    for (let hour = 0; hour < 24 * 7; hour += 6) {
      now = from + hour * HOUR + MINUTE;
      await app.call('view', 'track', { formId: pier.data.formId });
      await saveFeedback(hour % 4 === 0 && hour % 12 === 0 ? 1 : 4, hour % 12 === 0 ? 'Cold coffee again' : 'Lovely view');
    }
    await saveFeedback(1, 'Never counted', { test: true });
    now = to + MINUTE;
    const { body: late } = await saveFeedback(1, undefined);
    now = monday.toMillis() + MINUTE;
    await bothWork();
    const mail = await mailWith('Pier 4: your weekly report, ');
    const token = await app.signIn();
    const ask = async (service: string, action: string, sent: object) =>
      (await app.call(service, action, { propertyId: pier.id, ...sent }, token)).body;
    const [overview, words] = [await ask('insight', 'overview', { from, to, zone }), await ask('insight', 'words', { from, to })];
    const [summary, before] = [
      await ask('feedback', 'summary', { from, to, zone }),
      await ask('feedback', 'summary', { from: monday.minus({ weeks: 2 }).startOf('day').toMillis(), to: from, zone }),
    ];
    expect([overview.funnel.ratings, overview.funnel.views, before.ratings]).toEqual([28, 28, [0, 0, 0, 0, 1]]);
    const text = unwrappedText(mail);
    const compared = { ratings: summary.ratings, before: before.ratings, than: 'the week before' };
    expect(text).toContain(averageSentence(t, compared));
    expect(text).toContain(countSentence(t, compared));
    expect(text).toContain(funnelSentence(t, overview.funnel));
    for (const { words: phrase, bad, good } of words.bad.slice(0, 5)) expect(text).toContain(`“${phrase}” in ${bad} bad and ${good} good`);
    for (const { words: phrase, bad, good } of words.good.slice(0, 5)) expect(text).toContain(`“${phrase}” in ${good} good and ${bad} bad`);
    expect(words.bad.length).toBeGreaterThan(0);
    expect(text).toContain(`Period: ${monday.minus({ weeks: 1 }).toFormat('cccc d')} `);
    const [first, last] = [monday.minus({ weeks: 1 }), monday.minus({ days: 1 })].map((day) => day.toFormat('yyyy-MM-dd'));
    expect(text).toContain(`${SITE}/properties/${pier.id}/overview?from=${first}&to=${last}`);
    const waiting = await app.call('feedback', 'list', { propertyId: pier.id, waiting: true, order: 'oldest', limit: 100 }, token);
    const ofWeek = waiting.body.feedback.filter(({ data }: Feedback) => data.created < to);
    expect(waiting.body.feedback).toHaveLength(ofWeek.length + 1);
    expect(text).toContain(`${ofWeek.length} visitors wait for an answer`);
    expect(text).not.toContain(late.feedback.id);
    expect(text).toContain(`${SITE}/urgent?id=${waiting.body.feedback[0].id}`);
    expect(text).not.toContain('Never counted');
  });

  it('is still sent on Wednesday, but skipped and logged from Thursday on', async () => {
    const zone = ZONES[pier.id] ?? '';
    const first = mondayAfter(now, zone);
    const skipped = () => app.log.filter((line) => line.includes('a report was skipped') && line.includes(`"${pier.id}"`));
    now = first.plus({ days: 2 }).endOf('day').toMillis();
    await bothWork();
    await mailWith('Pier 4: your weekly report, ');
    expect(skipped()).toEqual([]);

    smtp.received.length = 0;
    const [missed, alsoMissed, inTime] = [1, 2, 3].map((weeks) => first.plus({ weeks }));
    now = inTime?.plus({ days: 1 }).toMillis() ?? 0;
    await bothWork();
    await mailWith('Pier 4: your weekly report, ');
    const latest = (await rows(pier.id)).slice(-4);
    expect(latest.map(({ due, people }) => [due.getTime(), people])).toEqual([
      [missed?.toMillis(), 0],
      [alsoMissed?.toMillis(), 0],
      [inTime?.toMillis(), 1],
      [inTime?.plus({ weeks: 1 }).toMillis(), 0],
    ]);
    expect(skipped()).toHaveLength(2);

    // The first moment of Thursday.
    now = inTime?.plus({ weeks: 1, days: 3 }).startOf('day').toMillis() ?? 0;
    await bothWork();
    expect(skipped()).toHaveLength(3);
  });

  it('of a week without ratings says so and has the form’s link', async () => {
    const { body } = await app.call(
      'property',
      'save',
      { payload: { data: { displayName: 'Quiet quay', timeZone: 'Europe/Berlin' } } },
      await app.signIn(),
    );
    await vi.waitFor(async () => expect(await dueAt(body.property.id)).toBeDefined(), PATIENT);
    now = mondayAfter(now, 'Europe/Berlin').toMillis();
    await bothWork();
    const text = unwrappedText(await mailWith('Quiet quay: your weekly report, '));
    expect(text).toContain('There were no ratings this week.');
    expect(text).toContain(`${SITE}/feedback/${body.form.id}`);
    expect(text).toContain('No one is waiting for an answer.');
  });
});

describe('the recipients of reports', () => {
  it('are set per list, lose people who leave the team, and cause no report if empty', async () => {
    const admin = await app.signIn();
    const { body: created } = await app.call(
      'property',
      'save',
      { payload: { data: { displayName: 'Digests', timeZone: 'Asia/Kathmandu' } } },
      admin,
    );
    const id = created.property.id;
    expect(created.property.data.notifications).toEqual({ complaints: [dana.id], weekly: [dana.id] });
    const stranger = await app.call(
      'property',
      'save',
      { payload: { id, data: { notifications: { daily: [otherAccount.userId] } } } },
      admin,
    );
    expect([stranger.status, stranger.body.errors[0].path]).toEqual([400, 'payload.data.notifications.daily.0']);
    const saved = await save(id, { notifications: { weekly: [], daily: [noor.id, sam.id], monthly: [noor.id] } }, admin);
    expect(saved.data.notifications).toEqual({ complaints: [dana.id], weekly: [], daily: [noor.id, sam.id], monthly: [noor.id] });
    // Reports are planned by the lists of the moment, so both changes must be handled before someone leaves.
    const waiting = () => app.stored('select 1 from event where subject = $1 and not relayed', [id]);
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), PATIENT);
    expect(await dueAt(id, 'monthly')).toBeDefined();
    expect(await dueAt(id, 'weekly')).toBeUndefined();
    const localNow = DateTime.fromMillis(now, { zone: 'Asia/Kathmandu' });
    const tomorrow =
      localNow.hour < 7 ? localNow.set({ hour: 7 }).startOf('hour') : localNow.plus({ days: 1 }).set({ hour: 7 }).startOf('hour');
    expect(await dueAt(id, 'daily')).toBe(tomorrow.toMillis());
    expect(await dueAt(id, 'monthly')).toBe(localNow.plus({ months: 1 }).startOf('month').set({ hour: 7 }).toMillis());

    expect((await app.call('user', 'delete', { userId: noor.id }, admin)).status).toBe(200);
    const { body } = await app.call('property', 'get', { propertyId: id }, admin);
    expect(body.property.data.notifications).toEqual({ complaints: [dana.id], weekly: [], daily: [sam.id] });
    now = tomorrow.toMillis();
    await bothWork();
    const { mail } = await mailWith('Digests: your daily report, ', sam.data.emailAddress);
    expect(mail.subject).toBe(`Digests: your daily report, ${tomorrow.minus({ days: 1 }).toFormat('cccc d LLLL yyyy')}`);
    now = localNow.plus({ months: 1 }).startOf('month').set({ hour: 8 }).toMillis();
    await bothWork();
    expect((await rows(id, 'monthly')).map(({ people }) => people)).toEqual([0]);
  });

  it('get reports in the property’s new time zone when it changes', async () => {
    await save(airport.id, { timeZone: 'Pacific/Auckland' });
    await vi.waitFor(async () => expect(await dueAt(airport.id)).toBe(mondayAfter(now, 'Pacific/Auckland').toMillis()), PATIENT);
  });
});

describe('a requested report', () => {
  const send = (propertyId: string, token?: string, kind?: string) =>
    app.call('report', 'send', { propertyId, ...(kind && { kind }) }, token);

  it('lists the topics of its period', async () => {
    const data = { displayName: 'Zeppelins', phrases: ['zeppelin'] };
    await app.call('topic', 'save', { payload: { data } }, await app.signIn());
    await app.call('feedback', 'save', submission({ rating: 2, text: 'A zeppelin!' }));
    await vi.waitFor(async () => expect(await app.stored('select 1 from topic_match')).toHaveLength(1), PATIENT);
    now += 7 * DAY;
    await send(pier.id, await app.signIn());
    const { mail } = await mailWith('Pier 4: your weekly report, ', dana.data.emailAddress);
    expect(mail.text).toContain('Zeppelins: 1 answer, 2.0 on average');
    now -= 7 * DAY;
  });

  it('is sent to its teammate only, up to ten times an hour', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    expect((await send(pier.id)).status).toBe(401);
    for (const id of [otherAccount.propertyId, 'PROPERTY_NobodyHere'])
      expect([(await send(id, member)).status, (await send(id, member)).body]).toEqual([404, { status: 'not found' }]);
    expect((await send(pier.id, member)).body).toEqual({ status: 'ok' });
    const { mail, raw } = await mailWith('Pier 4: your weekly report, ', sam.data.emailAddress);
    expect(mail.text).toContain('because you asked for it');
    expect(raw).not.toMatch(/^List-Unsubscribe/im);
    expect(smtp.received.filter((each) => each.mail.text?.includes('because you asked for it')).map(({ to }) => to)).toEqual([
      [sam.data.emailAddress],
    ]);
    for (let count = 0; count < 9; count += 1) expect((await send(pier.id, member, 'monthly')).status).toBe(200);
    const refused = await send(pier.id, member);
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many']);
  });
});

describe('due reports', () => {
  it('are found with an index, however many reports there are', async () => {
    await app.stored(
      `insert into report (account_id, property_id, kind, first_day, due, made)
       select $1, $2, 'daily', date '1990-01-01' + each, now(), case when each % 2 = 0 then now() end from generate_series(1, 6000) as each`,
      [ACCOUNT_ID, oldTown.id],
    );
    await app.stored('update report set due = $1 where property_id = $2 and kind = $3 and made is null', [
      new Date(now + DAY),
      oldTown.id,
      'daily',
    ]);
    await app.stored('analyze report');
    const reports = await inEveryAccount(app.app.platform, (scope) => due(scope, undefined, 50));
    expect(reports.filter((each) => each.due.getTime() > now)).toEqual([]);
    const [plan] = await app.stored<{ 'QUERY PLAN': { Plan: PlanOfDue }[] }>(
      `explain (analyze, format json) select account_id from report where made is null and due <= $1 order by due, account_id, property_id, kind limit 50`,
      [new Date(now)],
    );
    const scan = scanOf(plan?.['QUERY PLAN'][0]?.Plan);
    expect(scan?.['Index Name']).toBe('report_due');
    expect(scan?.['Actual Rows']).toBeLessThanOrEqual(10);
    await app.stored(`delete from report where property_id = $1 and kind = 'daily'`, [oldTown.id]);
  });
});

describe('the migration', () => {
  it('plans reports of existing properties in their time zones', async () => {
    const folder = path.resolve(import.meta.dirname, '../../database/migrations');
    const file = readdirSync(folder).find((name) => name.endsWith('_reports.sql')) ?? '';
    const statements = readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint');
    await app.stored('truncate report');
    await app.stored(statements.find((each) => each.includes('insert into report')) ?? '');
    for (const [id, zone] of [
      [pier.id, 'Europe/Berlin'],
      [oldTown.id, 'America/New_York'],
    ] as const) {
      const due = mondayAfter(Date.now(), zone);
      const [row] = await rows(id);
      expect([row?.due.getTime(), row?.first_day]).toEqual([due.toMillis(), due.minus({ weeks: 1 }).toFormat('yyyy-MM-dd')]);
    }
  });
});

interface PlanOfDue {
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanOfDue[];
}

const scanOf = (plan: PlanOfDue | undefined): PlanOfDue | undefined =>
  plan?.['Index Name'] === undefined ? plan?.Plans?.map(scanOf).find(Boolean) : plan;
