import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BillingState,
  currentSubscription,
  dueSince,
  instantKey,
  liveSubscriptions,
  momentOf,
  NO_REPORTS,
  PROVIDER_STATUSES,
  type SubscriptionReport,
  withReport,
} from './billing-state.ts';

const SECOND = '2026-02-20T07:30:00';

describe('the provider’s timestamps', () => {
  it('sort by time as text, however many digits they have', () => {
    const nanoseconds = fc.integer({ min: 0, max: 999_999_999 });
    const timestamp = (fraction: number): string => {
      const digits = String(fraction).padStart(9, '0').replace(/0+$/, '');
      return digits === '' ? `${SECOND}Z` : `${SECOND}.${digits}Z`;
    };
    fc.assert(
      fc.property(nanoseconds, nanoseconds, (a, b) => {
        const [first = '', second = ''] = [instantKey(timestamp(a)), instantKey(timestamp(b))];
        expect(Math.sign(first.localeCompare(second, 'en'))).toBe(Math.sign(a - b));
      }),
    );
    expect(momentOf(instantKey(`${SECOND}.33415Z`) ?? '')).toBe(Date.parse(`${SECOND}.334Z`));
  });

  it('are rejected in any other format', () => {
    for (const wrong of ['', 'now', `${SECOND}`, `${SECOND}+00:00`, `${SECOND}.1234567890Z`]) expect(instantKey(wrong)).toBeUndefined();
  });
});

/** Reports with distinct event ids. */
const reports = fc
  .uniqueArray(
    fc.record({
      subscription: fc.constantFrom('sub_a', 'sub_b'),
      status: fc.constantFrom(...PROVIDER_STATUSES),
      // Within a microsecond, so that only the nanoseconds differ.
      nanoseconds: fc.integer({ min: 0, max: 40 }),
      event: fc.integer({ min: 0, max: 99 }),
      price: fc.constantFrom('pri_a', 'pri_b'),
    }),
    { maxLength: 14, selector: ({ event }) => event },
  )
  .map((records) =>
    records.map(
      ({ subscription: id, status, nanoseconds, event, price }): SubscriptionReport => ({
        eventId: `evt_${String(event).padStart(2, '0')}`,
        at: `${SECOND}.${String(nanoseconds).padStart(9, '0')}Z`,
        subscription: { id, customerId: 'ctm_a', priceId: price, status, created: id === 'sub_a' ? 1 : 2 },
      }),
    ),
  );

const stateAfter = (list: readonly SubscriptionReport[]): BillingState => list.reduce(withReport, NO_REPORTS);

describe('the state of subscriptions', () => {
  it('is the same whatever the order of the reports and however often each arrives', () => {
    const shuffled = reports.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, ([list, repeated]) => {
        expect(stateAfter(repeated)).toEqual(stateAfter(list));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the last report that arrived', () => {
    const subsets = reports.chain((list) => fc.subarray(list, { minLength: Math.min(1, list.length) }));
    fc.assert(
      fc.property(subsets, (list) => {
        const ordered = [...list].sort((a, b) => (`${a.at} ${a.eventId}` > `${b.at} ${b.eventId}` ? 1 : -1));
        const state = stateAfter(list);
        for (const id of ['sub_a', 'sub_b']) {
          const history = ordered.filter(({ subscription }) => subscription.id === id);
          expect(state[id]?.subscription).toEqual(history.at(-1)?.subscription);
          // A payment is due since the first past-due report after the last good one.
          const lastPaid = history.findLast(({ subscription }) => subscription.status !== 'past_due')?.at ?? '';
          const due = history.find(({ subscription, at }) => subscription.status === 'past_due' && at > lastPaid)?.at;
          expect(dueSince(state, id)).toBe(due && momentOf(due));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('prefers the newest live subscription, so an ended one locks no one out', () => {
    const report = (id: string, status: (typeof PROVIDER_STATUSES)[number], created: number) => ({
      eventId: `evt_${id}`,
      at: `${SECOND}.000000000Z`,
      subscription: { id, customerId: 'ctm_a', priceId: 'pri_a', status, created },
    });
    const state = stateAfter([report('sub_old', 'active', 1), report('sub_new', 'canceled', 3), report('sub_mid', 'past_due', 2)]);
    expect(currentSubscription(state)?.id).toBe('sub_mid');
    expect(liveSubscriptions(state).map(({ id }) => id)).toEqual(['sub_mid', 'sub_old']);
    expect(currentSubscription(stateAfter([report('sub_a', 'canceled', 1), report('sub_b', 'canceled', 2)]))?.id).toBe('sub_b');
    expect(currentSubscription(NO_REPORTS)).toBeUndefined();
  });
});
