import { Refusal } from '#contract/core/errors.ts';
import type { Platform } from '../platform/context.ts';
import { asRefusal } from '../platform/database/database.ts';
import { problemText } from '../platform/log/log.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';
import type { EventBody, PaymentProvider } from './port.ts';
import * as store from './store.ts';
import type { SubscriptionUpdates } from './subscription-updates.ts';

export interface EventProcessorOptions {
  readonly platform: Pick<Platform, 'database' | 'now' | 'log'>;
  readonly provider: Pick<PaymentProvider, 'readEvent'>;
  readonly updates: SubscriptionUpdates;
}

/** The event couldn't be read or applied, and is stored for an operator. */
export class EventNotApplied extends Error {}

/**
 * Returns a function that applies and stores an event of the provider in one transaction. It throws `EventNotApplied` if the event
 * can't be read or applied, and a `Refusal` if the database is unreachable or busy, in which case the event must be sent again.
 */
export const createEventProcessor =
  ({ platform, provider, updates }: EventProcessorOptions) =>
  async (body: EventBody): Promise<void> => {
    try {
      const event = provider.readEvent(body);
      await inEveryAccount(platform, (scope) => updates.applyEvent(scope, event));
    } catch (error) {
      const databaseRefusal = error instanceof Refusal ? error : asRefusal(error);
      if (databaseRefusal) throw databaseRefusal;
      const problem = problemText(error);
      platform.log.warn({ type: body['event_type'], problem }, 'could not apply an event of the payment provider');
      await inEveryAccount(platform, (scope) => store.storeFailed(scope, { body, problem }));
      throw new EventNotApplied('Could not apply an event of the payment provider', { cause: error });
    }
  };
