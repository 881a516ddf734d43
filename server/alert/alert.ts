import type { FastifyInstance } from 'fastify';
import { DAY } from '#contract/core/time.ts';
import type { EventSubscriber } from '../event/relay.ts';
import type { Platform } from '../platform/context.ts';
import { forgetOld } from '../platform/database/portions.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail, WithdrawMail } from '../platform/mailer/send-mail.ts';
import { openListLinks } from '../property/property.ts';
import { openAlertLinks } from './links.ts';
import { type AlertPageOptions, addAlertPage } from './page.ts';
import * as store from './store.ts';
import { amendedAlerts, urgentAlerts } from './subscribers.ts';
import { openTelling } from './telling.ts';
import { type AlertWatch, openWatch } from './watch.ts';

/** Who has to hear of urgent feedback, now or later. */
export interface AlertRoom {
  readonly subscribers: readonly EventSubscriber[];
  readonly watch: AlertWatch;
  /** The jobs of this room. */
  readonly work: Work;
  /** Serves the page that a mail's second button leads to. */
  addPage(http: FastifyInstance, changeWork: AlertPageOptions['changeWork']): void;
}

interface AlertOptions {
  readonly platform: Platform;
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  readonly notify: Notify;
  readonly ring: Ring;
}

/** So long it is known who has heard of what. */
const KEPT = 90 * DAY;

export function openAlerts({ platform, send, withdraw, notify, ring }: AlertOptions): AlertRoom {
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
    subscribers: [urgentAlerts({ telling, notify }), amendedAlerts(telling)],
    watch: openWatch({ platform, telling }),
    addPage: (http, changeWork) => addAlertPage(http, { platform, links, changeWork }),
    work: {
      'alert.upkeep': () =>
        forgetOld(platform, [
          [store.forgetLinksOver, 0],
          [store.forgetBefore, KEPT],
        ]),
    },
  };
}
