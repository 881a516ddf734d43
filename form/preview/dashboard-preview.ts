import { useEffect, useState } from 'react';
import type { FormPreview, PreviewStep } from '#contract/form/form-page.ts';

/** Returns the last message of the dashboard around this page. Other senders are ignored. Links do nothing. */
export function useDashboardPreview(): FormPreview | undefined {
  const [shown, setShown] = useState<FormPreview>();
  useEffect(() => {
    const take = ({ origin, source, data }: MessageEvent): void => {
      if (origin === location.origin && source === parent) setShown(data as FormPreview);
    };
    addEventListener('message', take);
    addEventListener('click', blockLink, true);
    addEventListener('auxclick', blockLink, true);
    post({ preview: 'ready', screen: 'experience' });
    return () => {
      removeEventListener('message', take);
      removeEventListener('click', blockLink, true);
      removeEventListener('auxclick', blockLink, true);
    };
  }, []);
  return shown;
}

function blockLink(event: Event): void {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
}

/** Reports to the dashboard what was chosen in this page. */
export const postStep = (step: Omit<PreviewStep, 'preview'>): void => post({ preview: 'step', ...step });

const post = (message: PreviewStep): void => parent.postMessage(message, location.origin);
