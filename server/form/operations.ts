import { badField, refusal } from '#contract/errors.ts';
import type { formOperations } from '#contract/form.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { servicesOf } from '#contract/steps.ts';
import { HOUR } from '#contract/time.ts';
import { record } from '../event/store.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import { countWithin } from '../kernel/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';

interface FormRoom {
  readonly kernel: Pick<Kernel, 'log'>;
  readonly reader: store.FormReader;
}

export function openForm({ kernel, reader }: FormRoom) {
  return {
    async get(_visitor, { formId }) {
      const known = await reader.byId(formId);
      if (known?.closed) throw refusal('form-closed');
      return known ? { status: 'ok', form: known.form } : NOT_FOUND;
    },
    /** A form that points to other review services says so for its property: first, as whoever saves the property goes the same way. */
    async save({ scope }, { payload: { id, data } }) {
      const before = await store.byId(scope, id);
      if (before && data.steps) await properties.change(scope, before.gs1sk, { service: [...servicesOf(data.steps)] });
      const newest = await store.newestVersion(scope, id);
      if (!newest) return NOT_FOUND;
      const steps = data.steps ?? newest.steps;
      const inviteToReview = data.inviteToReview ?? newest.inviteToReview;
      await store.addVersion(scope, id, { steps, inviteToReview, saved: scope.now, savedBy: scope.actor });
      const form = await store.byId(scope, id);
      return form ? { status: 'ok', form } : NOT_FOUND;
    },
    async notify({ scope, person }, { payload, ignore, debug }) {
      if (!(await store.byId(scope, payload.id))) return NOT_FOUND;
      if (ignore.emailAddress !== person.emailAddress) throw badField('ignore.emailAddress', 'This must be your own address');
      await countWithin(scope, ANNOUNCEMENTS, person.userId);
      await record(scope, 'form.announcement-requested', { subject: payload.id, data: { path: ignore.buttonURL } });
      if (debug) kernel.log.info({ accountId: scope.accountId, subject: 'form.announcement-requested' }, 'a mail was asked for');
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof formOperations>;
}

/** Mails that a person asks for to their own address. */
const ANNOUNCEMENTS = { name: 'form announcements', most: 20, within: HOUR };
