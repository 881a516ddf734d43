import { EMBED_FIELD, type FormProps, LANGUAGE_FIELD } from '#contract/form/form-page.ts';
import type { LanguageTag } from '#contract/language/languages.ts';

interface LanguagesProps extends Pick<FormProps, 'language' | 'languages' | 'words' | 'embed'> {
  /** Called in the preview, where links open nothing. */
  readonly onChoose?: (tag: LanguageTag) => void;
}

/** Links to the form in other languages. The early script keeps the visit when one is opened. */
export function Languages({ language, languages, words, embed, onChoose }: LanguagesProps) {
  if (languages.length < 2) return null;
  return (
    <details className="languages">
      <summary>
        <svg viewBox="0 0 24 24" role="img" aria-label={words.language}>
          <path d="M3 12h18M12 3c-5 5-5 13 0 18c5-5 5-13 0-18" />
          <circle cx="12" cy="12" r="9" />
        </svg>
        {languages.find(({ tag }) => tag === language)?.name}
      </summary>
      <ul>
        {languages.map(({ tag, name }) => (
          <li key={tag}>
            <a
              href={`?${LANGUAGE_FIELD}=${tag}${embed ? `&${EMBED_FIELD}=1` : ''}`}
              hrefLang={tag}
              lang={tag}
              aria-current={tag === language || undefined}
              onClick={onChoose && (() => onChoose(tag))}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
