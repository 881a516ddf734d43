import type { Block, Step } from '../form/form.ts';
import { LANGUAGE_TAGS, type LanguageTag, type Translations } from './languages.ts';
import type { StandardTexts } from './words.ts';

/* The owner's texts in a form, and their translations. */

/** A text that visitors read. `key` is the uuid of what it labels, with a suffix if that has several texts. */
interface FormText {
  readonly key: string;
  readonly text: string;
}

/** The texts of a form and what they are translated from. */
export interface TranslatedForm {
  /** The language that the texts are written in. */
  readonly language: LanguageTag;
  readonly steps: readonly Step[];
  readonly translations: Translations;
}

/** The standard texts of all languages. */
export type StandardTextsByTag = Readonly<Record<LanguageTag, StandardTexts>>;

/** Returns every text of a form that visitors read, in order. */
export function textsOf(steps: readonly Step[]): FormText[] {
  const texts: FormText[] = [];
  mapTexts(steps, (key, text) => {
    texts.push({ key, text });
    return text;
  });
  return texts;
}

/** Returns the steps in a language. A text that isn't translated stays as written. */
export function translatedSteps(form: TranslatedForm, tag: LanguageTag, standard: StandardTextsByTag): Step[] {
  return mapTexts(form.steps, (key, text) => translationOf(form, { key, text }, tag, standard) ?? text);
}

/** Returns the texts that aren't translated into a language. */
export const missingTexts = (form: TranslatedForm, tag: LanguageTag, standard: StandardTextsByTag): FormText[] =>
  textsOf(form.steps).filter((text) => translationOf(form, text, tag, standard) === undefined);

/** Returns the languages that a form offers: its own, and those in which nothing is missing. */
export const offeredLanguages = (form: TranslatedForm, standard: StandardTextsByTag): LanguageTag[] =>
  LANGUAGE_TAGS.filter((tag) => missingTexts(form, tag, standard).length === 0);

/** Returns the translations of texts that a form still has. */
export function acceptedTranslations(sent: Translations, steps: readonly Step[]): Translations {
  const keys = new Set(textsOf(steps).map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(sent).map(([tag, texts]) => [tag, Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)))]),
  );
}

/** Returns a text in a language, if it is translated or standard. */
export function translationOf(
  { language, translations }: TranslatedForm,
  { key, text }: FormText,
  tag: LanguageTag,
  standard: StandardTextsByTag,
): string | undefined {
  if (tag === language) return text;
  // An editor has empty translations.
  return translations[tag]?.[key]?.trim() || standardIn(text, standard[language], standard[tag]);
}

/** Returns steps with the standard texts of another language in place of those of one. */
export const withStandardTexts = (steps: readonly Step[], from: StandardTexts, to: StandardTexts): Step[] =>
  mapTexts(steps, (_key, text) => standardIn(text, from, to) ?? text);

function standardIn(text: string, from: StandardTexts, to: StandardTexts): string | undefined {
  const name = NAMES.find((each) => from[each] === text);
  return name && to[name];
}

/** The names of the standard texts, from any language. */
const NAMES = [
  ...(['question', 'rating', 'more', 'bad', 'okay', 'good', 'contact', 'no', 'yes'] as const),
  ...(['sorry', 'apology', 'thanks', 'thanksMore', 'spread', 'spreadMore', 'review'] as const),
] as const satisfies readonly (keyof StandardTexts)[];

type MapText = (key: string, text: string) => string;

/** Returns steps with each text replaced. */
function mapTexts(steps: readonly Step[], map: MapText): Step[] {
  return steps.map((step) => ({
    ...step,
    title: map(step.uuid, step.title),
    ...(step.subtitle && { subtitle: map(`${step.uuid}.subtitle`, step.subtitle) }),
    ...(step.blocks && { blocks: step.blocks.map((block) => mapBlock(block, map)) }),
  }));
}

function mapBlock(block: Block, map: MapText): Block {
  const { uuid, prompts, selections } = block;
  return {
    ...block,
    ...(!isUntitled(block) && { title: map(uuid, block.title) }),
    ...(prompts && {
      prompts: {
        bad: map(`${uuid}.bad`, prompts.bad),
        okay: map(`${uuid}.okay`, prompts.okay),
        good: map(`${uuid}.good`, prompts.good),
      },
    }),
    ...(selections && { selections: selections.map((choice) => ({ ...choice, text: map(choice.uuid, choice.text) })) }),
  };
}

/** Blocks whose title visitors don't read: the step's title is the question. */
const isUntitled = ({ blockType }: Block): boolean => blockType === 'EmojiGauge' || blockType === 'ExternalReview';
