import { useState } from 'react';
import { STANDARD_TEXTS } from '#contract/language/all.ts';
import { LANGUAGE_NAMES, LANGUAGE_TAGS, type LanguageTag, languageName, languagesByName } from '#contract/language/languages.ts';
import { missingTexts, offeredLanguages, textsOf, translationOf, withStandardTexts } from '#contract/language/texts.ts';
import type { PreviewMoment } from '../../../frame/preview/preview-props.ts';
import { languageShown, t } from '../../../language.ts';
import { allOf } from '../../../ui/format/list.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import fieldStyles from '../../../ui/forms/Form.module.css';
import type { FormOf } from '../../../ui/forms/useForm.ts';
import { Card } from '../../../ui/page/Page.tsx';
import { NativeSelect } from '../../../ui/theme/mantine.ts';
import type { FormDraft } from './draft.ts';
import styles from './StepCards.module.css';

interface LanguageCardProps {
  readonly form: FormOf<FormDraft>;
  readonly onMoment: (moment: PreviewMoment) => void;
}

const LONGEST_TRANSLATION = 300;

/** The language that a form is written in, and its translations. */
export function LanguageCard({ form, onMoment }: LanguageCardProps) {
  const { values } = form;
  const [target, setTarget] = useState<LanguageTag>();
  const offered = offeredLanguages(values, STANDARD_TEXTS);
  const others = languagesByName(languageShown()).filter((tag) => tag !== values.language);

  function writeIn(language: LanguageTag): void {
    const steps = withStandardTexts(values.steps, STANDARD_TEXTS[values.language], STANDARD_TEXTS[language]);
    const { [language]: _unneeded, ...translations } = values.translations;
    form.setValues({ steps, language, translations });
    if (target === language) setTarget(undefined);
  }

  function translateInto(tag: LanguageTag | undefined): void {
    setTarget(tag);
    onMoment({ rating: undefined, screen: 'experience', ...(tag && { language: tag }) });
  }

  return (
    <Card
      title={t('Languages')}
      lead={t('Visitors read the form in their browser’s language, or choose one. The standard texts are translated.')}
    >
      <div className={fieldStyles['form']}>
        <NativeSelect
          label={t('Your texts are in')}
          data={languagesByName(languageShown()).map((tag) => ({ value: tag, label: languageName(tag, languageShown()) }))}
          value={values.language}
          onChange={({ currentTarget }) => writeIn(currentTarget.value as LanguageTag)}
        />
        <p className={styles['fixed']}>
          {offered.length === LANGUAGE_TAGS.length
            ? t('Visitors can choose all {count} languages.', { count: offered.length })
            : t('Visitors can choose {languages}. The others need translations of your texts.', {
                languages: allOf(offered.map((tag) => languageName(tag, languageShown()))),
              })}
        </p>
        <NativeSelect
          label={t('Translate into')}
          data={[
            { value: '', label: t('Choose a language') },
            ...others.map((tag) => ({ value: tag, label: `${languageName(tag, languageShown())}: ${statusOf(values, tag)}` })),
          ]}
          value={target ?? ''}
          onChange={({ currentTarget }) => translateInto(others.find((tag) => tag === currentTarget.value))}
        />
        {target && <TranslationFields form={form} target={target} />}
      </div>
    </Card>
  );
}

/** A field for each text, with the text as its label. */
function TranslationFields({ form: { values, setFieldValue }, target }: Pick<LanguageCardProps, 'form'> & { target: LanguageTag }) {
  const translations = values.translations[target] ?? {};
  return (
    <fieldset className={`${fieldStyles['form']} ${styles['translations']}`}>
      <legend>{LANGUAGE_NAMES[target]}</legend>
      {textsOf(values.steps).map((text) => {
        const standard = translationOf({ ...values, translations: {} }, text, target, STANDARD_TEXTS);
        const translation = translations[text.key] ?? '';
        return (
          <TextField
            key={text.key}
            label={text.text}
            description={standard === undefined && translation.trim() === '' ? t('Missing') : undefined}
            placeholder={standard}
            lang={target}
            dir="auto"
            autoComplete="off"
            limit={LONGEST_TRANSLATION}
            value={translation}
            onChange={({ currentTarget }) =>
              setFieldValue('translations', { ...values.translations, [target]: { ...translations, [text.key]: currentTarget.value } })
            }
          />
        );
      })}
    </fieldset>
  );
}

function statusOf(form: FormDraft, tag: LanguageTag): string {
  const missing = missingTexts(form, tag, STANDARD_TEXTS).length;
  return missing === 0 ? t('complete') : t.count(missing, '{count} missing', '{count} missing');
}
