import { createHash } from 'node:crypto';
import type { Step } from '#contract/form/form.ts';
import { reviewPath } from '#contract/form/form-page.ts';
import { blockOf, gaugeOf, servicesOf, stepOf } from '#contract/form/steps.ts';
import type { KioskContent, KioskLanguage } from '#contract/kiosk/kiosk.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { LANGUAGE_NAMES, type LanguageTag } from '#contract/language/languages.ts';
import { translatedSteps } from '#contract/language/texts.ts';
import type { FormReader, PublicForm } from '../form/store.ts';
import type { StoredKiosk } from './store.ts';

interface ShownContent {
  readonly content: KioskContent;
  readonly revision: string;
}

/** Returns what a kiosk shows, with its revision; undefined without its form. */
export async function contentOf(forms: FormReader, { kiosk, formId, pinHash }: StoredKiosk): Promise<ShownContent | undefined> {
  const target = await forms.byId(formId);
  if (!target) return undefined;
  const { data, id } = kiosk;
  const { steps, version, language, inviteToReview, displayName } = target.form.data;
  const text = blockOf(stepOf(steps, 'experience'), 'OpenText');
  const content: KioskContent = {
    kioskId: id,
    name: data.displayName,
    place: displayName,
    formId,
    formVersion: version,
    gauge: gaugeOf(steps).uuid,
    ...(text && { text: text.uuid }),
    language,
    languages: target.languages.map((tag) => languageOf(target, tag, tag === language ? data.thanks : undefined)),
    inviteToReview,
    services: servicesOf(steps).map(({ name }) => ({ name, path: reviewPath(formId, name) })),
    repeatWithin: data.repeatWithin,
    look: target.look,
    pinHash: pinHash.toString('hex'),
    ...(target.closed && { isClosed: true }),
  };
  return { content, revision: createHash('sha256').update(JSON.stringify(content)).digest('base64url') };
}

/** Returns the texts of a form in a language. `thanks` replaces the form's own. */
function languageOf({ form }: PublicForm, tag: LanguageTag, thanks: string | undefined): KioskLanguage {
  const steps = translatedSteps(form.data, tag, STANDARD_TEXTS);
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
