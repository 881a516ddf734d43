import type { EventSubscriber } from './event/relay.ts';
import type { SendMail } from './kernel/send-mail.ts';
import { formReadyMail, welcomeMail } from './notification/subscribers.ts';

interface SubscriberDependencies {
  readonly send: SendMail;
  /** The configured address. */
  readonly site: string;
}

/** What follows from what happened: a line a subscriber. */
export const subscribersWith = (dependencies: SubscriberDependencies): readonly EventSubscriber[] => [
  // Each declares the events that it subscribes to.
  welcomeMail(dependencies),
  formReadyMail(dependencies),
];
