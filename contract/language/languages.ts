/* The languages of the visitors' form. Without imports, so that the form's page stays small. */

/** BCP 47 tags. Chinese has one for each script. */
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

const names = new Map<string, Intl.DisplayNames>();
/** Returns a language's name in English or another language. */
export function languageName(tag: LanguageTag, locale = 'en'): string {
  const existing = names.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language' });
  names.set(locale, existing);
  return existing.of(tag) ?? tag;
}

/** Returns the languages in the order of their names in English or another language. */
export const languagesByName = (locale = 'en'): LanguageTag[] =>
  LANGUAGE_TAGS.toSorted((a, b) => languageName(a, locale).localeCompare(languageName(b, locale), locale));

const RIGHT_TO_LEFT: readonly LanguageTag[] = ['ar', 'fa', 'he'];
export const directionOf = (tag: LanguageTag): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr');

/** The languages by their full form, such as `zh-Hans`. Computed once, because strangers choose how many tags are looked up. */
let byScript: ReadonlyMap<string, LanguageTag> | undefined;

/** Returns a language by its tag, whatever the tag's case or form (`zh-TW`, `iw`, `pt-BR`); undefined for one the form doesn't have. */
export function languageOf(tag: string): LanguageTag | undefined {
  byScript ??= new Map(LANGUAGE_TAGS.map((each) => [withScript(each), each]));
  try {
    return byScript.get(withScript(tag));
  } catch {
    // Not a language tag.
    return undefined;
  }
}

function withScript(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}
