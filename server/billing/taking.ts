import { Refusal } from '#contract/errors.ts';
import { inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Applying } from './applying.ts';
import type { EventBody, PaymentProvider } from './port.ts';
import * as store from './store.ts';

export interface EventTakingOptions {
  readonly kernel: Pick<Kernel, 'database' | 'now' | 'log'>;
  readonly provider: Pick<PaymentProvider, 'readEvent'>;
  readonly applying: Applying;
}

/**
 * Takes an event of the provider's, posted or read from its list: applies and stores it in one transaction. One that cannot be
 * read or applied is kept for an operator, and thrown of; one that finds no database is only thrown of.
 */
export const openTaking =
  ({ kernel, provider, applying }: EventTakingOptions) =>
  async (body: EventBody): Promise<void> => {
    try {
      const event = provider.readEvent(body);
      await inEveryAccount(kernel, (scope) => applying.event(scope, event));
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      kernel.log.warn({ type: body['event_type'], problem }, 'an event of the payment provider could not be applied');
      await inEveryAccount(kernel, (scope) => store.keepFailed(scope, { body, problem }));
      throw error;
    }
  };
