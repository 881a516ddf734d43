/* The languages of the visitors' form. Without imports, so that the form's page stays small. */

/** BCP 47 tags. Chinese is told apart by its script. */
export const LANGUAGE_TAGS = [
  ...(['ar', 'cs', 'de', 'el', 'en', 'es', 'fa', 'fr', 'he', 'hi', 'id', 'it'] as const),
  ...(['ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'th', 'tr', 'uk', 'vi', 'zh-Hans', 'zh-Hant'] as const),
] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/** Translations of a form's texts: by language, then by the text's key (texts.ts). */
export type Translations = { readonly [Tag in LanguageTag]?: Readonly<Record<string, string>> };

/** Each language's name in itself. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = {
  ar: 'العربية',
  cs: 'Čeština',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  fa: 'فارسی',
  fr: 'Français',
  he: 'עברית',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  sv: 'Svenska',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
};

/** Returns a language's name in English. */
export const languageName = (tag: LanguageTag): string => new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;

const RIGHT_TO_LEFT: readonly LanguageTag[] = ['ar', 'fa', 'he'];
export const directionOf = (tag: LanguageTag): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr');

/** Returns a language by its tag, whatever the tag's case or form (`zh-TW`, `iw`, `pt-BR`); undefined for one the form doesn't have. */
export function languageOf(tag: string): LanguageTag | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return LANGUAGE_TAGS.find((each) => {
      const candidate = new Intl.Locale(each).maximize();
      return candidate.language === language && candidate.script === script;
    });
  } catch {
    // Not a language tag.
    return undefined;
  }
}
