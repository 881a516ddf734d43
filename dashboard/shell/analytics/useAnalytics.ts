import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { configQuery } from '../../data/queries.ts';
import { onDevice } from '../../data/storage.ts';
import { paths } from '../../paths.ts';
import type { openRouter } from '../routes.tsx';
import { mayAnalyse } from './rules.ts';

type AppRouter = ReturnType<typeof openRouter>;

/** Not yet in the types of every browser. */
interface PrivateNavigator extends Navigator {
  readonly globalPrivacyControl?: boolean;
}

/** Tells the analytics provider which pages are seen, where the installation has one and this browser allows it (docs/rules.md#analytics). */
export function useAnalytics(router: AppRouter, client: QueryClient): void {
  const isAllowed = mayAnalyse({
    hostname: location.hostname,
    localFlag: onDevice.getItem('vfdnt'),
    doNotTrack: navigator.doNotTrack,
    globalPrivacyControl: (navigator as PrivateNavigator).globalPrivacyControl,
  });
  const analytics = useQuery({ ...configQuery, enabled: isAllowed }, client).data?.analytics;
  // Others may have asked for the settings where nothing may be counted.
  useEffect(() => (isAllowed && analytics?.enabled ? follow(router, analytics) : undefined), [router, analytics, isAllowed]);
}

/** Tells of the page that is shown and of each other one; gives what ends it. */
function follow(router: AppRouter, { key, host }: { readonly key: string; readonly host: string }): () => void {
  // Where it cannot be loaded, by a blocker or without a network, nothing is told.
  const provider = import('./provider.ts').then(({ startAnalytics }) => startAnalytics({ key, host })).catch(() => undefined);
  let last: string | undefined;
  const tell = (): void => {
    const page = router.state.matches.at(-1)?.fullPath;
    if (page === undefined || page === last) return;
    last = page;
    void provider.then((started) => started?.seen(page, page.startsWith(paths.demo) ? 'demo' : 'team'));
  };
  tell();
  return router.subscribe('onRendered', tell);
}
