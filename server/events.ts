import type { Step } from '#contract/form.ts';
import type { Service } from '#contract/review.ts';

/** Facts that can happen, in the past tense. Told inside the transaction that made them true. */
export interface Facts {
  'property.created': { propertyId: string; formId: string; steps: Step[]; by: string };
  'property.renamed': { formId: string };
  'property.services-changed': { formId: string; service: readonly Service[]; by: string };
  'property.deleted': { propertyId: string; formId: string };
  'form.services-changed': { propertyId: string; service: readonly Service[] };
}

export type FactName = keyof Facts;
