/* The languages of the dashboard and of mails to the team. Without imports, so that the first page stays small. */

/** BCP 47 tags. Each but English has a file in team/. */
export const TEAM_LANGUAGES = ['en', 'de'] as const;
export type TeamLanguage = (typeof TEAM_LANGUAGES)[number];

/** Returns the names of the built documents in a language: of the team's pages, and of the demo. */
export const documentNames = (language: TeamLanguage): [page: string, demo: string] =>
  language === 'en' ? ['dashboard.html', 'demo.html'] : [`dashboard.${language}.html`, `demo.${language}.html`];

/** The locale of dates: English uses a 24-hour clock, and the day before the month. */
export const DATE_LOCALES: Readonly<Record<TeamLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

/** Returns the first of someone's preferred languages that the team's pages have; English if there is none. */
export function teamLanguageOf(preferred: readonly string[]): TeamLanguage {
  const tags = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return tags.flatMap((tag) => TEAM_LANGUAGES.filter((language) => language === tag))[0] ?? 'en';
}
