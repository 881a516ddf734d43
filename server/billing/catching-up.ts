import { DAY } from '#contract/core/time.ts';
import { forgetOld } from '../platform/database/batches.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import type { EventBody, PaymentProvider } from './port.ts';
import * as store from './store.ts';
import { EventKept, type EventTakingOptions, openTaking } from './taking.ts';

/** The provider keeps its events for so long, and so do we. */
const KEPT = 90 * DAY;

interface CatchingUpOptions extends EventTakingOptions {
  readonly provider: Pick<PaymentProvider, 'eventsAfter' | 'readEvent'>;
}

/** Reads the provider's own list of events from where the last reading ended, and applies what was not applied. */
export function openCatchingUp({ platform, provider, applying }: CatchingUpOptions): () => Promise<void> {
  const take = openTaking({ platform, provider, applying });
  return async () => {
    const known = await inEveryAccount(platform, (scope) => store.reading(scope));
    try {
      await readAfter(known?.after ?? undefined);
      await inEveryAccount(platform, (scope) => store.keepReading(scope, { readAt: scope.now, failure: null }));
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      await inEveryAccount(platform, (scope) => store.keepReading(scope, { failure }));
      throw error;
    }
    await forgetOld(platform, [[store.forgetEvents, KEPT]]);
  };

  async function readAfter(after: string | undefined): Promise<void> {
    for await (const page of provider.eventsAfter(after)) {
      for (const body of page) await apply(body);
      const last = page.at(-1)?.['event_id'];
      if (typeof last === 'string') await inEveryAccount(platform, (scope) => store.keepReading(scope, { after: last }));
    }
  }

  /** One that cannot be applied waits for an operator, and keeps no other from being applied. */
  async function apply(body: EventBody): Promise<void> {
    try {
      await take(body);
    } catch (error) {
      if (!(error instanceof EventKept)) throw error;
    }
  }
}
