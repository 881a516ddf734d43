import { useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import { viewOf } from '#contract/feedback/rating.ts';
import { type FormPreview, PREVIEW_PATH } from '#contract/form/form-page.ts';
import { KIOSK_PREVIEW_PATH } from '#contract/kiosk/kiosk-page.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { SegmentedControl } from '../../ui/theme/mantine.ts';
import { FormFrame } from './FormFrame.tsx';
import styles from './PreviewFrame.module.css';
import type { PreviewedForm, PreviewMoment } from './preview-props.ts';

interface PreviewFrameProps {
  readonly form: PreviewedForm;
  readonly moment: PreviewMoment;
  readonly onMoment: (moment: PreviewMoment) => void;
}

const VIEWS = [
  { value: 'start', label: translatable('Start') },
  { value: 'bad', label: translatable('Bad') },
  { value: 'okay', label: translatable('Okay') },
  { value: 'good', label: translatable('Good') },
];
const RATING_OF: Readonly<Record<string, Rating>> = { bad: 1, okay: 3, good: 5 };
const SCREENS = [
  { value: 'experience', label: translatable('Question') },
  { value: 'done', label: translatable('After sending') },
];
const DEVICES = [
  { value: 'phone', label: translatable('Phone') },
  { value: 'kiosk', label: translatable('Kiosk') },
];
const THEMES = [
  { value: 'light', label: translatable('Light') },
  { value: 'dark', label: translatable('Dark') },
];

/** Returns the choices with their labels. */
const shown = (choices: readonly { readonly value: string; readonly label: Untranslated }[]) =>
  choices.map(({ value, label }) => ({ value, label: t(label) }));

/** The real form or kiosk in a frame, as visitors will see it. It can be tried, and saves nothing. */
export function PreviewFrame({ form, moment, onMoment }: PreviewFrameProps) {
  const [theme, setTheme] = useState<FormPreview['theme']>('light');
  const [device, setDevice] = useState('phone');
  const isKiosk = device === 'kiosk';
  const view = moment.rating === undefined ? 'start' : viewOf(moment.rating);
  return (
    <section className={styles['preview']} aria-label={t('Preview')}>
      <div className={styles['bar']}>
        <SegmentedControl
          aria-label={t('Rating in the preview')}
          size="xs"
          data={shown(VIEWS)}
          value={view}
          onChange={(chosen) =>
            onMoment({ ...moment, rating: RATING_OF[chosen], screen: RATING_OF[chosen] ? moment.screen : 'experience' })
          }
        />
        <SegmentedControl aria-label={t('Device of the preview')} size="xs" data={shown(DEVICES)} value={device} onChange={setDevice} />
        <SegmentedControl
          aria-label={t('Screen in the preview')}
          size="xs"
          data={shown(SCREENS)}
          value={moment.screen}
          // A kiosk thanks and asks for words on one screen.
          disabled={moment.rating === undefined || isKiosk}
          onChange={(screen) => onMoment({ ...moment, screen: screen as PreviewMoment['screen'] })}
        />
        <SegmentedControl
          aria-label={t('Theme of the preview')}
          size="xs"
          data={shown(THEMES)}
          value={theme}
          onChange={(chosen) => setTheme(chosen as FormPreview['theme'])}
        />
      </div>
      <div className={styles[device]}>
        <FormFrame {...{ form, moment, onMoment, theme }} path={isKiosk ? KIOSK_PREVIEW_PATH : PREVIEW_PATH} className={styles['frame']} />
      </div>
      <p className={styles['hint']}>{t('Try it. Nothing is sent.')}</p>
    </section>
  );
}
