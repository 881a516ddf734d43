import * as v from 'valibot';
import { accountIdSchema, formIdSchema, propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { instant, okOrNotFound } from '../core/schema.ts';
import { DAY } from '../core/time.ts';

/** How often a form was opened on a day (UTC). Who opened it is not stored. */
const view = v.strictObject({ formId: formIdSchema, propertyId: propertyIdSchema, day: v.string(), count: v.number() });
export type FormViews = v.InferOutput<typeof view>;

export const viewOperations = {
  track: operation({
    access: 'visitor',
    summary: 'Count an opening of a form, for pages that embed it.',
    refusals: { 'form-closed': 'The form, its property or its account was deleted.' },
    input: v.strictObject({ formId: formIdSchema }),
    answer: okOrNotFound({}),
  }),
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List form openings by form and day (UTC).',
    input: v.strictObject({
      accountId: v.optional(accountIdSchema),
      propertyId: v.optional(propertyIdSchema),
      from: v.optional(instant),
      to: v.optional(instant),
    }),
    answer: okOrNotFound({ views: v.array(view) }),
  }),
};

export const viewExamples: Examples<typeof viewOperations> = {
  track: ({ formId }) => ({ formId }),
  list: ({ accountId, now }) => ({ accountId, from: now - 7 * DAY, to: now }),
};
