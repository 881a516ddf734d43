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
const LOOK = 1_000;

/** Delivers alerts and escalations that fall due, in worker processes. Many may look at once. */
export function openAlertWatch(platform: Platform, context: AlertContext) {
  const warn = warnSeldom(platform.log, 'due alerts could not be sent; retrying');
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(() => {
        running ??= look()
          .catch(warn)
          .finally(() => {
            running = undefined;
          });
      }, LOOK);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  async function look(): Promise<void> {
    for (const { accountId, userId } of await inEveryAccount(platform, dueRecipients))
      await attempt(accountId, (scope) => deliverDue(context, scope, userId));
    for (const { accountId, feedbackId } of await inEveryAccount(platform, escalations.due))
      await attempt(accountId, (scope) => escalate(context, scope, feedbackId));
  }

  /** A failure in one account blocks no other. */
  async function attempt(accountId: string, work: (scope: AccountScope) => Promise<void>): Promise<void> {
    await inAccount(platform, { accountId, actor: SYSTEM }, work).catch(warn);
  }
}
