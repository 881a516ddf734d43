import type { DueDelivery, DueQuery } from './delivery-store.ts';

/** Limits on concurrent deliveries. */
interface FairnessLimits {
  readonly perWebhook: number;
  readonly perFailingWebhook: number;
  readonly perAccount: number;
  /** All failing webhooks together. */
  readonly failingTotal: number;
  readonly total: number;
}

/** Counts running deliveries, so that a receiver that hangs doesn't delay other accounts. */
interface Fairness {
  /** Counts a delivery until the returned function is called. */
  add(delivery: DueDelivery): () => void;
  hasRoom(delivery: DueDelivery): boolean;
  /** Returns how many more can run. */
  left(): number;
  /** Returns the webhooks and accounts at their limits. */
  busy(): DueQuery['busy'];
}

export function openFairness({ perWebhook, perFailingWebhook, perAccount, failingTotal, total }: FairnessLimits): Fairness {
  const running = new Set<DueDelivery>();
  return {
    add(delivery) {
      running.add(delivery);
      return () => running.delete(delivery);
    },
    hasRoom: (delivery) => !isWebhookFull(delivery) && !isAccountFull(delivery) && !(delivery.isFailing && areFailingFull()),
    left: () => total - running.size,
    busy: () => ({
      webhooks: idsOf('webhookId', isWebhookFull),
      accounts: idsOf('accountId', isAccountFull),
      failing: areFailingFull(),
    }),
  };

  function isWebhookFull({ webhookId, isFailing }: DueDelivery): boolean {
    return countOf((delivery) => delivery.webhookId === webhookId) >= (isFailing ? perFailingWebhook : perWebhook);
  }

  function isAccountFull({ accountId }: DueDelivery): boolean {
    return countOf((delivery) => delivery.accountId === accountId) >= perAccount;
  }

  function areFailingFull(): boolean {
    return countOf(({ isFailing }) => isFailing) >= failingTotal;
  }

  function countOf(isCounted: (delivery: DueDelivery) => boolean): number {
    return [...running].filter(isCounted).length;
  }

  function idsOf(key: 'webhookId' | 'accountId', isFull: (delivery: DueDelivery) => boolean): string[] {
    return [...new Set([...running].filter(isFull).map((delivery) => delivery[key]))];
  }
}
