import { CatchBoundary, lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { t } from '../../language.ts';
import { Notice } from '../messages/Notice.tsx';
import { TextLink } from './TextLink.tsx';

/**
 * Returns a component that loads its module when first rendered, or by `preload`. The router reloads the page if a module is
 * missing, which offline ends at the browser's error page; the error is reworded so that it doesn't.
 */
export function loadedLater<Module extends object, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      throw new Error(`${String(name)} did not load.`, { cause });
    }
  }, name);
}

/** Preloads such a component. Returns true if it is loaded; calling it again retries. */
export async function fetchAhead(component: { readonly preload?: () => Promise<void> | undefined }): Promise<boolean> {
  await component.preload?.();
  // The router removes `preload` from loaded components.
  return component.preload === undefined;
}

interface LaterProps {
  /** Shown while loading. */
  readonly waiting?: ReactNode;
  /** Shown if loading fails. */
  readonly failed?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page whose code loads later. If that fails, only this part shows an error. */
export const Later = ({ waiting, failed = <PartNotLoaded />, children }: LaterProps) => (
  <CatchBoundary getResetKey={() => 'once'} errorComponent={() => failed}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </CatchBoundary>
);

const PartNotLoaded = () => (
  <Notice tone="bad">
    {t('This part didn’t load.')} <TextLink onClick={() => location.reload()}>{t('Reload the page')}</TextLink>
  </Notice>
);
