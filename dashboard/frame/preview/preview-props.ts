import type { BrandLook } from '#contract/brand/look.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import type { ReviewInvitation } from '#contract/form/form.ts';
import type { FormPreview, FormProps } from '#contract/form/form-page.ts';
import { gaugeOf } from '#contract/form/steps.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import type { TranslatedForm } from '#contract/language/texts.ts';

/** The state that the preview shows: before or after a rating. */
export interface PreviewMoment {
  readonly rating: Rating | undefined;
  readonly screen: FormProps['screen'];
  /** The language, by default the form's own. */
  readonly language?: LanguageTag;
}

/** The state of a form that was just opened. */
export const START: PreviewMoment = { rating: undefined, screen: 'experience' };

export interface PreviewedForm extends TranslatedForm {
  readonly formId: string;
  readonly business: string;
  readonly place: string;
  /** The account's brand, saved or not. */
  readonly look: BrandLook | undefined;
  readonly inviteToReview: ReviewInvitation;
  /** False if visitors can't ask for a private answer. */
  readonly privateReplies?: false | undefined;
}

/** Returns the props of the visitor's page. */
export const previewProps = (form: PreviewedForm, { rating, screen, language = form.language }: PreviewMoment): FormPreview['props'] => ({
  formId: form.formId,
  // A preview sends nothing, so the version doesn't matter.
  version: 0,
  submissionKey: 'preview',
  business: form.business,
  place: form.place,
  look: form.look,
  steps: form.steps,
  inviteToReview: form.inviteToReview,
  language,
  screen,
  given: rating === undefined ? [] : [{ uuid: gaugeOf(form.steps).uuid, block: 'EmojiGauge', response: rating }],
  left: [],
  errors: {},
});
