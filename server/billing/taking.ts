import { Refusal } from '#contract/core/errors.ts';
import type { Platform } from '../platform/context.ts';
import { asRefusal } from '../platform/database/database.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import type { Applying } from './applying.ts';
import type { EventBody, PaymentProvider } from './port.ts';
import * as store from './store.ts';

export interface EventTakingOptions {
  readonly platform: Pick<Platform, 'database' | 'now' | 'log'>;
  readonly provider: Pick<PaymentProvider, 'readEvent'>;
  readonly applying: Applying;
}

/** The event could not be read or applied, and is kept for an operator. */
export class EventKept extends Error {}

/**
 * Takes an event of the provider's, posted or read from its list: applies and stores it in one transaction. Throws `EventKept` of one
 * that cannot be read or applied, and a `Refusal` where the database is away or busy: nothing is wrong with such an event, which is to
 * come again.
 */
export const openTaking =
  ({ platform, provider, applying }: EventTakingOptions) =>
  async (body: EventBody): Promise<void> => {
    try {
      const event = provider.readEvent(body);
      await inEveryAccount(platform, (scope) => applying.event(scope, event));
    } catch (error) {
      const refused = error instanceof Refusal ? error : asRefusal(error);
      if (refused) throw refused;
      const problem = error instanceof Error ? error.message : String(error);
      platform.log.warn({ type: body['event_type'], problem }, 'an event of the payment provider could not be applied');
      await inEveryAccount(platform, (scope) => store.keepFailed(scope, { body, problem }));
      throw new EventKept('An event of the payment provider could not be applied.', { cause: error });
    }
  };
