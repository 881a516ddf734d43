import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { openOutbound } from '../platform/outbound/outbound.ts';
import type { Authenticator } from '../platform/tenancy/access.ts';
import { openAlerts } from './alerts/alerts.ts';
import type { ChangeWork } from './alerts/link-page.ts';
import { maintainInbox, openInbox, openNotify } from './inbox/inbox.ts';
import { type MailQueue, maintainDeliveries } from './mail/mails.ts';
import { mailMetrics } from './mail/metrics.ts';
import { addMailReturns } from './mail/returns.ts';
import * as mailed from './mail/subscribers.ts';
import { alertsOf, openDelivery } from './operations.ts';
import { maintainDevices, openDevice } from './push/devices.ts';
import { openPushSecrets } from './push/push-secrets.ts';
import { openPushes } from './push/pushes.ts';
import { assignedMail, discardedNotifications, mentionedMail, reportedMail, silentKioskMail, webhookFailingMail } from './subscribers.ts';

interface NotificationContext {
  readonly platform: Platform;
  readonly authenticator: Authenticator;
  readonly mails: MailQueue;
  readonly changeWork: ChangeWork;
}

/** Decides whom to notify, when and through which channel: mail, inbox and push. */
export const notification = ({ platform, authenticator, mails, changeWork }: NotificationContext) => {
  const { publicUrl: site, operatorEmails, billing, outbound: config } = platform.config;
  const secrets = openPushSecrets(platform.secret);
  // Push services answer quickly, and an account's people share a few of them. @limit outbound-host
  const outbound = openOutbound({ config, limits: { total: 5_000, perHost: 10 } });
  const pushes = openPushes({ platform, outbound, secrets, authenticator });
  const channels = {
    send: mails.send,
    withdraw: mails.withdraw,
    discard: mails.discard,
    notify: openNotify(platform),
    push: pushes.send,
    site,
  };
  const alerts = openAlerts({ platform, changeWork, ...channels });
  const options = { ...channels, operatorEmails, isTestMode: billing?.kind === 'sandbox', log: platform.log };
  return {
    ...alerts,
    handlers: {
      delivery: openDelivery({ platform, sendMail: mails.send }),
      notification: { ...openInbox(), alerts: alertsOf },
      device: openDevice({ platform, outbound, pushes, secrets }),
    },
    subscribers: [
      webhookFailingMail(channels),
      ...alerts.subscribers,
      mailed.welcomeMail(options),
      mailed.formReadyMail(options),
      mailed.formLinkMail(options),
      mailed.accountDeletedMail(options),
      mailed.apiKeyMail(options),
      mailed.planMail(options),
      mentionedMail(channels),
      assignedMail(channels),
      silentKioskMail(channels),
      reportedMail(channels),
      discardedNotifications,
      mailed.messageMail(options),
    ],
    work: {
      ...mails.work,
      ...pushes.work,
      ...alerts.work,
      'notification.upkeep': () => eachSettled([maintainDeliveries, maintainInbox, maintainDevices], (maintain) => maintain(platform)),
    },
    metrics: [mailMetrics(platform)],
    serve(http) {
      addMailReturns(http, platform);
      return alerts.serve(http);
    },
  } satisfies Module;
};
