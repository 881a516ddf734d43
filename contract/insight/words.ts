import { type Rating, type RatingView, viewOf } from '../feedback/rating.ts';
import { wordsIn } from '../feedback/search.ts';

/* Which words and phrases stand out in bad and in good feedback. Pure, so that the server and the demo say the same. */

/** What a visitor wrote, with the rating. */
export interface RatedText {
  readonly text: string;
  readonly rating: Rating;
}

/** A word, or a phrase of two, as it was first written; and how many of the bad and of the good pieces have it. */
export interface StandoutWord {
  readonly words: string;
  readonly bad: number;
  readonly good: number;
}

/** What was found, and in how many bad and good pieces. */
export interface WordFindings {
  readonly pieces: { readonly bad: number; readonly good: number };
  readonly bad: StandoutWord[];
  readonly good: StandoutWord[];
}

/** Fewer pieces with words on either side say nothing about words. */
export const FEWEST_TEXTS = 5;
/** A word in fewer pieces than this is somebody's own. */
export const FEWEST_WITH_WORD = 3;
/** So many words of each side are shown. */
export const MOST_WORDS = 10;
/** So many pieces are read, the latest, and so much of each (UTF-16 units): counting words takes a processor. */
export const MOST_READ = 1_000;
export const LONGEST_READ = 300;
/** What is known before anything is read weighs as much as so many pieces. */
const PRIOR = 10;
/** How many standard deviations apart the two sides must be: five of a hundred pieces against none of a hundred just are. */
const APART = 1.5;

/** Words that hold sentences together and say nothing about a visit. "Not" and "no" do. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been but by can could did do does for from get got had has have he her
  here him his how i if in into is it its just like me more most much my of on one or other our out over she so some than that the
  their them then there these they this those to too up us was we were what when where which while who will with would you your
  s t m re ve ll d`.split(/\s+/),
);

interface Term {
  /** Folded, as the search folds. */
  readonly term: string;
  /** As it was first written. */
  readonly words: string;
  /** The pieces that have it, by their place. */
  readonly in: Record<RatingView, number[]>;
}

/**
 * Compares bad feedback (1, 2) with good (4, 5): for each word and each two words side by side, in how many pieces of one and of
 * the other it is, as log-odds with an informative prior: its share of all pieces that were read, okay ones too. Empty where
 * too few wrote something.
 */
export function standoutWords(said: readonly RatedText[]): WordFindings {
  const pieces: Record<RatingView, number> = { bad: 0, okay: 0, good: 0 };
  for (const { rating } of said) pieces[viewOf(rating)] += 1;
  const { bad, good } = pieces;
  if (bad < FEWEST_TEXTS || good < FEWEST_TEXTS) return { pieces: { bad, good }, bad: [], good: [] };
  const scored = termsOf(said).map((term) => ({ ...term, apart: apart(term.in, pieces) }));
  return {
    pieces: { bad, good },
    bad: clearest(
      scored.filter((each) => each.in.bad.length >= FEWEST_WITH_WORD && each.apart >= APART),
      'bad',
    ),
    good: clearest(
      scored.filter((each) => each.in.good.length >= FEWEST_WITH_WORD && each.apart <= -APART),
      'good',
    ),
  };
}

/** The words and the phrases of two that enough pieces have. Nearly all are in one piece alone, and cost no more than a number. */
function termsOf(said: readonly RatedText[]): Term[] {
  const spoken = said.map(({ text, rating }) => ({ ...spokenIn(text.slice(0, LONGEST_READ)), view: viewOf(rating) }));
  const words = frequent(spoken.map(({ folded }) => new Set(folded.filter((word) => !STOP_WORDS.has(word)))));
  const numbers = new Map([...words].map((word, place) => [word, place]));
  const numbered = spoken.map(({ folded }) => folded.map((word) => numbers.get(word)));
  const common = frequent(numbered.map((each) => new Set(numbersIn(each))));
  const terms = new Map<number, Term>();
  for (const [place, { folded, written, view }] of spoken.entries()) {
    const seen = new Set<number>();
    for (const [index, key] of numbersIn(numbered[place] ?? []).entries()) {
      if (key === undefined || !common.has(key) || seen.has(key)) continue;
      seen.add(key);
      const [at, length] = [index >> 1, 1 + (index & 1)];
      const known = terms.get(key) ?? {
        term: folded.slice(at, at + length).join(' '),
        words: written(at, length),
        in: { bad: [], okay: [], good: [] },
      };
      known.in[view].push(place);
      terms.set(key, known);
    }
  }
  // A single sign of Chinese or Japanese is rarely a word, and a single letter never.
  return [...terms.values()].filter(({ term }) => [...term].length > 1);
}

