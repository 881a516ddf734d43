import de from './team/de.ts';
import type { TeamLanguage } from './team.ts';
import { type TeamWords, type Translate, translator } from './translate.ts';

/* All languages at once, for mails and the server. The dashboard loads one language, so it doesn't import this file. */

const TEAM_WORDS: Readonly<Record<TeamLanguage, TeamWords | undefined>> = { en: undefined, de };

/** Returns a language and its texts; English for someone who has chosen none. */
export const spokenIn = (language: TeamLanguage = 'en') => ({ language, words: TEAM_WORDS[language] });

/** Returns the function that translates into someone's language. */
export function translatorInto(language: TeamLanguage | undefined): Translate {
  const spoken = spokenIn(language);
  return translator(() => spoken);
}
