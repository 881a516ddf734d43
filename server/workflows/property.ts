import { randomUUID } from 'node:crypto';
import { changedAlerts } from '#contract/alert/alert.ts';
import { formId, propertyId, type RandomBytes } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { SYSTEM } from '#contract/event/event.ts';
import type { Form, ReviewInvitation } from '#contract/form/form.ts';
import type { ReviewLink } from '#contract/form/review.ts';
import { defaultSteps, IN_ENGLISH } from '#contract/form/steps.ts';
import {
  checkEscalated,
  checkNotified,
  nameTaken,
  type Property,
  type PropertyChanges,
  type propertyOperations,
} from '#contract/property/property.ts';
import { record } from '../event/store.ts';
import { subtractNext } from '../feedback/counts-store.ts';
import { changeFormServices } from '../form/form.ts';
import * as forms from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { inTurns } from '../platform/database/batches.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, type DatabaseAndClock, inAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';

/** Operations that save and delete a property together with its form and its counts. */
export function openPropertyWorkflow({ random, jobs }: Pick<Platform, 'random' | 'jobs'>) {
  return {
    async save({ scope }, { payload }) {
      if (payload.id === undefined)
        return { status: 'ok', ...(await createProperty(scope, { ...payload.data, inviteToReview: 'good' }, random)) };
      const property = await change(scope, payload.id, payload.data);
      const form = property && (await forms.byId(scope, property.data.formId));
      return property && form ? { status: 'ok', property, form } : NOT_FOUND;
    },
    async delete({ scope }, { propertyId: id }) {
      const property = await properties.remove(scope, id);
      if (!property) return NOT_FOUND;
      // Before the form is locked, because an arriving answer also locks the counts first.
      await subtractNext(scope, id);
      await forms.remove(scope, property.data.formId);
      await jobs.queue(scope.db, 'property.subtract', { accountId: scope.accountId, propertyId: id });
      await record(scope, 'property.deleted', { subject: id, data: { formId: property.data.formId } });
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof propertyOperations>, 'save' | 'delete'>;
}

/** Returns the job that subtracts the older counts of a deleted property. */
export const openSubtractWork = (platform: DatabaseAndClock): Work => ({
  async 'property.subtract'({ data: { accountId, propertyId: id }, signal }) {
    await inTurns(signal, () => inAccount(platform, { accountId, actor: SYSTEM }, (scope) => subtractNext(scope, id)));
  },
});

interface NewProperty {
  readonly displayName: string;
  readonly service: readonly ReviewLink[];
  readonly timeZone?: string | undefined;
  readonly inviteToReview: ReviewInvitation;
}

/** Creates a property with its default form. Refuses the field `displayName` if another property has that name. */
export async function createProperty(
  scope: AccountScope,
  { displayName, service, timeZone, inviteToReview }: NewProperty,
  random: RandomBytes,
): Promise<{ property: Property; form: Form }> {
  const { actor: author, now: created } = scope;
  const ids = { id: propertyId(random), formId: formId(random) };
  if (timeZone !== undefined) await properties.checkZone(scope, timeZone, ZONE_FIELD);
  const row = { ...ids, created, author, displayName, service: [...service], complaints: [author], weekly: [author], timeZone };
  const property = await refuseTaken(() => properties.insert(scope, row), nameTaken);
  const steps = defaultSteps(service, randomUUID);
  await forms.insert(scope, { id: ids.formId, propertyId: ids.id, steps, inviteToReview, ...IN_ENGLISH, saved: created, savedBy: author });
  await record(scope, 'property.created', { subject: ids.id, data: { formId: ids.formId } });
  const form = await forms.byId(scope, ids.formId);
  if (!form) throw new Error('A property was created without its form');
  return { property, form };
}

const ZONE_FIELD = 'payload.data.timeZone';

async function change(
  scope: AccountScope,
  id: string,
  { notifications, alerts: newAlerts, ...changes }: PropertyChanges,
): Promise<Property | undefined> {
  // New alert settings are merged with the stored ones, so the row is locked.
  const before = await (newAlerts ? properties.lock(scope, id) : properties.byId(scope, id));
  if (before && notifications) checkNotified(notifications, await users.all(scope));
  if (before && newAlerts) checkEscalated(newAlerts, await users.all(scope));
  if (before && typeof changes.timeZone === 'string') await properties.checkZone(scope, changes.timeZone, ZONE_FIELD);
  const alerts = before && newAlerts && (changedAlerts(before.data.alerts, newAlerts) ?? null);
  const property = before && (await refuseTaken(() => properties.change(scope, id, { ...changes, ...notifications, alerts }), nameTaken));
  if (!before || !property) return undefined;
  const { displayName: from, formId } = before.data;
  const { displayName: to } = property.data;
  if (from !== to) await record(scope, 'property.renamed', { subject: id, data: { from, to, formId } });
  if (changes.service) {
    await changeFormServices(scope, formId, changes.service);
    await record(scope, 'property.services-changed', { subject: id, data: { services: changes.service.map(({ name }) => name) } });
  }
  const { timeZone } = property.data;
  if (timeZone !== before.data.timeZone) await record(scope, 'property.time-zone-changed', { subject: id, data: { to: timeZone ?? null } });
  const { retention } = property.data;
  if (retention !== before.data.retention)
    await record(scope, 'property.retention-changed', { subject: id, data: { to: retention ?? null } });
  if (property.data.privacyContact !== before.data.privacyContact)
    await record(scope, 'property.privacy-contact-changed', { subject: id, data: {} });
  const { privateReplies = true } = property.data;
  if (privateReplies !== (before.data.privateReplies ?? true))
    await record(scope, 'property.private-replies-changed', { subject: id, data: { to: privateReplies } });
  if (changes.requests) await record(scope, 'property.requests-changed', { subject: id, data: changes.requests });
  if (notifications) await record(scope, 'property.notifications-changed', { subject: id, data: property.data.notifications });
  if (newAlerts) await record(scope, 'property.alerts-changed', { subject: id, data: property.data.alerts ?? {} });
  return property;
}
