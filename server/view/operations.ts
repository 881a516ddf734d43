import { refusal } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { viewOperations } from '#contract/view/view.ts';
import type { FormReader } from '../form/store.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import type { ViewCounter } from './counter.ts';
import * as store from './store.ts';

interface ViewDependencies {
  readonly forms: FormReader;
  readonly views: ViewCounter;
}

export function openView({ forms, views }: ViewDependencies) {
  return {
    async track(_visitor, { formId }) {
      const target = await forms.byId(formId);
      if (!target) return NOT_FOUND;
      if (target.closed) throw refusal('form-closed');
      await views.count(target);
      return { status: 'ok' };
    },
    async list({ scope }, { propertyId, from, to }) {
      return { status: 'ok', views: await store.list(scope, { propertyId, from: dayOf(from), to: dayOf(to) }) };
    },
  } satisfies Handlers<typeof viewOperations>;
}

const dayOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 10));
