import { createContext, useContext } from 'react';
import type { TeamLanguage } from '#contract/language/team.ts';
import { type Spoken, type Translate, translator } from '#contract/language/translate.ts';

/** The language of the mail that is rendered. */
export const MailLanguage = createContext<Spoken>({ language: 'en' });

export const useLanguage = (): TeamLanguage => useContext(MailLanguage).language;

/** Returns the function that translates into the mail's language. */
export function useT(): Translate {
  const spoken = useContext(MailLanguage);
  return translator(() => spoken);
}
