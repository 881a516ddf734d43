import { refusal } from '#contract/errors.ts';
import type { formOperations } from '#contract/form.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { servicesOf } from '#contract/steps.ts';
import type { Facts } from '../events.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import type { Emit } from '../kernel/facts.ts';
import * as store from './store.ts';

interface FormRoom {
  readonly kernel: Pick<Kernel, 'now'>;
  readonly emit: Emit<Facts>;
  readonly reader: store.FormReader;
}

export function openForm({ kernel, emit, reader }: FormRoom) {
  return {
    async get(_visitor, { formId }) {
      const known = await reader.byId(formId);
      if (known?.closed) throw refusal('form-closed');
      return known ? { status: 'ok', form: known.form } : NOT_FOUND;
    },
    async save({ scope, person }, { payload: { id, data } }) {
      const newest = await store.newestVersion(scope, id);
      if (!newest) return NOT_FOUND;
      const steps = data.steps ?? newest.steps;
      const inviteToReview = data.inviteToReview ?? newest.inviteToReview;
      await store.addVersion(scope, id, { steps, inviteToReview, saved: new Date(kernel.now()), savedBy: person.userId });
      if (data.steps) await emit(scope, 'form.services-changed', { propertyId: newest.propertyId, service: servicesOf(steps) });
      const form = await store.byId(scope, id);
      return form ? { status: 'ok', form } : NOT_FOUND;
    },
  } satisfies Handlers<typeof formOperations>;
}
