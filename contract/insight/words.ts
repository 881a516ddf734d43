import { type Rating, type RatingView, viewOf } from '../feedback/rating.ts';
import { wordsIn } from '../feedback/search.ts';

/* Finds the words and phrases that stand out in bad and in good feedback. Pure, so that the server and the demo agree. */

/** A visitor's text with its rating. */
export interface RatedText {
  readonly text: string;
  readonly rating: Rating;
}

/** A word or a phrase of two, as first written, with the number of bad and of good texts that have it. */
export interface StandoutWord {
  readonly words: string;
  readonly bad: number;
  readonly good: number;
}

/** The words that stand out, and the number of bad and of good texts. */
export interface WordFindings {
  readonly pieces: { readonly bad: number; readonly good: number };
  readonly bad: StandoutWord[];
  readonly good: StandoutWord[];
}

/** Each side needs this many texts. @limit words-read */
export const FEWEST_TEXTS = 5;
/** A word needs this many texts, so that it isn't just one person's. @limit words-read */
export const FEWEST_WITH_WORD = 3;
/** The most words shown of each side. @limit words-read */
export const MOST_WORDS = 10;
/** The most texts that are read, the latest first, and the most of each (UTF-16 units): counting words takes CPU time. @limit words-read */
export const MOST_READ = 1_000;
export const LONGEST_READ = 300;
/** The prior weighs as much as this many texts. */
const PRIOR = 10;
/** How many standard deviations apart the two sides must be: five of a hundred texts against none of a hundred just are. */
const MINIMUM_DISTANCE = 1.5;

/** Words that say nothing about a visit. "Not" and "no" do, so they aren't listed. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been but by can could did do does for from get got had has have he her
  here him his how i if in into is it its just like me more most much my of on one or other our out over she so some than that the
  their them then there these they this those to too up us was we were what when where which while who will with would you your
  s t m re ve ll d`.split(/\s+/),
);

interface Term {
  /** Folded like the search. */
  readonly term: string;
  /** As first written. */
  readonly words: string;
  /** The indexes of the texts that have it. */
  readonly in: Record<RatingView, number[]>;
}

/**
 * Returns the words that set bad feedback (1, 2) apart from good (4, 5); none if either side has too few texts. It compares each word
 * and each pair of adjacent words by the log-odds of the texts that have it, with an informative prior: its share of all texts that
 * were read, including okay ones.
 */
export function standoutWords(texts: readonly RatedText[]): WordFindings {
  const pieces: Record<RatingView, number> = { bad: 0, okay: 0, good: 0 };
  for (const { rating } of texts) pieces[viewOf(rating)] += 1;
  const { bad, good } = pieces;
  if (bad < FEWEST_TEXTS || good < FEWEST_TEXTS) return { pieces: { bad, good }, bad: [], good: [] };
  const scoredTerms = termsOf(texts).map((term) => ({ ...term, distance: distance(term.in, pieces) }));
  return {
    pieces: { bad, good },
    bad: clearestTerms(
      scoredTerms.filter((term) => term.in.bad.length >= FEWEST_WITH_WORD && term.distance >= MINIMUM_DISTANCE),
      'bad',
    ),
    good: clearestTerms(
      scoredTerms.filter((term) => term.in.good.length >= FEWEST_WITH_WORD && term.distance <= -MINIMUM_DISTANCE),
      'good',
    ),
  };
}

/** Returns the words and the phrases of two that enough texts have. Nearly all are in a single text, and cost no more than a number. */
function termsOf(texts: readonly RatedText[]): Term[] {
  const tokenized = texts.map(({ text, rating }) => ({ ...tokenize(text.slice(0, LONGEST_READ)), view: viewOf(rating) }));
  const words = frequentValues(tokenized.map(({ folded }) => new Set(folded.filter((word) => !STOP_WORDS.has(word)))));
  const numbers = new Map([...words].map((word, place) => [word, place]));
  const numbersByText = tokenized.map(({ folded }) => folded.map((word) => numbers.get(word)));
  const common = frequentValues(numbersByText.map((numbersOfText) => new Set(numbersIn(numbersOfText))));
  const terms = new Map<number, Term>();
  for (const [place, { folded, written, view }] of tokenized.entries()) {
    const countedKeys = new Set<number>();
    for (const [index, key] of numbersIn(numbersByText[place] ?? []).entries()) {
      if (key === undefined || !common.has(key) || countedKeys.has(key)) continue;
      countedKeys.add(key);
      const [at, length] = [index >> 1, 1 + (index & 1)];
      const existing = terms.get(key) ?? {
        term: folded.slice(at, at + length).join(' '),
        words: written(at, length),
        in: { bad: [], okay: [], good: [] },
      };
      existing.in[view].push(place);
      terms.set(key, existing);
    }
  }
  // A single Chinese or Japanese character is rarely a word, and a single letter never is.
  return [...terms.values()].filter(({ term }) => [...term].length > 1);
}

