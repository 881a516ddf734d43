import { useEffect, useRef } from 'react';
import { type FormPreview, PREVIEW_PATH, type PreviewStep } from '#contract/form/form-page.ts';
import { t } from '../../language.ts';
import { type PreviewedForm, type PreviewMoment, previewProps } from './preview-props.ts';

interface FormFrameProps {
  readonly form: PreviewedForm;
  readonly moment: PreviewMoment;
  readonly onMoment: (moment: PreviewMoment) => void;
  readonly theme: FormPreview['theme'];
  /** The page in the frame: the form's preview or a kiosk's. */
  readonly path?: string;
  readonly className?: string | undefined;
}

/** The real form in a frame. It can be tried, and saves nothing. */
export function FormFrame({ form, moment, onMoment, theme, path = PREVIEW_PATH, className }: FormFrameProps) {
  const { privateReplies } = form;
  const frame = usePreview({ props: previewProps(form, moment), written: writtenIn(form), privateReplies, theme }, onMoment);
  return <iframe ref={frame} key={path} src={path} title={t('The form as visitors see it')} className={className} />;
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
      // Sent by form/preview/dashboard-preview.ts.
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
