import MiniSearch, { type SearchResult } from 'minisearch';
import { matchRanges, wordsIn } from '#contract/feedback/search.ts';
import type { Guide, GuideSection } from './guide.ts';
import { IGNORED, SYNONYMS, stemOf } from './synonyms.ts';

interface GuideHit {
  readonly name: string;
  readonly title: string;
  readonly id: string | undefined;
  readonly heading: string;
  /** The text around the matches. */
  readonly excerpt: string;
  /** The words to highlight, as a search. */
  readonly matches: string;
}

export interface GuideSearch {
  readonly hits: readonly GuideHit[];
  /** The typed words that no guide contains. */
  readonly missing: readonly string[];
  /** The text that was searched instead, with synonyms. */
  readonly searched: string;
}

const MOST_HITS = 12;
const [BEFORE, AFTER] = [40, 120];

type Section = GuideSection & Pick<Guide, 'name' | 'title'> & { readonly key: string };

/** Returns a search for sections with any of the words: those with the most words first, and matches in headings before text. */
export function openSearch(guides: readonly Guide[]): (text: string) => GuideSearch {
  const sections = new Map(guides.flatMap(sectionsOf).map((section) => [section.key, section]));
  const vocabulary = vocabularyOf([...sections.values()]);
  const index = new MiniSearch<Section>({
    idField: 'key',
    fields: ['heading', 'title', 'words'],
    tokenize: (text) => wordsIn(text).map(({ word }) => word),
    processTerm: (word) => !IGNORED.has(word) && termOf(word),
    searchOptions: { boost: { heading: 6, title: 2 }, prefix: (term) => !vocabulary.has(term) },
  });
  index.addAll([...sections.values()]);

  return (text) => {
    const words = wordsIn(text)
      .filter(({ word }) => !IGNORED.has(word))
      .map(({ word, from, to }) => ({ typed: text.slice(from, to), instead: replacementOf(word) }));
    const searched = words.flatMap(({ typed, instead = typed }) => instead || []).join(' ');
    const hits = index
      .search(searched)
      .sort((a, b) => b.queryTerms.length - a.queryTerms.length || inHeading(b) - inHeading(a) || b.score - a.score)
      .slice(0, MOST_HITS)
      .flatMap(({ id, terms }) => hitOf(sections.get(id), new Set(terms)));
    return { hits, missing: words.flatMap(({ typed, instead }) => (instead === undefined ? [] : typed)), searched };
  };

  /** Returns the guides' word for one they don't have, '' if there is none, and undefined for a word they have or that begins one. */
  function replacementOf(word: string): string | undefined {
    const stem = stemOf(word);
    const synonym = SYNONYMS.get(stem);
    if (vocabulary.has(stem) || (synonym === undefined && [...vocabulary.values()].some((entry) => entry.startsWith(word))))
      return undefined;
    return synonym ?? vocabulary.get(index.search(word, { fuzzy: (term) => term.length > 4 && 0.25 })[0]?.terms[0] ?? '') ?? '';
  }
}

/** Returns how many of a result's words are in the heading. */
const inHeading = ({ match }: SearchResult): number => Object.values(match).filter((fields) => fields.includes('heading')).length;

const sectionsOf = ({ name, title, sections }: Guide): Section[] =>
  sections.map((section) => ({ ...section, key: `${name}#${section.id ?? ''}`, name, title }));

/** Returns what a word is indexed as: synonyms are one term. */
const termOf = (word: string): string => stemOf(SYNONYMS.get(stemOf(word)) ?? word);

/** Returns the guides' words by their stems. */
const vocabularyOf = (sections: readonly Section[]): ReadonlyMap<string, string> =>
  new Map(sections.flatMap(({ heading, title, words }) => wordsIn(`${heading} ${title} ${words}`).map(({ word }) => [stemOf(word), word])));

function hitOf(section: Section | undefined, terms: ReadonlySet<string>): GuideHit[] {
  if (!section) return [];
  const { name, title, id, heading, words } = section;
  const matched = wordsIn(`${title} ${heading} ${words}`).filter(({ word }) => !IGNORED.has(word) && terms.has(termOf(word)));
  const matches = [...new Set(matched.map(({ word }) => `"${word}"`))].join(' ');
  return [{ name, title, id, heading, excerpt: excerptOf(words, matches), matches }];
}

/** Returns the part of a text with the most different matches. */
function excerptOf(content: string, matches: string): string {
  const ranges = matchRanges(content, matches);
  const countFrom = (start: number) =>
    new Set(
      ranges
        .filter(({ from, to }) => from >= start && to <= start + AFTER)
        .map(({ from, to }) => termOf(content.slice(from, to).toLowerCase())),
    ).size;
  const [best = 0] = ranges.map(({ from }) => from).sort((a, b) => countFrom(b) - countFrom(a) || a - b);
  const at = Math.max(0, best - BEFORE);
  const from = at === 0 ? 0 : content.indexOf(' ', at) + 1;
  const end = from + BEFORE + AFTER;
  const excerpt = end < content.length ? `${content.slice(from, end).replace(/\s+\S*$/, '')} …` : content.slice(from);
  return from > 0 ? `… ${excerpt}` : excerpt;
}
