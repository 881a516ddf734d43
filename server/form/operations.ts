import { randomUUID } from 'node:crypto';
import { badField, refusal } from '#contract/core/errors.ts';
import { formId as newFormId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { acceptedSteps, checkIsNewest, formExists, type formOperations, hasReviewBlock } from '#contract/form/form.ts';
import { defaultSteps, IN_ENGLISH, servicesOf } from '#contract/form/steps.ts';
import { acceptedTranslations } from '#contract/language/texts.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import { changeServices } from '../property/property.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';

interface FormDependencies {
  readonly platform: Pick<Platform, 'random'>;
  readonly reader: store.FormReader;
}

export function openForm({ platform, reader }: FormDependencies) {
  const { random } = platform;
  return {
    async get(_visitor, { formId }) {
      const target = await reader.byId(formId);
      if (target?.closed) throw refusal('form-closed');
      return target ? { status: 'ok', form: target.form } : NOT_FOUND;
    },
    async read({ scope }, { formId, version }) {
      const stored = await store.read(scope, formId, version);
      return stored ? { status: 'ok', ...stored } : NOT_FOUND;
    },
    async versions({ scope }, { formId }) {
      if (!(await store.read(scope, formId))) return NOT_FOUND;
      return { status: 'ok', versions: await store.versions(scope, formId), invitations: await store.invitations(scope, formId) };
    },
    async save({ scope }, { payload: { id, data } }) {
      const before = await store.byId(scope, id);
      const accepted = before && data.steps && acceptedSteps(data.steps, before.data.steps);
      // The property is locked first, as when a property is saved, so that the two can't deadlock.
      if (accepted && hasReviewBlock(accepted)) await changeServices(scope, before.gs1sk, servicesOf(accepted));
      const newest = await store.lockNewestVersion(scope, id);
      if (!newest) return NOT_FOUND;
      checkIsNewest(data.basedOn, newest.version);
      const steps = accepted ?? newest.steps;
      await store.addVersion(scope, id, {
        steps,
        inviteToReview: data.inviteToReview ?? newest.inviteToReview,
        language: data.language ?? newest.language,
        translations: acceptedTranslations(data.translations ?? newest.translations, steps),
        saved: scope.now,
        savedBy: scope.actor,
      });
      const form = await store.byId(scope, id);
      return form ? { status: 'ok', form } : NOT_FOUND;
    },
    close: ({ scope }, { formId }) => change(scope, formId, 'form.closed', store.close),
    open: ({ scope }, { formId }) => change(scope, formId, 'form.opened', store.reopen),
    delete: ({ scope }, { formId }) => change(scope, formId, 'form.deleted', store.remove),
    async create({ scope }, { propertyId }) {
      // Locked, so that concurrent requests don't create two forms.
      const property = await properties.lock(scope, propertyId);
      if (!property) return NOT_FOUND;
      const before = await store.read(scope, property.data.formId);
      if (before?.standing !== 'deleted') throw formExists();
      const id = newFormId(random);
      const steps = defaultSteps(property.data.service, randomUUID);
      await store.insert(scope, { id, propertyId, steps, inviteToReview: 'good', ...IN_ENGLISH, saved: scope.now, savedBy: scope.actor });
      await properties.change(scope, propertyId, { formId: id });
      await record(scope, 'form.created', { subject: id, data: { propertyId } });
      const form = await store.byId(scope, id);
      return form ? { status: 'ok', form } : NOT_FOUND;
    },
    async sendLink({ scope, person }, { formId }) {
      if (!(await store.byId(scope, formId))) return NOT_FOUND;
      if ((await reader.byId(formId))?.closed) throw refusal('form-closed');
      await countWithin(scope, LINKS, person.userId);
      await record(scope, 'form.link-requested', { subject: formId, data: {} });
      return { status: 'ok' };
    },
    async notify({ scope, person }, { payload, ignore, debug }) {
      if (!(await store.byId(scope, payload.id))) return NOT_FOUND;
      if (ignore.emailAddress !== person.emailAddress) throw badField('ignore.emailAddress', 'This must be your own address');
      await countWithin(scope, ANNOUNCEMENTS, person.userId);
      await record(scope, 'form.announcement-requested', { subject: payload.id, data: { path: ignore.buttonURL, debug } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof formOperations>;
}

/** Closes, opens or deletes a form, and records a change. A deleted form stays deleted. */
async function change(
  scope: AccountScope,
  formId: string,
  event: 'form.closed' | 'form.opened' | 'form.deleted',
  apply: (scope: AccountScope, id: string) => Promise<boolean>,
): Promise<{ status: 'ok' } | typeof NOT_FOUND> {
  const before = await store.read(scope, formId);
  if (!before || before.standing === 'deleted') return NOT_FOUND;
  if (await apply(scope, formId)) await record(scope, event, { subject: formId, data: { propertyId: before.form.gs1sk } });
  return { status: 'ok' };
}

/** Mails that a person requests to their own address: with a form's link, and that a form is ready. @limit announcements */
const LINKS = { name: 'form links', most: 5, within: HOUR };
const ANNOUNCEMENTS = { name: 'form announcements', most: 20, within: HOUR };
