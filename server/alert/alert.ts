import { DAY } from '#contract/core/time.ts';
import type { Platform } from '../platform/context.ts';
import { forgetOld } from '../platform/database/portions.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail, WithdrawMail } from '../platform/mailer/send-mail.ts';
import { openListLinks } from '../property/property.ts';
import { openAlertLinks } from './links.ts';
import * as store from './store.ts';
import { amendedAlerts, urgentAlerts } from './subscribers.ts';
import { openTelling } from './telling.ts';
import { openWatch } from './watch.ts';

export interface AlertOptions {
  readonly platform: Platform;
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  readonly notify: Notify;
  readonly ring: Ring;
}

/** So long it is known who has heard of what. */
const KEPT = 90 * DAY;

export function openAlerts({ platform, send, withdraw, notify, ring }: AlertOptions) {
  const { publicUrl } = platform.config;
  const links = openAlertLinks(platform);
  const telling = openTelling({
    send,
    withdraw,
    notify,
    ring,
    links,
    lists: openListLinks({ secret: platform.secret, site: publicUrl }),
    site: publicUrl,
  });
  return {
    links,
    subscribers: [urgentAlerts({ telling, notify }), amendedAlerts(telling)],
    watch: openWatch({ platform, telling }),
    work: {
      'alert.upkeep': () =>
        forgetOld(platform, [
          [store.forgetLinksOver, 0],
          [store.forgetBefore, KEPT],
        ]),
    },
  };
}
