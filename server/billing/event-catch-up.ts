import { DAY } from '#contract/core/time.ts';
import { deleteOld } from '../platform/database/batches.ts';
import { problemText } from '../platform/log/log.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import { createEventProcessor, EventNotApplied, type EventProcessorOptions } from './event-processor.ts';
import type { EventBody, PaymentProvider } from './port.ts';
import * as store from './store.ts';

/** How long events are stored (ms): as long as at the provider. @limit payment-events */
const EVENT_LIFETIME = 90 * DAY;

interface CatchUpOptions extends EventProcessorOptions {
  readonly provider: Pick<PaymentProvider, 'eventsAfter' | 'readEvent'>;
}

/** Returns a job that reads the provider's list of events from where the last run ended, and applies those that were missed. */
export function openEventCatchUp({ platform, provider, updates }: CatchUpOptions): () => Promise<void> {
  const processEvent = createEventProcessor({ platform, provider, updates });
  return async () => {
    const progress = await inEveryAccount(platform, (scope) => store.progress(scope));
    try {
      await readAfter(progress?.after ?? undefined);
      await inEveryAccount(platform, (scope) => store.saveProgress(scope, { readAt: scope.now, failure: null }));
    } catch (error) {
      await inEveryAccount(platform, (scope) => store.saveProgress(scope, { failure: problemText(error) }));
      throw error;
    }
    await deleteOld(platform, [[store.deleteEvents, EVENT_LIFETIME]]);
  };

  async function readAfter(after: string | undefined): Promise<void> {
    for await (const page of provider.eventsAfter(after)) {
      for (const body of page) await apply(body);
      const last = page.at(-1)?.['event_id'];
      if (typeof last === 'string') await inEveryAccount(platform, (scope) => store.saveProgress(scope, { after: last }));
    }
  }

  /** Applies an event. One that can't be applied is left to an operator and doesn't block the others. */
  async function apply(body: EventBody): Promise<void> {
    try {
      await processEvent(body);
    } catch (error) {
      if (!(error instanceof EventNotApplied)) throw error;
    }
  }
}
