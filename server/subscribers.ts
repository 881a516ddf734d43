import type { FastifyBaseLogger } from 'fastify';
import type { RandomBytes } from '#contract/core/ids.ts';
import type { AlertRoom } from './alert/alert.ts';
import type { EventSubscriber } from './event/relay.ts';
import {
  accountDeletedMail,
  assignedMail,
  formLinkMail,
  formReadyMail,
  mentionedMail,
  messageMail,
  planMail,
  welcomeMail,
} from './notification/subscribers.ts';
import type { Notify, Ring } from './platform/live/notify.ts';
import type { SendMail } from './platform/mailer/send-mail.ts';
import { reportPlan, requestedReport } from './report/subscribers.ts';
import { webhookDeliveriesOf, webhookFailingMail } from './webhook/subscribers.ts';

interface SubscriberDependencies {
  readonly alerts: AlertRoom;
  readonly send: SendMail;
  readonly notify: Notify;
  readonly ring: Ring;
  /** The configured address. */
  readonly site: string;
  readonly operatorEmails: readonly string[];
  /** Whether payments move no money. */
  readonly isTestMode: boolean;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
  readonly random: RandomBytes;
}

/** What follows from what happened: a line a subscriber. */
export const subscribersWith = (dependencies: SubscriberDependencies): readonly EventSubscriber[] => [
  // Each declares the events that it subscribes to.
  welcomeMail(dependencies),
  formReadyMail(dependencies),
  formLinkMail(dependencies),
  accountDeletedMail(dependencies),
  planMail(dependencies),
  mentionedMail(dependencies),
  assignedMail(dependencies),
  messageMail(dependencies),
  reportPlan(),
  requestedReport(dependencies),
  webhookDeliveriesOf(dependencies),
  webhookFailingMail(dependencies),
  ...dependencies.alerts.subscribers,
];
