import { placesOf, wordsIn } from '../feedback/search.ts';
import type { LanguageTag } from '../language/languages.ts';
import { PRESET_NAMES, PRESET_PHRASES, PRESETS } from './presets.ts';
import { type BusinessType, MOST_PHRASES, readPhrase } from './topic.ts';

/** Returns whether a text has any of the phrases. The server matches the same with its word index. */
export function hasPhrase(said: string, phrases: readonly string[]): boolean {
  const words = wordsIn(said).map(({ word }) => word);
  return phrases.some((phrase) => placesOf(words, readPhrase(phrase)).length > 0);
}

/** Returns the topics that a type of business starts with, with phrases in some languages. */
export const presetTopics = (
  type: BusinessType,
  languages: readonly LanguageTag[],
): { readonly displayName: string; readonly phrases: string[] }[] =>
  PRESETS[type].map((name) => ({
    displayName: PRESET_NAMES[name],
    phrases: [...new Set(languages.flatMap((language) => PRESET_PHRASES[language][name]))].slice(0, MOST_PHRASES),
  }));
