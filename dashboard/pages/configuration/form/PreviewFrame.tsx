import { useEffect, useRef, useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import { viewOf } from '#contract/feedback/rating.ts';
import { type FormPreview, PREVIEW_PATH, type PreviewStep } from '#contract/form/form-page.ts';
import { SegmentedControl } from '../../../ui/theme/mantine.ts';
import { type PreviewedForm, type PreviewMoment, previewProps } from './draft.ts';
import styles from './PreviewFrame.module.css';

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

/** The form as visitors will see it, by its own program in a frame. It can be tried, and saves nothing. */
export function PreviewFrame({ form, moment, onMoment }: PreviewFrameProps) {
  const [theme, setTheme] = useState<FormPreview['theme']>('light');
  const frame = usePreview({ props: previewProps(form, moment), theme }, onMoment);
  const view = moment.rating === undefined ? 'start' : viewOf(moment.rating);
  return (
    <section className={styles['preview']} aria-label="Preview">
      <div className={styles['bar']}>
        <SegmentedControl
          aria-label="Rating in the preview"
          size="xs"
          data={VIEWS}
          value={view}
          onChange={(chosen) => onMoment({ rating: RATING_OF[chosen], screen: RATING_OF[chosen] ? moment.screen : 'experience' })}
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

/** Tells the frame what to show as soon as it is there, and again at each change; hears what is tapped in it. */
function usePreview(shown: FormPreview, onMoment: (moment: PreviewMoment) => void) {
  const frame = useRef<HTMLIFrameElement>(null);
  const newest = useRef(shown);
  newest.current = shown;
  const hear = useRef(onMoment);
  hear.current = onMoment;
  useEffect(() => {
    const take = ({ origin, source, data }: MessageEvent): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      // Written by form/Preview.tsx, in a frame of this site.
      const { preview, rating, screen } = data as PreviewStep;
      if (preview === 'ready') send(frame.current, newest.current);
      else hear.current({ rating, screen });
    };
    addEventListener('message', take);
    return () => removeEventListener('message', take);
  }, []);
  const text = JSON.stringify(shown);
  useEffect(() => {
    // Compared as text: the object is another at each render.
    send(frame.current, JSON.parse(text) as FormPreview);
  }, [text]);
  return frame;
}

/** A frame that is still loading has no listener yet; it asks when it does. */
const send = (frame: HTMLIFrameElement | null, shown: FormPreview): void => frame?.contentWindow?.postMessage(shown, location.origin);
