import { useRef } from 'react';
import { applyLook } from '#contract/brand/look.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import { answerTo, type FormPreview, type FormProps } from '#contract/form/form-page.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { directionOf, LANGUAGE_NAMES } from '#contract/language/languages.ts';
import { offeredLanguages, translatedSteps } from '#contract/language/texts.ts';
import { Done } from '../Done.tsx';
import { Experience } from '../Experience.tsx';
import { Languages } from '../Languages.tsx';
import { Place } from '../Place.tsx';
import { postStep, useDashboardPreview } from './dashboard-preview.ts';

/** The visitor's screens in the dashboard's preview. They respond to clicks but save nothing. */
export function Preview() {
  const shown = useDashboardPreview();
  // A face chosen here is already in the fields; one from the dashboard needs new fields.
  const chosen = useRef<Rating>(undefined);
  const opened = useRef(0);
  if (!shown) return null;
  const { theme } = shown;
  const props = translatedProps(shown);
  Object.assign(document.documentElement, { lang: props.language, dir: directionOf(props.language) });
  document.documentElement.dataset['theme'] = theme;
  applyLook(document.documentElement.style, props.look, theme);
  const rating = answerTo(props.given, 'EmojiGauge');
  if (chosen.current !== rating) opened.current += 1;
  chosen.current = rating;
  return (
    <main className="card">
      <p className="place">
        <Place {...props} />
      </p>
      <Languages key={props.language} {...props} onChoose={(language) => postStep({ rating, screen: props.screen, language })} />
      {props.screen === 'done' ? (
        <Done
          {...props}
          standing="accepted"
          isLive
          onChange={() => postStep({ rating, screen: 'experience' })}
          onReview={() => undefined}
          onNext={() => postStep({ screen: 'experience' })}
        />
      ) : (
        <Experience
          key={opened.current}
          {...props}
          busy={false}
          line={undefined}
          isStarted={rating !== undefined}
          onRate={(_block, face) => {
            chosen.current = face;
            postStep({ rating: face, screen: 'experience' });
          }}
          onSubmit={() => postStep({ rating, screen: rating === undefined ? 'experience' : 'done' })}
          onTyped={() => undefined}
        />
      )}
    </main>
  );
}

function translatedProps({ props, written, privateReplies }: FormPreview): FormProps {
  const { language, steps } = props;
  const form = { ...written, steps };
  return {
    ...props,
    steps: translatedSteps(form, language, STANDARD_TEXTS),
    words: WORDS[language].page,
    privatePage: privateReplies === false ? WORDS[language].conversation.feedback : undefined,
    languages: offeredLanguages(form, STANDARD_TEXTS).map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] })),
  };
}
