import type { LanguageTag } from './languages.ts';
import type { StandardTextsByTag } from './texts.ts';
import { ar } from './words/ar.ts';
import { cs } from './words/cs.ts';
import { de } from './words/de.ts';
import { el } from './words/el.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fa } from './words/fa.ts';
import { fr } from './words/fr.ts';
import { he } from './words/he.ts';
import { hi } from './words/hi.ts';
import { id } from './words/id.ts';
import { it } from './words/it.ts';
import { ja } from './words/ja.ts';
import { ko } from './words/ko.ts';
import { nl } from './words/nl.ts';
import { pl } from './words/pl.ts';
import { pt } from './words/pt.ts';
import { sv } from './words/sv.ts';
import { th } from './words/th.ts';
import { tr } from './words/tr.ts';
import { uk } from './words/uk.ts';
import { vi } from './words/vi.ts';
import { zhHans } from './words/zh-Hans.ts';
import { zhHant } from './words/zh-Hant.ts';
import type { FormWords } from './words.ts';

/* The words of every language, for the server and the dashboard's translations. The visitor's script doesn't contain them. */

const ALL: readonly FormWords[] = [
  ...[ar, cs, de, el, en, es, fa, fr, he, hi, id, it],
  ...[ja, ko, nl, pl, pt, sv, th, tr, uk, vi, zhHans, zhHant],
];

const byTag = <Value>(read: (words: FormWords) => Value): Readonly<Record<LanguageTag, Value>> =>
  // The type of `fromEntries` forgets the keys.
  Object.fromEntries(ALL.map((words) => [words.tag, read(words)])) as Record<LanguageTag, Value>;

export const WORDS: Readonly<Record<LanguageTag, FormWords>> = byTag((words) => words);
export const STANDARD_TEXTS: StandardTextsByTag = byTag(({ standard }) => standard);
