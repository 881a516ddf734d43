import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import type { KioskLanguage } from '#contract/kiosk/kiosk.ts';
import type { KioskScreen } from '#contract/kiosk/screen.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '#contract/language/languages.ts';
import { Face } from '../form/Face.tsx';
import { Logo } from '../form/Logo.tsx';

interface QuestionProps {
  readonly content: KioskScreen;
  readonly language: KioskLanguage;
  readonly error: string | undefined;
  /** No one has touched the screen for a while, so it draws attention. */
  readonly isAttracting: boolean;
  readonly onRate: (rating: Rating) => void;
  readonly onLanguage: (tag: LanguageTag) => void;
  readonly onTouch: () => void;
}

/** The question with its five faces. One tap on a face is an answer, also while the faces move. */
export function Question({ content, language, error, isAttracting, onRate, onLanguage, onTouch }: QuestionProps) {
  const { words, question } = language;
  return (
    <main className={isAttracting ? 'screen attracting' : 'screen'} onPointerDown={onTouch}>
      {content.look.logo && <Logo {...content.look.logo} />}
      <p className="place">{content.place}</p>
      <h1>{question}</h1>
      <div className="faces">
        {RATINGS.map((rating) => (
          <button key={rating} type="button" className={`face r${rating}`} onClick={() => onRate(rating)}>
            <Face rating={rating} />
            {words.ratings[rating - 1]}
          </button>
        ))}
      </div>
      <p className={error === undefined ? 'hint' : 'hint error'} role={error === undefined ? undefined : 'alert'}>
        {error ?? words.touch}
      </p>
      {content.languages.length > 1 && (
        <select
          className="languages"
          aria-label={words.language}
          value={language.tag}
          onChange={({ target }) => onLanguage(LANGUAGE_TAGS.find((tag) => tag === target.value) ?? content.language)}
        >
          {content.languages.map(({ tag, name }) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      )}
    </main>
  );
}
