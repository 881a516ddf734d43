import type { ReviewInvitation } from '#contract/form/form.ts';

/** Labels of a form's review invitation. */
export const INVITED: Readonly<Record<ReviewInvitation, string>> = { good: 'Good and Great ratings', everyone: 'Everyone' };
