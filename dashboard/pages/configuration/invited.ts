import type { ReviewInvitation } from '#contract/form/form.ts';

/** Who a form invites to review. */
export const INVITED: Readonly<Record<ReviewInvitation, string>> = { good: 'Good and Great ratings', everyone: 'Everyone' };
