import type { TeamLanguage } from '#contract/language/team.ts';
import type { TeamWords } from '#contract/language/translate.ts';
import { languageShown, speak } from './language.ts';

/** The file of each language. */
const FILES: Readonly<Record<Exclude<TeamLanguage, 'en'>, () => Promise<{ readonly default: TeamWords }>>> = {
  de: () => import('#contract/language/team/de.ts'),
};

/** Loads a language. If that fails, the dashboard is in English. */
export async function openLanguage(language: TeamLanguage): Promise<void> {
  const file = language === 'en' ? undefined : await FILES[language]().catch(() => undefined);
  if (file) speak({ language, words: file.default });
  document.documentElement.lang = languageShown();
}
