import { useState } from 'react';
import { EMOJI, RATINGS } from '#contract/feedback/rating.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { FormFrame } from '../../../frame/preview/FormFrame.tsx';
import { type PreviewedForm, START } from '../../../frame/preview/preview-props.ts';
import { t } from '../../../language.ts';
import { CloseButton } from '../../../ui/theme/mantine.ts';
import styles from './Embeds.module.css';
import type { EmbedLook, MailSnippet } from './snippets.ts';

interface EmbedPreviewProps {
  readonly look: EmbedLook;
  readonly form: PreviewedForm;
  readonly language: LanguageTag | undefined;
  readonly mail: MailSnippet;
}

/** A sample page or mail with the form. It can be tried, and saves nothing. */
export function EmbedPreview({ look, form, language, mail }: EmbedPreviewProps) {
  const [moment, setMoment] = useState(START);
  const [isOpen, setOpen] = useState(false);
  const shown = { ...moment, ...(language && { language }) };
  const frame = <FormFrame form={form} moment={shown} onMoment={setMoment} theme="light" className={styles['frame']} />;
  return (
    <section className={styles['page']} aria-label={t('Preview')}>
      <i />
      <i />
      {look === 'inline' && frame}
      {look === 'button' && (
        <button type="button" className={styles['link']} onClick={() => setOpen(true)}>
          {mail.text}
        </button>
      )}
      {look === 'mail' && <MailFaces {...mail} />}
      <i />
      {isOpen && (
        <div className={styles['opened']}>
          <CloseButton
            size={44}
            radius={22}
            className={styles['close'] ?? ''}
            aria-label={t('Close the preview')}
            onClick={() => setOpen(false)}
          />
          {frame}
        </div>
      )}
    </section>
  );
}

const MailFaces = ({ text, words, direction }: MailSnippet) => (
  <div dir={direction}>
    <p className={styles['question']}>{text}</p>
    <div className={styles['faces']}>
      {RATINGS.map((rating) => (
        <span key={rating}>
          <span aria-hidden>{EMOJI[rating]}</span>
          {words[rating - 1]}
        </span>
      ))}
    </div>
  </div>
);
