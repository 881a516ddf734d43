import { createContext, useContext } from 'react';
import { type Spoken, type Translate, translator } from '#contract/language/translate.ts';

/** The language of the mail that is rendered. */
export const MailLanguage = createContext<Spoken>({ language: 'en' });

/** Returns the function that translates into the mail's language. */
export function useT(): Translate {
  const spoken = useContext(MailLanguage);
  return translator(() => spoken);
}
