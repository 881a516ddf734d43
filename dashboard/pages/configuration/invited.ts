import type { ReviewInvitation } from '#contract/form/form.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';

/** Labels of a form's review invitation. */
export const INVITED: Readonly<Record<ReviewInvitation, Untranslated>> = translatable({
  good: 'Good and Great ratings',
  everyone: 'Everyone',
});
