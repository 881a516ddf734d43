import type { RATING_WORDS, Rating } from '#contract/feedback/rating.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';

/** The same words as `RATING_WORDS`, which the form's page loads and can't mark. */
const WORDS = translatable({ 1: 'Awful', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Great' } satisfies typeof RATING_WORDS);

/** Returns a rating in words. */
export const ratingWord = (rating: Rating): string => t(WORDS[rating]);
