import { and, eq } from 'drizzle-orm';
import { type Form, STANDARD } from '#contract/form/form.ts';
import { properties } from '../property/store.ts';
import { forms, formVersions } from './tables.ts';

/** The columns of a form's record. */
export const COLUMNS = {
  accountId: forms.accountId,
  propertyId: forms.propertyId,
  id: forms.id,
  version: forms.version,
  displayName: properties.displayName,
  steps: formVersions.steps,
  inviteToReview: formVersions.inviteToReview,
  language: formVersions.language,
  translations: formVersions.translations,
  saved: formVersions.saved,
};
export const OF_PROPERTY = and(eq(properties.accountId, forms.accountId), eq(properties.id, forms.propertyId));
export const CURRENT_VERSION = and(
  eq(formVersions.accountId, forms.accountId),
  eq(formVersions.formId, forms.id),
  eq(formVersions.version, forms.version),
);

type FormRow = { [Field in keyof typeof COLUMNS]: (typeof COLUMNS)[Field]['_']['data'] };

export function formOf({ accountId, id, propertyId, displayName, version, saved, ...content }: FormRow): Form {
  const { steps, inviteToReview, language, translations } = content;
  return {
    id,
    sk: 'FORM',
    gs1sk: propertyId,
    data: {
      accountId,
      formId: id,
      propertyId,
      displayName,
      experience: STANDARD,
      version,
      updated: saved.getTime(),
      inviteToReview,
      language,
      translations,
      steps,
    },
  };
}
