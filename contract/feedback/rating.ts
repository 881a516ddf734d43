/** The rating: one rule, used by the form, the feed, the database and every count (docs/rules.md#rating-scale). Pure, so that the form's page stays small. */

export const RATINGS = [1, 2, 3, 4, 5] as const;
export type Rating = (typeof RATINGS)[number];
export const RATING_WORDS: Record<Rating, string> = { 1: 'Awful', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Great' };
/** A face's mouth, as a path in a box of 24 by 24. It tells the rating by its shape, so colour is never alone. */
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

/** Which of the form's views a rating opens: 1–2 bad, 3 okay, 4–5 good. */
export const viewOf = (given: Rating): RatingView => (given < URGENT_BELOW ? 'bad' : given === URGENT_BELOW ? 'okay' : 'good');

/** Whether feedback is urgent, so that the team should know at once: a rating below 3, or a visitor who asked to be contacted. */
export const isUrgent = (given: Rating, wantsContact: boolean): boolean => given < URGENT_BELOW || wantsContact;

export const MAX_TEXT = 2000;
