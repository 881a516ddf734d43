import { useEffect, useRef, useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import { viewOf } from '#contract/feedback/rating.ts';
import { type FormPreview, PREVIEW_PATH, type PreviewStep } from '#contract/form/form-page.ts';
import { SegmentedControl } from '../../ui/theme/mantine.ts';
import styles from './PreviewFrame.module.css';
import { type PreviewedForm, type PreviewMoment, previewProps } from './preview-props.ts';

interface PreviewFrameProps {
  readonly form: PreviewedForm;
  readonly moment: PreviewMoment;
  readonly onMoment: (moment: PreviewMoment) => void;
}

const VIEWS = [
  { value: 'start', label: 'Start' },
  { value: 'bad', label: 'Bad' },
  { value: 'okay', label: 'Okay' },
  { value: 'good', label: 'Good' },
];
const RATING_OF: Readonly<Record<string, Rating>> = { bad: 1, okay: 3, good: 5 };
const SCREENS = [
  { value: 'experience', label: 'Question' },
  { value: 'done', label: 'After sending' },
];
const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The real form in a frame, as visitors will see it. It can be tried, and saves nothing. */
export function PreviewFrame({ form, moment, onMoment }: PreviewFrameProps) {
  const [theme, setTheme] = useState<FormPreview['theme']>('light');
  const frame = usePreview({ props: previewProps(form, moment), written: writtenIn(form), theme }, onMoment);
  const view = moment.rating === undefined ? 'start' : viewOf(moment.rating);
  return (
    <section className={styles['preview']} aria-label="Preview">
      <div className={styles['bar']}>
        <SegmentedControl
          aria-label="Rating in the preview"
          size="xs"
          data={VIEWS}
          value={view}
          onChange={(chosen) =>
            onMoment({ ...moment, rating: RATING_OF[chosen], screen: RATING_OF[chosen] ? moment.screen : 'experience' })
          }
        />
        <SegmentedControl
          aria-label="Theme of the preview"
          size="xs"
          data={THEMES}
          value={theme}
          onChange={(chosen) => setTheme(chosen as FormPreview['theme'])}
        />
        <SegmentedControl
          aria-label="Screen in the preview"
          size="xs"
          data={SCREENS}
          value={moment.screen}
          disabled={moment.rating === undefined}
          onChange={(screen) => onMoment({ ...moment, screen: screen as PreviewMoment['screen'] })}
        />
      </div>
      <iframe ref={frame} src={PREVIEW_PATH} title="The form as visitors see it" className={styles['frame']} />
      <p className={styles['hint']}>Try it. Nothing is sent.</p>
    </section>
  );
}

const writtenIn = ({ language, translations }: PreviewedForm): FormPreview['written'] => ({ language, translations });

/** Sends the frame what to show when it is ready and on each change, and receives taps from it. */
function usePreview(shown: FormPreview, onMoment: (moment: PreviewMoment) => void) {
  const frame = useRef<HTMLIFrameElement>(null);
  const newest = useRef(shown);
  newest.current = shown;
  const onStep = useRef(onMoment);
  onStep.current = onMoment;
  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      // Sent by form/Preview.tsx.
      const { preview, rating, screen, language = newest.current.props.language } = data as PreviewStep;
      if (preview === 'ready') send(frame.current, newest.current);
      else onStep.current({ rating, screen, language });
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  const text = JSON.stringify(shown);
  useEffect(() => {
    // Compared as text, because each render creates a new object.
    send(frame.current, JSON.parse(text) as FormPreview);
  }, [text]);
  return frame;
}

/** Sends to the frame. While it loads, it has no listener; it sends `ready` when it does. */
const send = (frame: HTMLIFrameElement | null, shown: FormPreview): void => frame?.contentWindow?.postMessage(shown, location.origin);
