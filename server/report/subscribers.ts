import { zoneOf } from '#contract/property/property.ts';
import { lastPeriod } from '#contract/report/report.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import { buildReport } from './build-report.ts';
import { settingsOf } from './report.ts';
import * as store from './store.ts';

/** Plans a property's next reports when its lists or time zone change. */
export const reportPlan = (): EventSubscriber =>
  subscriber(
    'report plan',
    ['property.created', 'property.notifications-changed', 'property.time-zone-changed'],
    async (scope, { subject }) => {
      const property = await properties.lock(scope, subject);
      if (property) await store.plan(scope, settingsOf(property));
    },
  );

/** Sends the report of the last period only to the person who requested it. */
export const requestedReport = ({ send, site }: { readonly send: SendMail; readonly site: string }): EventSubscriber =>
  subscriber('requested report', ['report.requested'], async (scope, { name: reason, subject, actor, at, data: { kind } }) => {
    const [property, person] = [await properties.byId(scope, subject), await users.byId(scope, actor)];
    if (!property || !person) return;
    const props = await buildReport(scope, { property, period: lastPeriod(kind, at, zoneOf(property)), site });
    await send(scope, { to: person.data.emailAddress, mail: 'report', props, reason });
  });
