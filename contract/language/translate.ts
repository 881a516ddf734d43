import type { TeamLanguage } from './team.ts';
import { countIn, filled, type PluralText } from './words.ts';

/*
 * Translates the texts of the dashboard and of mails to the team (docs/decisions/0013-languages.md). A text is written in
 * English where it is shown; a language is one file that maps English texts to translations.
 */

/** A language's texts by the English ones: by the plural of a text with a count, and with "context: " before an ambiguous one. */
export type TeamWords = Readonly<Record<string, string | PluralText>>;

/** The names in braces of a text. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** Numbers are written in the language's digits and separators. */
type Values<Name extends string> = [Name] extends [never] ? [] : [values: Readonly<Record<Name, string | number>>];

/** A text that is shown only through `t`: React and the compiler refuse it elsewhere. At run time it is the English text. */
export interface Untranslated {
  readonly untranslated: never;
}

type Marked<Value> = Value extends string
  ? Untranslated
  : Value extends object
    ? { readonly [Key in keyof Value]: Marked<Value[Key]> }
    : Value;

/** Marks a text, or all texts of a table, as translated where they are shown, because a module is loaded before the language is known. */
export const translatable = <const Value>(value: Value): Marked<Value> => value as Marked<Value>;

/** Returns a marked text in English, for a file or a log. */
export const inEnglish = (text: Untranslated): string => text as unknown as string;

export interface Translate {
  /** Returns a text in the language, with its names filled in. */
  <Text extends string>(text: Text, ...values: Values<Names<Text>>): string;
  (text: Untranslated, values?: Readonly<Record<string, string | number>>): string;
  /** Returns the form of a text for a count, which fills in {count}. */
  count<One extends string, Many extends string>(
    count: number,
    one: One,
    many: Many,
    ...values: Values<Exclude<Names<One | Many>, 'count'>>
  ): string;
  /** Returns an ambiguous text by what it means there, such as `t.in('status', 'Open')`. */
  in(context: string, text: string): string;
  /** Returns the language. */
  language(): TeamLanguage;
}

/** A language and its texts. English has none. */
export interface Spoken {
  readonly language: TeamLanguage;
  readonly words?: TeamWords | undefined;
}

/** Returns the function that translates into a language, which is read at each call. A text without a translation stays English. */
export function translator(spokenNow: () => Spoken): Translate {
  const fill = (text: string, values: Readonly<Record<string, string | number>> | undefined): string =>
    values === undefined ? text : filled(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written(value)])));
  const written = (value: string | number): string => (typeof value === 'number' ? countIn(spokenNow().language, value) : value);
  const translation = (key: string, english: string): string => {
    const translated = spokenNow().words?.[key];
    return typeof translated === 'string' ? translated : (translated?.other ?? english);
  };
  const translate = (text: string, values?: Readonly<Record<string, string | number>>): string => fill(translation(text, text), values);
  const count = (amount: number, one: string, many: string, values?: Readonly<Record<string, string | number>>): string => {
    const { language, words } = spokenNow();
    const forms = words?.[many] ?? { one, other: many };
    const text = typeof forms === 'string' ? forms : (forms[new Intl.PluralRules(language).select(amount)] ?? forms.other);
    return fill(text, { ...values, count: amount });
  };
  return Object.assign(translate, {
    count,
    in: (context: string, text: string) => translation(`${context}: ${text}`, text),
    language: () => spokenNow().language,
  }) as Translate;
}

/** Returns a message of the server, which is named after its text with {1}, {2} in place of its numbers. */
export function translateMessage(t: Translate, message: string): string {
  const numbers = message.match(NUMBER) ?? [];
  let place = 0;
  const key: string = message.replace(NUMBER, () => `{${++place}}`);
  const translated = t(key);
  if (translated === key) return message;
  const values = numbers.map((number, index) => [
    index + 1,
    number.includes(',') ? countIn(t.language(), Number(number.replaceAll(',', ''))) : number,
  ]);
  return filled(translated, Object.fromEntries(values));
}

/** A number in an English text. */
const NUMBER = /\d+(?:,\d{3})*/g;

interface Piece {
  readonly text: string;
  /** The name of the mark; undefined for what is between the marked parts. */
  readonly mark?: string | undefined;
}

/**
 * Returns the pieces of a text with marked parts, such as `Read the <guide>guide</guide>.`, in order. Other marks are text, because a
 * value that was filled in may contain anything.
 */
export function piecesOf(text: string, marks: readonly string[]): Piece[] {
  if (marks.length === 0) return [{ text }];
  const parts = text.split(new RegExp(`<(${marks.join('|')})>(.*?)</\\1>`));
  // Each marked part adds its name and its text to what is between them.
  return parts.flatMap((part, place) =>
    place % 3 === 1 || part === '' ? [] : [place % 3 === 2 ? { text: part, mark: parts[place - 1] } : { text: part }],
  );
}
