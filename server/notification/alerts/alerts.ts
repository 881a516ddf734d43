import { DAY } from '#contract/core/time.ts';
import type { Module } from '../../module.ts';
import type { Platform } from '../../platform/context.ts';
import { deleteOld } from '../../platform/database/batches.ts';
import { openListLinks } from '../../property/property.ts';
import type { AlertContext } from './alert-mail.ts';
import { deleteBefore } from './alert-store.ts';
import { addAlertPage, type ChangeWork } from './link-page.ts';
import { deleteExpired } from './link-store.ts';
import { openAlertLinks } from './links.ts';
import { amendedAlerts, erasedAlerts, messageAlerts, urgentAlerts } from './subscribers.ts';
import { openAlertWatch } from './watch.ts';

interface AlertsOptions extends Pick<AlertContext, 'send' | 'withdraw' | 'discard' | 'notify' | 'push'> {
  readonly platform: Platform;
  readonly changeWork: ChangeWork;
}

/** How long alerts that need no further delivery are stored. */
const RETENTION = 90 * DAY;

/** Notifies the team of urgent feedback, at once or later. */
export function openAlerts({ platform, changeWork, ...channels }: AlertsOptions) {
  const site = platform.config.publicUrl;
  const links = openAlertLinks(platform);
  const context = { ...channels, links, lists: openListLinks({ secret: platform.secret, site }), site };
  const watch = openAlertWatch(platform, context);
  return {
    subscribers: [urgentAlerts(context), amendedAlerts(context), messageAlerts(context), erasedAlerts(context)],
    work: {
      'alert.upkeep': () =>
        deleteOld(platform, [
          [deleteExpired, 0],
          [deleteBefore, RETENTION],
        ]),
    },
    serve(http) {
      addAlertPage(http, { platform, links, changeWork });
      return {};
    },
    start: watch.start,
    stop: watch.stop,
  } satisfies Module;
}
