import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Phase, SUBSCRIPTION_FILTERS } from '#contract/billing/billing.ts';
import {
  type BillingState,
  currentSubscription,
  NO_REPORTS,
  PROVIDER_STATUSES,
  type ProviderStatus,
  withReport,
} from '#contract/billing/billing-state.ts';
import { DAY } from '#contract/core/time.ts';
import { dana } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { signInAsOperator } from '../../test/support/operator.ts';

const NOW = Date.now();
const STARTED = NOW - 10 * DAY;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ settings: { BILLING: 'sandbox', OPERATOR_EMAILS: dana.data.emailAddress } });
});
afterAll(() => app?.stop());

interface Purchase {
  readonly status: ProviderStatus;
  readonly firstBilledAt?: number;
}

/** What the provider reported, in the order of the purchases. */
const billingStateOf = (purchases: readonly Purchase[]): BillingState =>
  purchases.reduce((state, bought, index) => {
    const subscription = { ...bought, id: `sub_${index}`, customerId: 'ctm_1', priceId: 'pri_1', created: STARTED + index };
    return withReport(state, { eventId: `evt_${index}`, at: `2026-11-2${index}T12:00:00.000000000Z`, subscription });
  }, NO_REPORTS);

const CHARGES = [{}, { firstBilledAt: STARTED - DAY }, { firstBilledAt: STARTED + DAY }];
const BOUGHT = PROVIDER_STATUSES.flatMap((status) => CHARGES.map((charge) => ({ status, ...charge })));
const PURCHASES: readonly (readonly Purchase[])[] = [
  [],
  ...BOUGHT.map((bought) => [bought]),
  ...CHARGES.flatMap((charge) => BOUGHT.map((bought) => [{ status: 'canceled' as const, ...charge }, bought])),
];

async function addAccounts(): Promise<void> {
  const rows = ['Pro', 'Beta', null].flatMap((plan) =>
    [null, NOW - DAY, NOW + DAY].flatMap((endsAt) =>
      PURCHASES.map((purchases) => ({
        plan,
        started: endsAt && new Date(STARTED),
        ends: endsAt && new Date(endsAt),
        heard: billingStateOf(purchases),
      })),
    ),
  );
  const data = rows.map((row, index) => ({ ...row, bought: currentSubscription(row.heard)?.status ?? null, id: `ACCOUNT_case${index}` }));
  await app.stored(
    `with given as (select * from jsonb_to_recordset($1) as (id text, plan text, started timestamptz, ends timestamptz, heard jsonb, bought text)),
      added as (insert into account (id, display_name, created) select id, id, now() from given)
      insert into subscription (account_id, status, plan, trial_started_at, trial_ends_at, onboarded_at, heard, bought)
      select id, 'active', plan, started, ends, now(), heard, bought from given`,
    [JSON.stringify(data)],
  );
}

type SubscriptionFilter = (typeof SUBSCRIPTION_FILTERS)[number];
const STANDING: Readonly<Record<Phase, SubscriptionFilter>> = { none: 'free', trial: 'trial', paid: 'paid', grace: 'due', ended: 'ended' };

interface ListedPhase {
  readonly account: { readonly id: string; readonly data: { readonly subscription: { readonly status: string; readonly phase: Phase } } };
}

it('lists each account under the standing that its own page shows, whatever was bought, charged and canceled', async () => {
  await addAccounts();
  const token = await signInAsOperator(app);
  const list = async (standing: SubscriptionFilter): Promise<ListedPhase[]> => {
    const phases: ListedPhase[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await app.call('account', 'listSubscriptions', { standing, limit: 100, search: 'case', cursor }, token);
      phases.push(...body.subscriptions);
      cursor = body.cursor ?? undefined;
    } while (cursor !== undefined);
    return phases;
  };
  const all = await list('all');
  expect(all).toHaveLength(9 * PURCHASES.length);
  for (const standing of ['trial', 'paid', 'due', 'ended', 'free'] as const) {
    const shown = all.filter(({ account: { data } }) => {
      const { status, phase } = data.subscription;
      return (status === 'past_due' ? 'due' : STANDING[phase]) === standing;
    });
    const ids = (rows: readonly ListedPhase[]) => rows.map(({ account }) => account.id).sort();
    expect([standing, ids(await list(standing))]).toEqual([standing, ids(shown)]);
  }
});
