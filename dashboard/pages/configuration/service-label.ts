import type { ReviewService } from '#contract/form/review.ts';
import { t } from '../../language.ts';

/** Returns a review service's name. */
export const serviceLabel = (service: ReviewService): string => (service === 'Other' ? t('Other') : service);
