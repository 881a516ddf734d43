import { useEffect, useRef, useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import { answerTo, type FormPreview, type PreviewStep } from '#contract/form/form-page.ts';
import { Done } from './Done.tsx';
import { Experience } from './Experience.tsx';
import { Place } from './Place.tsx';

/** The visitor's screens as the dashboard wants them shown. They can be tried, and save nothing. */
export function Preview() {
  const shown = useShown();
  // What was chosen here stands in the fields already; what the dashboard chose is another form.
  const chosen = useRef<Rating>(undefined);
  const opened = useRef(0);
  if (!shown) return null;
  const { props, theme } = shown;
  document.documentElement.dataset['theme'] = theme;
  const rating = answerTo(props.given, 'EmojiGauge');
  if (chosen.current !== rating) opened.current += 1;
  chosen.current = rating;
  return (
    <main className="card">
      <p className="place">
        <Place {...props} />
      </p>
      {props.screen === 'done' ? (
        <Done
          {...props}
          standing="accepted"
          isLive
          onChange={() => tell({ rating, screen: 'experience' })}
          onReview={() => undefined}
          onNext={() => tell({ screen: 'experience' })}
        />
      ) : (
        <Experience
          key={opened.current}
          {...props}
          busy={false}
          line={undefined}
          isStarted={rating !== undefined}
          onRate={(_form, _block, face) => {
            chosen.current = face;
            tell({ rating: face, screen: 'experience' });
          }}
          onSubmit={() => tell({ rating, screen: rating === undefined ? 'experience' : 'done' })}
          onTyped={() => undefined}
        />
      )}
    </main>
  );
}

/** What the dashboard last sent. Nobody else is listened to. */
function useShown(): FormPreview | undefined {
  const [shown, setShown] = useState<FormPreview>();
  useEffect(() => {
    const take = ({ origin, source, data }: MessageEvent): void => {
      if (origin === location.origin && source === parent) setShown(data as FormPreview);
    };
    addEventListener('message', take);
    addEventListener('click', stay, true);
    addEventListener('auxclick', stay, true);
    post({ preview: 'ready', screen: 'experience' });
    return () => {
      removeEventListener('message', take);
      removeEventListener('click', stay, true);
      removeEventListener('auxclick', stay, true);
    };
  }, []);
  return shown;
}

/** Links lead nowhere from a preview. */
function stay(event: Event): void {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
}

const tell = (step: Omit<PreviewStep, 'preview'>): void => post({ preview: 'step', ...step });

const post = (message: PreviewStep): void => parent.postMessage(message, location.origin);
