import { LANGUAGE_NAMES } from '#contract/language/languages.ts';
import { TEAM_LANGUAGES } from '#contract/language/team.ts';
import { languageShown, switchLanguage } from '../../language.ts';
import { TextLink } from './TextLink.tsx';

/** Links to a page in its other languages, each named in itself. */
export const LanguageLinks = () => (
  <p>
    {TEAM_LANGUAGES.filter((language) => language !== languageShown()).map((language) => (
      <span key={language} lang={language}>
        <TextLink onClick={() => switchLanguage(language)}>{LANGUAGE_NAMES[language]}</TextLink>
      </span>
    ))}
  </p>
);
