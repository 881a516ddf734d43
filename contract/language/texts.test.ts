import { describe, expect, it } from 'vitest';
import { sampleUuids } from '../core/samples.ts';
import { defaultSteps, IN_ENGLISH, stepOf } from '../form/steps.ts';
import { STANDARD_TEXTS } from './all.ts';
import { LANGUAGE_TAGS } from './languages.ts';
import { missingTexts, offeredLanguages, type TranslatedForm, textsOf, translatedSteps, withStandardTexts } from './texts.ts';

const steps = defaultSteps([], sampleUuids('FORM_Pier04'));
const form: TranslatedForm = { steps, ...IN_ENGLISH };
/** The same form with a question by the owner. */
const edited = { ...form, steps: steps.map((step) => (step.stepType === 'experience' ? { ...step, title: 'How was the soup?' } : step)) };
const question = stepOf(steps, 'experience').uuid;
const inGerman = { ...edited, translations: { de: { [question]: 'Wie war die Suppe?' } } };

describe('a form’s languages', () => {
  it('are all while its texts are standard', () => {
    expect(offeredLanguages(form, STANDARD_TEXTS)).toEqual(LANGUAGE_TAGS);
    expect(stepOf(translatedSteps(form, 'de', STANDARD_TEXTS), 'experience').title).toBe('Wie war Ihr Besuch?');
    expect(textsOf(steps).map(({ text }) => text)).not.toContain('Your rating');
  });

  it('are those into which its own texts are translated', () => {
    expect(offeredLanguages(edited, STANDARD_TEXTS)).toEqual(['en']);
    expect(missingTexts(edited, 'de', STANDARD_TEXTS)).toEqual([{ key: question, text: 'How was the soup?' }]);
    expect(offeredLanguages(inGerman, STANDARD_TEXTS)).toEqual(['de', 'en']);
    expect(stepOf(translatedSteps(inGerman, 'de', STANDARD_TEXTS), 'experience').title).toBe('Wie war die Suppe?');
    expect(stepOf(translatedSteps(inGerman, 'en', STANDARD_TEXTS), 'experience').title).toBe('How was the soup?');
  });

  it('don’t include one with an empty translation', () => {
    expect(offeredLanguages({ ...edited, translations: { de: { [question]: ' ' } } }, STANDARD_TEXTS)).toEqual(['en']);
  });

  it('include its own when its standard texts change to that', () => {
    const german = { ...edited, language: 'de' as const, steps: withStandardTexts(edited.steps, STANDARD_TEXTS.en, STANDARD_TEXTS.de) };
    expect(stepOf(german.steps, 'thanks').title).toBe('Vielen Dank!');
    expect(stepOf(german.steps, 'experience').title).toBe('How was the soup?');
    expect(missingTexts(german, 'en', STANDARD_TEXTS)).toEqual([{ key: question, text: 'How was the soup?' }]);
    expect(translatedSteps(german, 'en', STANDARD_TEXTS)).toEqual(edited.steps);
  });
});
