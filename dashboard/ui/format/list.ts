import { languageShown } from '../../language.ts';

/** Returns "Mona, Sam and Lee" in the dashboard's language. */
export const allOf = (names: readonly string[]): string => formatter('conjunction').format(names);

/** Returns "Mona, Sam or Lee" in the dashboard's language. */
export const anyOf = (names: readonly string[]): string => formatter('disjunction').format(names);

const formatter = (type: 'conjunction' | 'disjunction') => new Intl.ListFormat(languageShown(), { type });
