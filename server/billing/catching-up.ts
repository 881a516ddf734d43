import { DAY } from '#contract/time.ts';
import { inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Applying } from './applying.ts';
import type { EventBody, PaymentProvider, ProviderEvent } from './port.ts';
import * as store from './store.ts';

/** The provider keeps its events for so long, and so do we. */
const KEPT = 90 * DAY;

interface CatchingUpOptions {
  readonly kernel: Pick<Kernel, 'database' | 'now' | 'log'>;
  readonly provider: Pick<PaymentProvider, 'eventsAfter' | 'readEvent'>;
  readonly applying: Applying;
}

/** Reads the provider's own list of events from where the last reading ended, and applies what was not applied. */
export function openCatchingUp({ kernel, provider, applying }: CatchingUpOptions): () => Promise<void> {
  return async () => {
    const known = await inEveryAccount(kernel, (scope) => store.reading(scope));
    try {
      await readAfter(known?.after ?? undefined);
      await inEveryAccount(kernel, (scope) => store.keepReading(scope, { readAt: scope.now, failure: null }));
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      await inEveryAccount(kernel, (scope) => store.keepReading(scope, { failure }));
      throw error;
    }
    await inEveryAccount(kernel, (scope) => store.forgetEvents(scope, new Date(scope.now.getTime() - KEPT)));
  };

  async function readAfter(after: string | undefined): Promise<void> {
    for await (const page of provider.eventsAfter(after)) {
      for (const body of page) await apply(body);
      const last = page.at(-1)?.['event_id'];
      if (typeof last === 'string') await inEveryAccount(kernel, (scope) => store.keepReading(scope, { after: last }));
    }
  }

  /** One that cannot be read keeps no other from being applied. */
  async function apply(body: EventBody): Promise<void> {
    const event = readable(body);
    await inEveryAccount(kernel, async (scope) => {
      if ('problem' in event) await store.keepUnreadable(scope, event);
      else await applying.event(scope, event);
    });
  }

  function readable(body: EventBody): ProviderEvent | Unreadable {
    try {
      return provider.readEvent(body);
    } catch (error) {
      kernel.log.warn({ type: body['event_type'] }, 'an event of the payment provider cannot be read');
      return { body, problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

interface Unreadable {
  readonly body: EventBody;
  readonly problem: string;
}
