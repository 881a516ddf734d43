import type { Step } from '../form/form.ts';
import { reviewPath } from '../form/form-page.ts';
import { blockOf, servicesOf, stepOf } from '../form/steps.ts';
import { STANDARD_TEXTS, WORDS } from '../language/all.ts';
import { LANGUAGE_NAMES, type LanguageTag } from '../language/languages.ts';
import { type TranslatedForm, translatedSteps } from '../language/texts.ts';
import type { KioskContent, KioskLanguage } from './kiosk.ts';

/** The part of a kiosk's content that visitors see. */
export type KioskScreen = Pick<KioskContent, 'place' | 'language' | 'languages' | 'inviteToReview' | 'services' | 'look'>;

interface ScreenOptions extends Pick<KioskScreen, 'place' | 'inviteToReview' | 'look'> {
  readonly formId: string;
  /** The offered languages. */
  readonly tags: readonly LanguageTag[];
  /** Replaces the form's own thanks. */
  readonly thanks?: string | undefined;
}

/** Returns what a kiosk shows visitors of a form. */
export function kioskScreen(form: TranslatedForm, { formId, tags, thanks, ...shown }: ScreenOptions): KioskScreen {
  const { language, steps } = form;
  return {
    ...shown,
    language,
    languages: tags.map((tag) => languageOf(form, tag, tag === language ? thanks : undefined)),
    services: servicesOf(steps).map(({ name }) => ({ name, path: reviewPath(formId, name) })),
  };
}

/** Returns the texts of a form in a language. `thanks` replaces the form's own. */
function languageOf(form: TranslatedForm, tag: LanguageTag, thanks: string | undefined): KioskLanguage {
  const steps = translatedSteps(form, tag, STANDARD_TEXTS);
  const experience = stepOf(steps, 'experience');
  const text = blockOf(experience, 'OpenText');
  const { page, kiosk } = WORDS[tag];
  const { ratings, optional, send, next, tellOthers, reviews, notSaved, closed, language } = page;
  return {
    tag,
    name: LANGUAGE_NAMES[tag],
    question: experience.title,
    ...(text && { more: text.prompts ?? { bad: text.title, okay: text.title, good: text.title } }),
    sorry: titled(stepOf(steps, 'sorry')),
    thanks: thanks === undefined ? titled(stepOf(steps, 'thanks')) : { title: thanks },
    review: titled(stepOf(steps, 'spread the word')),
    words: { ...kiosk, ratings: [...ratings], optional, send, next, tellOthers, reviews, notSaved, closed, language },
  };
}

const titled = ({ title, subtitle }: Step) => ({ title, ...(subtitle && { subtitle }) });
