import { badField, refusal } from '#contract/errors.ts';
import type { formOperations } from '#contract/form.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { servicesOf } from '#contract/steps.ts';
import type { Facts, TellMail } from '../events.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import type { Emit } from '../kernel/facts.ts';
import * as store from './store.ts';

interface FormRoom {
  readonly kernel: Pick<Kernel, 'now' | 'log'>;
  readonly emit: Emit<Facts>;
  readonly reader: store.FormReader;
  readonly tell: TellMail;
  /** Who stands behind a user id of the account. */
  readonly personOf: (scope: AccountScope, userId: string) => Promise<{ emailAddress: string } | undefined>;
}

export function openForm({ kernel, emit, reader, tell, personOf }: FormRoom) {
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
    async notify({ scope, person }, { payload, ignore, debug }) {
      const [saved, caller] = [await store.byId(scope, payload.id), await personOf(scope, person.userId)];
      if (!saved || !caller) return NOT_FOUND;
      if (ignore.emailAddress !== caller.emailAddress) throw badField('ignore.emailAddress', 'This must be your own address');
      const { displayName: place } = saved.data;
      await tell(scope, 'property.opened', { email: caller.emailAddress, place, path: ignore.buttonURL });
      if (debug) kernel.log.info({ accountId: scope.accountId, subject: 'property.opened' }, 'a mail was asked for');
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof formOperations>;
}
