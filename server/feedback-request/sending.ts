import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import { DAY } from '#contract/core/time.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { REQUEST_LIFETIME } from '#contract/feedback-request/feedback-request.ts';
import { DEFAULT_REQUESTS, reminderDue } from '#contract/feedback-request/request-settings.ts';
import { WORDS } from '#contract/language/all.ts';
import { filled } from '#contract/language/words.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import { closedPropertyIds, type FormReader, type PublicForm } from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { deleteOld } from '../platform/database/batches.ts';
import type { Job, JobData, Work } from '../platform/jobs/jobs.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { sha256 } from '../platform/sha256.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import type { RequestLinks } from './links.ts';
import * as store from './store.ts';
import * as suppressions from './suppression-store.ts';

interface SendingOptions {
  readonly platform: Pick<Platform, 'database' | 'now' | 'log'>;
  readonly forms: FormReader;
  readonly billing: Pick<Billing, 'isReadOnly' | 'isTrial'>;
  readonly links: RequestLinks;
  readonly send: SendMail;
}

/** Emails of one account in a run, which comes every five minutes. @limit feedback-requests */
const AT_ONCE = 100;
/** Emails of an account in 24 hours, on trial and otherwise. @limit feedback-requests */
const DAILY = { trial: 100, other: 5_000 } as const;
/** An email that is later than this isn't sent: the visit is forgotten (ms). @limit feedback-requests */
const LATEST = 14 * DAY;

/** The event that causes the emails. */
const ADDED = 'feedback-request.added';

/** Returns the jobs that send what is due and delete what is old. Each email is sent in one transaction with the request's change. */
export function openRequestJobs(options: SendingOptions): Work {
  const { platform } = options;
  return {
    async 'feedback-request.send'({ signal }: Job<JobData['feedback-request.send']>) {
      for (const accountId of await inEveryAccount(platform, store.accountsDue)) {
        if (signal.aborted) return;
        await sendOrLog(options, accountId, signal);
      }
    },
    'feedback-request.upkeep': () =>
      deleteOld(platform, [
        [store.deleteBefore, REQUEST_LIFETIME * DAY],
        [suppressions.forgetSuppressed, REQUEST_LIFETIME * DAY],
      ]),
  };
}

/** Sends an account's due emails. A failure is logged, and the next run retries it, so that it doesn't affect other accounts. */
async function sendOrLog(options: SendingOptions, accountId: string, signal: AbortSignal): Promise<void> {
  const { platform } = options;
  const inScope = <T>(work: (scope: AccountScope) => Promise<T>): Promise<T> => inAccount(platform, { accountId, actor: SYSTEM }, work);
  try {
    const ids = await inScope(async (scope) => {
      const late = new Date(scope.now.getTime() - LATEST);
      const most = await allowance(options, scope);
      // Late ones are ended, also while nothing may be sent.
      if (most === 0) return store.due(scope, { most: AT_ONCE, pausedIds: 'all', late });
      return store.due(scope, { most, pausedIds: await closedPropertyIds(scope), late });
    });
    for (const id of ids) if (!signal.aborted) await inScope((scope) => sendNext(options, scope, id));
  } catch (error) {
    platform.log.error({ err: error, accountId }, 'feedback requests could not be sent and will be retried');
  }
}

/** Returns how many emails the account may send now. */
async function allowance({ billing }: SendingOptions, scope: AccountScope): Promise<number> {
  if (!(await accounts.byScope(scope)) || (await billing.isReadOnly(scope))) return 0;
  const sent = await store.countSentSince(scope, new Date(scope.now.getTime() - DAY));
  return Math.max(0, Math.min(AT_ONCE, ((await billing.isTrial(scope)) ? DAILY.trial : DAILY.other) - sent));
}

/** Sends a request's due email, or ends the request if it may no longer be sent. */
async function sendNext(options: SendingOptions, scope: AccountScope, id: string): Promise<void> {
  const request = await store.lockDue(scope, id);
  if (!request) return;
  const property = await properties.byId(scope, request.propertyId);
  const target = property && (await options.forms.byId(property.data.formId));
  const isLate = (request.due?.getTime() ?? 0) < scope.now.getTime() - LATEST;
  // It was closed since, and may be reopened.
  if (target?.closed && !isLate) return;
  const settings = property?.data.requests ?? DEFAULT_REQUESTS;
  const since = new Date(scope.now.getTime() - settings.gap * DAY);
  const isFirst = request.sent === null;
  if (!property || !target || isLate || request.email === null || (await store.isBlocked(scope, request, since)))
    return store.change(scope, id, { due: null, ...(isFirst && { status: 'skipped' }) });
  const delivery = await mail(options, scope, { request, property, target, to: request.email });
  const reminder = isFirst ? reminderDue(settings, scope.now.getTime(), zoneOf(property)) : undefined;
  await store.change(scope, id, {
    ...(isFirst ? { status: 'sent', sent: scope.now } : { reminded: scope.now }),
    due: reminder === undefined ? null : new Date(reminder),
    deliveryIds: [...request.deliveryIds, delivery],
    // The property may have another form by the time of the reminder.
    keyHash: sha256(options.links.answerKey(target.form.id, id)),
  });
}

interface AddressedRequest {
  readonly request: store.RequestRow;
  readonly property: Property;
  readonly target: PublicForm;
  readonly to: string;
}

/** Queues the email, and returns its delivery's id. */
async function mail({ links, send }: SendingOptions, scope: AccountScope, addressed: AddressedRequest): Promise<string> {
  const { request, property, target, to } = addressed;
  const { accountId } = scope;
  const { id: requestId, emailHash, name } = request;
  const language = target.languages.find((tag) => tag === request.language) ?? target.form.data.language;
  const { request: words, page } = WORDS[language];
  // A property's name may be a link; a business's can't be.
  const place = v.is(displayName, property.data.displayName) ? property.data.displayName : target.business;
  const visit = links.answerKey(target.form.id, requestId);
  const { address } = property.data.requests ?? DEFAULT_REQUESTS;
  const props = {
    ...{ language, place, leave: links.stopUrl({ accountId, requestId, emailHash, language }) },
    words: {
      ...{ title: filled(words.title, { place }), lead: words.lead, greeting: words.greeting, stop: words.stop },
      why: filled(words.why, { business: target.business, place }),
      ...(request.sent && { reminder: words.reminder }),
    },
    faces: RATINGS.map((rating) => ({
      rating,
      word: page.ratings[rating - 1] ?? '',
      link: links.answerUrl(target.form.id, { rating, language, visit }),
    })),
    ...(name !== null && { name }),
    ...(address !== undefined && { address }),
  };
  return (await send(scope, { to, mail: 'feedback-request', props, reason: ADDED })).id;
}
