/* The rating scale of the whole product (docs/rules.md#rating-scale), without imports, so that the form's page stays small. */

export const RATINGS = [1, 2, 3, 4, 5] as const;
export type Rating = (typeof RATINGS)[number];
export const RATING_WORDS: Record<Rating, string> = { 1: 'Awful', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Great' };
/** The faces in emails: no pictures, which many mail programs block, and characters that even old programs have. */
export const EMOJI: Record<Rating, string> = { 1: '😠', 2: '😞', 3: '😐', 4: '😊', 5: '😄' };
/** A face's mouth, as a path in a box of 24 by 24. Its shape shows the rating, so color is never the only cue. */
export const MOUTHS: Record<Rating, string> = {
  1: 'M7.2 17c2.4-3.6 7.2-3.6 9.6 0',
  2: 'M8 16.4c2-1.9 6-1.9 8 0',
  3: 'M8.2 15.8h7.6',
  4: 'M8 14.8c2 2.3 6 2.3 8 0',
  5: 'M7 13.8c1.9 4.7 8.1 4.7 10 0',
};
export type RatingView = 'bad' | 'okay' | 'good';

/** A rating below this is urgent (docs/rules.md#urgent). */
export const URGENT_BELOW = 3;

/** Returns the form's view for a rating: 1–2 bad, 3 okay, 4–5 good. */
export const viewOf = (rating: Rating): RatingView => (rating < URGENT_BELOW ? 'bad' : rating === URGENT_BELOW ? 'okay' : 'good');

/** Returns whether feedback is urgent: a rating below 3, or a visitor who asked to be contacted. */
export const isUrgent = (rating: Rating, wantsContact: boolean): boolean => rating < URGENT_BELOW || wantsContact;

/** A visitor's text (characters). It's never cut. @limit words */
export const MAX_TEXT = 2000;
