import { DATE_LOCALES, TEAM_LANGUAGES, type TeamLanguage, teamLanguageOf } from '#contract/language/team.ts';
import { type Spoken, translator } from '#contract/language/translate.ts';
import { onDevice } from './data/storage.ts';

/* The dashboard's language (docs/decisions/0013-languages.md). It's known before anything is rendered, and changes with a reload. */

const LANGUAGE_KEY = 'afterword.language';

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

/** Sets the language, before anything is rendered. */
export function speak(next: Spoken): void {
  spoken = next;
}

/** Stores a choice on this device and shows the page in it. */
export function switchLanguage(language: TeamLanguage): void {
  onDevice.setItem(LANGUAGE_KEY, language);
  // Where nothing can be stored, the page would come back as it is.
  if (preferredLanguage() === language) location.reload();
}
