import { CatchBoundary, lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Notice } from '../messages/Notice.tsx';
import { TextLink } from './TextLink.tsx';

/**
 * A component by its name in a module that is fetched when it is first shown, or by `preload`. The router reloads a page whose
 * module is missing, which without a network ends at the browser's own page: so what failed is told to it in other words.
 */
export function loadedLater<Module extends object, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      throw new Error(`${String(name)} did not come.`, { cause });
    }
  }, name);
}

/** Fetches such a component ahead; gives whether it is there. Where it did not come, asking again tries again. */
export async function fetchAhead(component: { readonly preload?: () => Promise<void> | undefined }): Promise<boolean> {
  await component.preload?.();
  // The router takes it away from what is there.
  return component.preload === undefined;
}

interface LaterProps {
  /** Keeps the room until it is there. */
  readonly waiting?: ReactNode;
  /** Stands there when it does not come. */
  readonly failed?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page whose code comes later. Where it does not come its place says so, and the rest of the page stays as it is. */
export const Later = ({ waiting, failed = <NotLoaded />, children }: LaterProps) => (
  <CatchBoundary getResetKey={() => 'once'} errorComponent={() => failed}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </CatchBoundary>
);

const NotLoaded = () => (
  <Notice tone="bad">
    This part didn’t load. <TextLink onClick={() => location.reload()}>Reload the page</TextLink>
  </Notice>
);
