import { useEffect } from 'react';
import { applyLook, DEFAULT_CORNERS } from '#contract/brand/look.ts';
import { answerTo, type FormPreview } from '#contract/form/form-page.ts';
import { kioskScreen } from '#contract/kiosk/screen.ts';
import { STANDARD_TEXTS } from '#contract/language/all.ts';
import { directionOf } from '#contract/language/languages.ts';
import { offeredLanguages } from '#contract/language/texts.ts';
import { postStep, useDashboardPreview } from '../form/preview/dashboard-preview.ts';
import { Question } from './Question.tsx';
import { Thanks } from './Thanks.tsx';

/** A kiosk's screens in the dashboard's preview. They respond to taps but save nothing. */
export function Preview() {
  const shown = useDashboardPreview();
  return shown ? <Screen {...shown} /> : null;
}

function Screen({ props, written, theme }: FormPreview) {
  const { formId, place, inviteToReview, look = { corners: DEFAULT_CORNERS }, given, steps, language: tag } = props;
  const form = { ...written, steps };
  const content = kioskScreen(form, { formId, place, inviteToReview, look, tags: offeredLanguages(form, STANDARD_TEXTS) });
  const language = content.languages.find((each) => each.tag === tag) ?? content.languages[0];
  useEffect(() => {
    Object.assign(document.documentElement, { lang: tag, dir: directionOf(tag) });
    document.documentElement.dataset['theme'] = theme;
    applyLook(document.documentElement.style, look, theme);
  });
  if (!language) return null;
  const rating = answerTo(given, 'EmojiGauge');
  const reset = (): void => postStep({ screen: 'experience' });
  if (rating) return <Thanks key={rating} {...{ content, language, rating }} error={undefined} onNext={reset} />;
  return (
    <Question
      {...{ content, language }}
      error={undefined}
      isAttracting={false}
      onRate={(face) => postStep({ rating: face, screen: 'experience' })}
      onLanguage={(chosen) => postStep({ screen: 'experience', language: chosen })}
      onTouch={() => undefined}
    />
  );
}
