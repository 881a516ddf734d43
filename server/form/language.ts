import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { LANGUAGE_FIELD } from '#contract/form/form-page.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageOf } from '#contract/language/languages.ts';
import type { PublicForm } from './store.ts';

const MOST_CACHED = 1_000;
const preferences = new LRUCache<string, readonly LanguageTag[]>({
  max: MOST_CACHED,
  memoMethod: (header) => new Negotiator({ headers: { 'accept-language': header } }).languages().flatMap((tag) => languageOf(tag) ?? []),
});

/** The language of a page where a form is missing. */
const DEFAULT: LanguageTag = 'en';
/** Enough for eight languages. Strangers choose the header, and each language in it takes time. */
const LONGEST_HEADER = 100;

/** Returns a page's language: the chosen one, else the browser's first that the form offers, else the form's own. */
export function pageLanguage({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>, target: PublicForm | undefined): LanguageTag {
  const offered = target?.languages ?? LANGUAGE_TAGS;
  return (
    chosenLanguage(query, offered) ??
    preferences.memo((headers['accept-language'] ?? '').slice(0, LONGEST_HEADER)).find((tag) => offered.includes(tag)) ??
    target?.form.data.language ??
    DEFAULT
  );
}

/** Returns the language in a page's address, if the form offers it. */
export function chosenLanguage(query: unknown, offered: readonly LanguageTag[]): LanguageTag | undefined {
  const { [LANGUAGE_FIELD]: chosen } = query as Readonly<Record<string, unknown>>;
  return offered.find((tag) => tag === chosen);
}
