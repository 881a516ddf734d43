import type { DueDelivery, DueQuery } from './store.ts';

/** How many deliveries may be under way at a time. */
export interface FairnessLimits {
  /** Of one webhook. */
  readonly ofOne: number;
  /** Of one that nothing has arrived at lately. */
  readonly ofFailing: number;
  /** Of one account. */
  readonly ofAccount: number;
  /** Of all failing webhooks together. */
  readonly toFailing: number;
  readonly inAll: number;
}

/** Counts the deliveries under way, so that a receiver that hangs holds up no other account's. */
export interface Fairness {
  /** Counts a delivery until the returned function is called. */
  add(delivery: DueDelivery): () => void;
  hasRoom(delivery: DueDelivery): boolean;
  /** How many more may be under way. */
  left(): number;
  /** Those without room. */
  busy(): DueQuery['busy'];
}

export function openFairness({ ofOne, ofFailing, ofAccount, toFailing, inAll }: FairnessLimits): Fairness {
  const underWay = new Set<DueDelivery>();
  return {
    add(delivery) {
      underWay.add(delivery);
      return () => underWay.delete(delivery);
    },
    hasRoom: (delivery) => !isWebhookFull(delivery) && !isAccountFull(delivery) && !(delivery.isFailing && areFailingFull()),
    left: () => inAll - underWay.size,
    busy: () => ({
      webhooks: idsOf('webhookId', isWebhookFull),
      accounts: idsOf('accountId', isAccountFull),
      failing: areFailingFull(),
    }),
  };

  function isWebhookFull({ webhookId, isFailing }: DueDelivery): boolean {
    return countOf((each) => each.webhookId === webhookId) >= (isFailing ? ofFailing : ofOne);
  }

  function isAccountFull({ accountId }: DueDelivery): boolean {
    return countOf((each) => each.accountId === accountId) >= ofAccount;
  }

  function areFailingFull(): boolean {
    return countOf(({ isFailing }) => isFailing) >= toFailing;
  }

  function countOf(isCounted: (each: DueDelivery) => boolean): number {
    return [...underWay].filter(isCounted).length;
  }

  function idsOf(whose: 'webhookId' | 'accountId', isFull: (each: DueDelivery) => boolean): string[] {
    return [...new Set([...underWay].filter(isFull).map((each) => each[whose]))];
  }
}
