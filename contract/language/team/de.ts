import type { TeamWords } from '../translate.ts';

/* German. Not yet read by a native speaker of the trade. */

const words: TeamWords = {};

export default words;
