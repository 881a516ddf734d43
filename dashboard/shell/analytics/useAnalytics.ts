import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { configQuery } from '../../data/queries.ts';
import { onDevice } from '../../data/storage.ts';
import { paths } from '../../paths.ts';
import type { openRouter } from '../routes.tsx';
import { mayAnalyse } from './rules.ts';

type AppRouter = ReturnType<typeof openRouter>;

/** Adds a property that TypeScript's types lack. */
interface PrivateNavigator extends Navigator {
  readonly globalPrivacyControl?: boolean;
}

/** Reports page views to the analytics provider, if the installation has one and this browser allows it (docs/rules.md#analytics). */
export function useAnalytics(router: AppRouter, client: QueryClient): void {
  const isAllowed = mayAnalyse({
    hostname: location.hostname,
    localFlag: onDevice.getItem('vfdnt'),
    doNotTrack: navigator.doNotTrack,
    globalPrivacyControl: (navigator as PrivateNavigator).globalPrivacyControl,
  });
  const analytics = useQuery({ ...configQuery, enabled: isAllowed }, client).data?.analytics;
  // The settings may be cached even where analytics isn't allowed.
  useEffect(() => (isAllowed && analytics?.enabled ? follow(router, analytics) : undefined), [router, analytics, isAllowed]);
}

/** Reports the current page and each later one; returns a function that stops it. */
function follow(router: AppRouter, { key, host }: { readonly key: string; readonly host: string }): () => void {
  // If a blocker or the network prevents loading, nothing is reported.
  const provider = import('./provider.ts').then(({ startAnalytics }) => startAnalytics({ key, host })).catch(() => undefined);
  let last: string | undefined;
  const report = (): void => {
    const page = router.state.matches.at(-1)?.fullPath;
    if (page === undefined || page === last) return;
    last = page;
    void provider.then((started) => started?.seen(page, page.startsWith(paths.demo) ? 'demo' : 'team'));
  };
  report();
  return router.subscribe('onRendered', report);
}
