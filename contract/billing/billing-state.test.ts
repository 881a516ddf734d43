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

describe('moments that the provider writes', () => {
  it('are in the order of time as text, however many digits they have', () => {
    const nanoseconds = fc.integer({ min: 0, max: 999_999_999 });
    const written = (of: number): string => {
      const digits = String(of).padStart(9, '0').replace(/0+$/, '');
      return digits === '' ? `${SECOND}Z` : `${SECOND}.${digits}Z`;
    };
    fc.assert(
      fc.property(nanoseconds, nanoseconds, (one, other) => {
        const [first = '', second = ''] = [instantKey(written(one)), instantKey(written(other))];
        expect(Math.sign(first.localeCompare(second, 'en'))).toBe(Math.sign(one - other));
      }),
    );
    expect(momentOf(instantKey(`${SECOND}.33415Z`) ?? '')).toBe(Date.parse(`${SECOND}.334Z`));
  });

  it('are nothing else', () => {
    for (const wrong of ['', 'now', `${SECOND}`, `${SECOND}+00:00`, `${SECOND}.1234567890Z`]) expect(instantKey(wrong)).toBeUndefined();
  });
});

/** Reports as they happened, none at the same moment of the same subscription with the same id. */
const reports = fc
  .uniqueArray(
    fc.record({
      subscription: fc.constantFrom('sub_a', 'sub_b'),
      status: fc.constantFrom(...PROVIDER_STATUSES),
      // Within a microsecond, so that only the nanoseconds tell.
      nanoseconds: fc.integer({ min: 0, max: 40 }),
      event: fc.integer({ min: 0, max: 99 }),
      price: fc.constantFrom('pri_a', 'pri_b'),
    }),
    { maxLength: 14, selector: ({ event }) => event },
  )
  .map((said) =>
    said.map(
      ({ subscription: id, status, nanoseconds, event, price }): SubscriptionReport => ({
        eventId: `evt_${String(event).padStart(2, '0')}`,
        at: `${SECOND}.${String(nanoseconds).padStart(9, '0')}Z`,
        subscription: { id, customerId: 'ctm_a', priceId: price, status, created: id === 'sub_a' ? 1 : 2 },
      }),
    ),
  );

const heardOf = (said: readonly SubscriptionReport[]): BillingState => said.reduce(withReport, NO_REPORTS);

describe('what is known of subscriptions', () => {
  it('is the same in whatever order it was said, and however often', () => {
    const shuffled = reports.chain((said) =>
      fc.tuple(fc.constant(said), fc.shuffledSubarray([...said, ...said], { minLength: said.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, ([said, again]) => {
        expect(heardOf(again)).toEqual(heardOf(said));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is what was said last, of what came', () => {
    const some = reports.chain((said) => fc.subarray(said, { minLength: Math.min(1, said.length) }));
    fc.assert(
      fc.property(some, (said) => {
        const ordered = [...said].sort((a, b) => (`${a.at} ${a.eventId}` > `${b.at} ${b.eventId}` ? 1 : -1));
        const state = heardOf(said);
        for (const id of ['sub_a', 'sub_b']) {
          const own = ordered.filter(({ subscription }) => subscription.id === id);
          expect(state[id]?.subscription).toEqual(own.at(-1)?.subscription);
          // Since the first time after it was last said to be fine.
          const fine = own.findLast(({ subscription }) => subscription.status !== 'past_due')?.at ?? '';
          const due = own.find(({ subscription, at }) => subscription.status === 'past_due' && at > fine)?.at;
          expect(dueSince(state, id)).toBe(due && momentOf(due));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts the newest subscription that lives: one that ended locks nobody out', () => {
    const report = (id: string, status: (typeof PROVIDER_STATUSES)[number], created: number) => ({
      eventId: `evt_${id}`,
      at: `${SECOND}.000000000Z`,
      subscription: { id, customerId: 'ctm_a', priceId: 'pri_a', status, created },
    });
    const state = heardOf([report('sub_old', 'active', 1), report('sub_new', 'canceled', 3), report('sub_mid', 'past_due', 2)]);
    expect(currentSubscription(state)?.id).toBe('sub_mid');
    expect(liveSubscriptions(state).map(({ id }) => id)).toEqual(['sub_mid', 'sub_old']);
    expect(currentSubscription(heardOf([report('sub_a', 'canceled', 1), report('sub_b', 'canceled', 2)]))?.id).toBe('sub_b');
    expect(currentSubscription(NO_REPORTS)).toBeUndefined();
  });
});
