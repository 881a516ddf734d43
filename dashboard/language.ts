import { DATE_LOCALES, TEAM_LANGUAGES, type TeamLanguage, teamLanguageOf } from '#contract/language/team.ts';
import { type Spoken, type TeamWords, translator } from '#contract/language/translate.ts';
import { onDevice } from './data/storage.ts';

/* The dashboard's language (docs/decisions/0029-the-teams-languages.md). It's known before anything is rendered, and changes with a reload. */

const LANGUAGE_KEY = 'afterword.language';
const FILES: Readonly<Record<Exclude<TeamLanguage, 'en'>, () => Promise<{ readonly default: TeamWords }>>> = {
  de: () => import('#contract/language/team/de.ts'),
};

let spoken: Spoken = { language: 'en' };

/** Translates a text. Not at the top of a module, which runs before the language is known: there, mark it as `translatable`. */
export const t = translator(() => spoken);

export const languageShown = (): TeamLanguage => spoken.language;

/** The locale of dates and times. */
export const dateLocale = (): string => DATE_LOCALES[spoken.language];

/** Returns the language chosen on this device, else the first of the browser's that exists. */
export function preferredLanguage(): TeamLanguage {
  const chosen = TEAM_LANGUAGES.find((language) => language === onDevice.getItem(LANGUAGE_KEY));
  return chosen ?? teamLanguageOf(navigator.languages);
}

/** Loads a language. If that fails, the dashboard is in English. */
export async function openLanguage(language: TeamLanguage): Promise<void> {
  if (language === 'en') return;
  const file = await FILES[language]().catch(() => undefined);
  if (file) spoken = { language, words: file.default };
}

/** Stores the choice on this device. It applies after a reload. */
export const storeLanguage = (language: TeamLanguage): void => onDevice.setItem(LANGUAGE_KEY, language);
