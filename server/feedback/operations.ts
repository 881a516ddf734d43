import { badField, refusal } from '#contract/errors.ts';
import type { feedbackOperations } from '#contract/feedback.ts';
import { NOT_FOUND, ZONE_MESSAGE } from '#contract/schema.ts';
import { record } from '../event/store.ts';
import type { FormReader } from '../form/store.ts';
import type { AccountScope } from '../kernel/access.ts';
import { sqlState } from '../kernel/database.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import { openShares } from '../kernel/shares.ts';
import * as properties from '../property/store.ts';
import type { Intake } from './intake.ts';
import * as store from './store.ts';

interface FeedbackRoom {
  readonly forms: FormReader;
  readonly intake: Intake;
}

export function openFeedback({ forms, intake }: FeedbackRoom) {
  const turns = openShares(TURNS);
  return {
    async save({ network }, { idempotencyKey, payload: { data } }) {
      const target = await forms.byId(data.formId);
      if (!target) return NOT_FOUND;
      if (target.closed) throw refusal('form-closed');
      const { responses, diagnostics, url } = data;
      return { status: 'ok', feedback: await intake.submit(target, { key: idempotencyKey, responses, diagnostics, url, network }) };
    },
    async list({ scope }, query) {
      if (!(await isAlive(scope, query.propertyId))) return NOT_FOUND;
      const read = () => store.list(scope, query);
      return { status: 'ok', ...(await (query.text === undefined ? read() : turns.take(`search ${scope.accountId}`, read))) };
    },
    async get({ scope }, { feedbackId }) {
      const feedback = await store.byId(scope, feedbackId);
      return feedback ? { status: 'ok', feedback } : NOT_FOUND;
    },
    async trust({ scope }, { feedbackIds, counts }) {
      const { all, changed } = await store.trust(scope, feedbackIds, counts);
      for (const { id, data } of changed)
        await record(scope, 'feedback.trusted', { subject: id, data: { propertyId: data.projectId, counts } });
      return all.length > 0 ? { status: 'ok', feedback: all } : NOT_FOUND;
    },
    async summary({ scope }, query) {
      if (!(await isAlive(scope, query.propertyId))) return NOT_FOUND;
      const read = () => inKnownZone(() => store.summary(scope, query));
      return { status: 'ok', ...(await turns.take(`counts ${scope.accountId}`, read)) };
    },
    async overview({ scope }, query) {
      const read = () => inKnownZone(() => store.overview(scope, query));
      return { status: 'ok', properties: await turns.take(`counts ${scope.accountId}`, read) };
    },
  } satisfies Handlers<typeof feedbackOperations>;
}

/** A search and a long stretch of counts each keep a processor busy: an account has one of either under way (times in ms). */
const TURNS = { most: 1, waiting: 20, patience: 2_000 };

/** True when no property is named, or one of this account that is not deleted. */
const isAlive = async (scope: AccountScope, propertyId: string | undefined): Promise<boolean> =>
  propertyId === undefined || (await properties.byId(scope, propertyId)) !== undefined;

/** This runtime may know zones that the database does not. */
async function inKnownZone<T>(count: () => Promise<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    throw sqlState(error) === UNKNOWN_ZONE ? badField('zone', ZONE_MESSAGE) : error;
  }
}

const UNKNOWN_ZONE = '22023';
