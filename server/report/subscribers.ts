import { type EventSubscriber, subscriber } from '../event/relay.ts';
import type { Platform } from '../platform/context.ts';
import * as properties from '../property/store.ts';
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

/** Queues a report that someone requested. */
export const requestedReport = ({ jobs }: Pick<Platform, 'jobs'>): EventSubscriber =>
  subscriber('requested report', ['report.requested'], ({ accountId, db }, { subject: propertyId, actor: userId, at, data: { kind } }) =>
    jobs.queue(db, 'report.send', { accountId, propertyId, userId, kind, at }),
  );