/** The words of a text, folded, and how some of them were written. */
function spokenIn(read: string): { folded: string[]; written: (at: number, length: number) => string } {
  const words = wordsIn(read);
  return {
    folded: words.map(({ word }) => word),
    written: (at, length) =>
      words
        .slice(at, at + length)
        .map(({ from, to }) => read.slice(from, to).normalize('NFC').toLowerCase())
        .join(' '),
  };
}

/** More than there can be words. */
const SPAN = 2 ** 24;

/** For each word the number of it, and that of it with the next one; undefined where they say nothing. */
function numbersIn(numbered: readonly (number | undefined)[]): (number | undefined)[] {
  const numbers: (number | undefined)[] = [];
  for (const [at, number] of numbered.entries()) {
    const next = numbered[at + 1];
    numbers.push(number, number === undefined || next === undefined ? undefined : (number + 1) * SPAN + next);
  }
  return numbers;
}

/** What enough of the sets have. */
function frequent<T>(sets: readonly ReadonlySet<T | undefined>[]): ReadonlySet<T> {
  const counts = new Map<T, number>();
  for (const each of sets) for (const value of each) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Set([...counts].flatMap(([value, count]) => (count >= FEWEST_WITH_WORD ? [value] : [])));
}

/** How far the log-odds of a term in bad pieces are above those in good ones, in standard deviations. */
function apart(having: Term['in'], pieces: Record<RatingView, number>): number {
  const all = pieces.bad + pieces.okay + pieces.good;
  const expected = (PRIOR * (having.bad.length + having.okay.length + having.good.length)) / all;
  const [bad, good] = [odds('bad'), odds('good')];
  return (bad.log - good.log) / Math.sqrt(bad.variance + good.variance);

  function odds(view: RatingView): { log: number; variance: number } {
    const has = having[view].length + expected;
    // Where every piece has it, there is still room for one that has not.
    const lacks = Math.max(pieces[view] + PRIOR - has, 0.5);
    return { log: Math.log(has / lacks), variance: 1 / has + 1 / lacks };
  }
}

type ScoredTerm = Term & { readonly apart: number };

/** The few that are furthest apart. A phrase and a word of it are one finding, and so are words of the same pieces. */
function clearest(scored: readonly ScoredTerm[], side: 'bad' | 'good'): StandoutWord[] {
  const inOrder = (one: ScoredTerm, other: ScoredTerm) =>
    Math.abs(other.apart) - Math.abs(one.apart) || other.term.length - one.term.length || (one.term < other.term ? -1 : 1);
  const chosen: ScoredTerm[] = [];
  for (const each of [...scored].sort(inOrder)) {
    if (chosen.length === MOST_WORDS) break;
    if (!chosen.some((other) => isPart(other.term, each.term) || isPart(each.term, other.term) || isMostly(other.in[side], each.in[side])))
      chosen.push(each);
  }
  return chosen.map(({ words, in: { bad, good } }) => ({ words, bad: bad.length, good: good.length }));
}

const isPart = (part: string, whole: string): boolean => ` ${whole} `.includes(` ${part} `);

/** How much two sets of pieces must have in common to be one finding. */
const MOSTLY = 0.75;

function isMostly(one: readonly number[], other: readonly number[]): boolean {
  const those = new Set(one);
  const both = other.filter((place) => those.has(place)).length;
  return both / (one.length + other.length - both) > MOSTLY;
}
