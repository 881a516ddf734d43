import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import type { reportOperations } from '#contract/report/report.ts';
import { record } from '../event/store.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';

export function openReport() {
  return {
    async send({ scope, person }, { propertyId, kind }) {
      if (!(await properties.byId(scope, propertyId))) return NOT_FOUND;
      await countWithin(scope, ASKED_FOR, person.userId);
      await record(scope, 'report.requested', { subject: propertyId, data: { kind } });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof reportOperations>;
}

/** Reports per person, sent to their own address. @limit reports-asked-for */
const ASKED_FOR = { name: 'reports asked for', most: 10, within: HOUR };
