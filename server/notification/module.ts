import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { openBell } from './bell.ts';
import { openDevice } from './devices.ts';
import { mailFigures } from './figures.ts';
import type { MailRoom } from './mails.ts';
import { openDelivery } from './operations.ts';
import type { Pushes } from './pushes.ts';
import type { PushSecrets } from './secrets.ts';
import * as subscribers from './subscribers.ts';

interface NotificationContext {
  readonly platform: Platform;
  readonly mails: MailRoom;
  readonly pushes: Pushes;
  readonly pushOutbound: Outbound;
  readonly pushSecrets: PushSecrets;
  readonly send: SendMail;
  readonly notify: Notify;
  readonly ring: Ring;
}

/** Mails, the bell and pushes. */
export const notification = ({ platform, mails, pushes, pushOutbound, pushSecrets, ...channels }: NotificationContext) => {
  const { publicUrl: site, operatorEmails, billing } = platform.config;
  const isTestMode = billing?.kind === 'sandbox';
  const options = { ...channels, site, operatorEmails, isTestMode, log: platform.log };
  return {
    handlers: {
      delivery: openDelivery({ platform, sendMail: channels.send }),
      notification: openBell(),
      device: openDevice({ platform, outbound: pushOutbound, pushes, secrets: pushSecrets }),
    },
    subscribers: [
      subscribers.welcomeMail(options),
      subscribers.formReadyMail(options),
      subscribers.formLinkMail(options),
      subscribers.accountDeletedMail(options),
      subscribers.planMail(options),
      subscribers.mentionedMail(options),
      subscribers.assignedMail(options),
      subscribers.messageMail(options),
    ],
    work: { ...mails.work, ...pushes.work },
    metrics: [mailFigures(platform)],
  } satisfies Module;
};