/** Returns the folded words of a text, and a function that returns some of them as written. */
function tokenize(text: string): { folded: string[]; written: (at: number, length: number) => string } {
  const words = wordsIn(text);
  return {
    folded: words.map(({ word }) => word),
    written: (at, length) =>
      words
        .slice(at, at + length)
        .map(({ from, to }) => text.slice(from, to).normalize('NFC').toLowerCase())
        .join(' '),
  };
}

/** Larger than any number of words. */
const PAIR_BASE = 2 ** 24;

/** Returns for each word its number, and the number of its pair with the next word; undefined for stop words and rare ones. */
function numbersIn(wordNumbers: readonly (number | undefined)[]): (number | undefined)[] {
  const numbers: (number | undefined)[] = [];
  for (const [at, number] of wordNumbers.entries()) {
    const next = wordNumbers[at + 1];
    numbers.push(number, number === undefined || next === undefined ? undefined : (number + 1) * PAIR_BASE + next);
  }
  return numbers;
}

/** Returns the values that enough of the sets have. */
function frequentValues<T>(sets: readonly ReadonlySet<T | undefined>[]): ReadonlySet<T> {
  const counts = new Map<T, number>();
  for (const set of sets) for (const value of set) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Set([...counts].flatMap(([value, count]) => (count >= FEWEST_WITH_WORD ? [value] : [])));
}

/** Returns how far a term's log-odds in bad texts are above those in good ones, in standard deviations. */
function distance(occurrences: Term['in'], pieces: Record<RatingView, number>): number {
  const total = pieces.bad + pieces.okay + pieces.good;
  const expected = (PRIOR * (occurrences.bad.length + occurrences.okay.length + occurrences.good.length)) / total;
  const [bad, good] = [odds('bad'), odds('good')];
  return (bad.log - good.log) / Math.sqrt(bad.variance + good.variance);

  function odds(view: RatingView): { log: number; variance: number } {
    const withTerm = occurrences[view].length + expected;
    // Keeps the odds finite when every text has the term.
    const withoutTerm = Math.max(pieces[view] + PRIOR - withTerm, 0.5);
    return { log: Math.log(withTerm / withoutTerm), variance: 1 / withTerm + 1 / withoutTerm };
  }
}

type ScoredTerm = Term & { readonly distance: number };

/** Returns the few terms that are furthest apart. A phrase and a word of it count as one, and so do terms of mostly the same texts. */
function clearestTerms(scoredTerms: readonly ScoredTerm[], side: 'bad' | 'good'): StandoutWord[] {
  const inOrder = (a: ScoredTerm, b: ScoredTerm) =>
    Math.abs(b.distance) - Math.abs(a.distance) || b.term.length - a.term.length || (a.term < b.term ? -1 : 1);
  const chosen: ScoredTerm[] = [];
  for (const next of [...scoredTerms].sort(inOrder)) {
    if (chosen.length === MOST_WORDS) break;
    const isCovered = ({ term, in: texts }: ScoredTerm) =>
      isPart(term, next.term) || isPart(next.term, term) || isMostly(texts[side], next.in[side]);
    if (!chosen.some(isCovered)) chosen.push(next);
  }
  return chosen.map(({ words, in: { bad, good } }) => ({ words, bad: bad.length, good: good.length }));
}

const isPart = (part: string, whole: string): boolean => ` ${whole} `.includes(` ${part} `);

/** The overlap above which two sets of texts count as one. */
const MINIMUM_OVERLAP = 0.75;

function isMostly(a: readonly number[], b: readonly number[]): boolean {
  const inA = new Set(a);
  const shared = b.filter((index) => inA.has(index)).length;
  return shared / (a.length + b.length - shared) > MINIMUM_OVERLAP;
}
