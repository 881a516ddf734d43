import { feedbackRequestId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { DAY, HOUR } from '#contract/core/time.ts';
import {
  checkVisits,
  type feedbackRequestOperations,
  isFinal,
  MOST_WAITING,
  mayBeAskedAgain,
  type NewRequest,
  type SkipReason,
  tooManyWaiting,
} from '#contract/feedback-request/feedback-request.ts';
import { DEFAULT_REQUESTS, requestDue } from '#contract/feedback-request/request-settings.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import type { Billing } from '../billing/billing.ts';
import { record } from '../event/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import { type SuppressionOptions, suppressAddress } from './feedback-request.ts';
import { addressHash } from './links.ts';
import * as store from './store.ts';
import * as suppressions from './suppression-store.ts';

/** Calls per account. @limit feedback-requests */
const ADDITIONS = { name: 'calls that add feedback requests', most: 600, within: HOUR };

interface RequestDependencies extends SuppressionOptions {
  readonly billing: Pick<Billing, 'isTrial'>;
}

export function openFeedbackRequest({ platform, cancelMail, billing }: RequestDependencies) {
  return {
    async list({ scope }, query) {
      if (!(await properties.byId(scope, query.propertyId))) return NOT_FOUND;
      return { status: 'ok', ...(await store.list(scope, query)), counts: await store.countByStatus(scope, query.propertyId) };
    },
    async add({ scope }, { propertyId, payload: { requests, isDryRun } }) {
      const property = await properties.byId(scope, propertyId);
      if (!property) return NOT_FOUND;
      checkVisits(requests, scope.now.getTime());
      await countWithin(scope, ADDITIONS, scope.accountId);
      const { rows, skipped } = await checkRequests(scope, property, requests);
      if (!isDryRun) await checkWaiting(scope, rows.length);
      const added = isDryRun ? [] : await store.insert(scope, rows);
      if (added.length > 0) await record(scope, 'feedback-request.added', { subject: propertyId, data: { count: added.length } });
      const [first] = rows.map(({ due }) => due.getTime()).sort((a, b) => a - b);
      const count = isDryRun ? rows.length : added.length;
      return { status: 'ok', added, count, skipped, ...(first !== undefined && { due: first }) };
    },
    async cancel({ scope }, { feedbackRequestIds }) {
      const canceled = await store.cancel(scope, feedbackRequestIds);
      if (canceled === 0) return NOT_FOUND;
      await record(scope, 'feedback-request.canceled', { subject: scope.accountId, data: { count: canceled } });
      return { status: 'ok', canceled };
    },
    ...openSuppressions({ platform, cancelMail }),
  } satisfies Handlers<typeof feedbackRequestOperations>;

  async function checkWaiting(scope: AccountScope, added: number): Promise<void> {
    const most = (await billing.isTrial(scope)) ? MOST_WAITING.trial : MOST_WAITING.other;
    if (added + (await store.countWaiting(scope)) > most) throw tooManyWaiting(most);
  }

  /** Returns the rows to store, and why the other requests are skipped. */
  async function checkRequests(scope: AccountScope, property: Property, requests: readonly NewRequest[]) {
    const { accountId, now } = scope;
    const settings = property.data.requests ?? DEFAULT_REQUESTS;
    const hashed = requests.map((request) => ({ request, emailHash: addressHash(accountId, request.email) }));
    const since = new Date(now.getTime() - settings.gap * DAY);
    const reasons = await store.skipReasons(
      scope,
      hashed.map(({ emailHash }) => emailHash),
      since,
    );
    const seen = new Set<string>();
    const skipped: { index: number; reason: SkipReason }[] = [];
    const rows = hashed.flatMap(({ request, emailHash }, index) => {
      const hash = emailHash.toString('hex');
      const reason = seen.has(hash) ? 'repeated' : reasons.get(hash);
      seen.add(hash);
      if (reason) skipped.push({ index, reason });
      return reason ? [] : [rowOf(request, emailHash)];
    });
    return { rows, skipped };

    function rowOf({ email, name, language, visited = now.getTime() }: NewRequest, emailHash: Buffer) {
      const due = new Date(requestDue(settings, { visited, now: now.getTime(), zone: zoneOf(property) }));
      return {
        ...{ id: feedbackRequestId(platform.random), propertyId: property.id, email, emailHash, visited: new Date(visited), due },
        name: name === undefined || name === '' ? null : name,
        language: language ?? null,
      };
    }
  }
}

/** The people who get no feedback requests. */
function openSuppressions(options: SuppressionOptions) {
  return {
    async suppressions({ scope }, query) {
      return { status: 'ok', ...(await suppressions.listSuppressions(scope, query)) };
    },
    async suppress({ scope }, { email }) {
      const emailHash = addressHash(scope.accountId, email);
      await suppressAddress(scope, options, { emailHash, email, reason: 'added' });
      const suppression = await suppressions.suppressionOf(scope, emailHash);
      return suppression ? { status: 'ok', suppression } : NOT_FOUND;
    },
    async unsuppress({ scope }, { suppressionId: id }) {
      const suppression = await suppressions.suppressionById(scope, id);
      if (!suppression) return NOT_FOUND;
      if (!mayBeAskedAgain(suppression)) throw isFinal();
      await suppressions.unsuppress(scope, { id }, [suppression.data.reason]);
      await record(scope, 'feedback-request.unsuppressed', { subject: id, data: {} });
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof feedbackRequestOperations>, 'suppressions' | 'suppress' | 'unsuppress'>;
}
