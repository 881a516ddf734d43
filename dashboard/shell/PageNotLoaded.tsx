import { IconCloudOff } from '@tabler/icons-react';
import { t } from '../language.ts';
import { useTitle } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../ui/page/CenteredPage.tsx';
import { Button, useNetwork, useWindowEvent } from '../ui/theme/mantine.ts';

/** Replaces a page that failed or didn't load. Reloads automatically once the network is back. */
export function PageNotLoaded() {
  const { online } = useNetwork();
  useTitle(t('Not loaded'));
  useWindowEvent('online', () => location.reload());
  return (
    <EmptyState
      role="alert"
      icon={<IconCloudOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>{t('This page didn’t load')}</h1>}
      action={online && <Button onClick={() => location.reload()}>{t('Try again')}</Button>}
    >
      {online ? t('It may be your connection, or a new version of Afterword.') : t('We’ll continue as soon as you’re back online.')}
    </EmptyState>
  );
}

/** The same, outside the frame. */
export const WholePageNotLoaded = () => (
  <CenteredPage>
    <PageNotLoaded />
  </CenteredPage>
);
