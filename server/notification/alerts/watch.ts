import { SYSTEM } from '#contract/event/event.ts';
import type { Platform } from '../../platform/context.ts';
import { warnSeldom } from '../../platform/log/log.ts';
import { type AccountScope, inAccount, inEveryAccount } from '../../platform/tenancy/access.ts';
import { deliverDue } from './alert-delivery.ts';
import type { AlertContext } from './alert-mail.ts';
import { dueRecipients } from './alert-store.ts';
import { escalate } from './escalation.ts';
import * as escalations from './escalation-store.ts';

/** How often due alerts are read (ms). */
const CHECK_INTERVAL = 1_000;

/** Delivers alerts and escalations that fall due, in worker processes. Several may run at once. */
export function openAlertWatch(platform: Platform, context: AlertContext) {
  const warn = warnSeldom(platform.log, 'due alerts could not be sent; retrying');
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(() => {
        running ??= deliverAll()
          .catch(warn)
          .finally(() => {
            running = undefined;
          });
      }, CHECK_INTERVAL);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  async function deliverAll(): Promise<void> {
    for (const { accountId, userId } of await inEveryAccount(platform, dueRecipients))
      await attempt(accountId, (scope) => deliverDue(context, scope, userId));
    for (const { accountId, feedbackId } of await inEveryAccount(platform, escalations.due))
      await attempt(accountId, (scope) => escalate(context, scope, feedbackId));
  }

  /** A failure in one account doesn't block others. */
  async function attempt(accountId: string, work: (scope: AccountScope) => Promise<void>): Promise<void> {
    await inAccount(platform, { accountId, actor: SYSTEM }, work).catch(warn);
  }
}
