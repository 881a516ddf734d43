import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import { SignIn } from '../pages/sign-in/SignIn.tsx';
import { drawn, openQueries } from './drawing.tsx';

/* What the build draws into the document (docs/decisions/0007-the-first-load.md). */

export const frame = renderToStaticMarkup(<FrameSkeleton />);

/** Of links, only the addresses are drawn. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** The sign-in as it stands before anything is typed. */
export const signIn = drawn(
  openQueries(),
  <RouterContextProvider router={router}>
    <SignIn />
  </RouterContextProvider>,
);
