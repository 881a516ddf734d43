import { IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../language.ts';
import { paths } from '../paths.ts';
import { useTitle } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../ui/page/CenteredPage.tsx';
import { Button } from '../ui/theme/mantine.ts';

/** Shown to someone who exists in the user pool but not in the product. Signing in again would return here, so the page explains why. */
export function NoAccount() {
  useTitle(t('No account'));
  return (
    <CenteredPage>
      <EmptyState
        role="alert"
        icon={<IconUserOff size={32} stroke={1.5} aria-hidden />}
        title={<h1>{t('You have no account here')}</h1>}
        action={
          <Button component={Link} to={paths.signOut}>
            {t('Sign out')}
          </Button>
        }
      >
        {t('You’re signed in, but you’re not on a team. Ask an admin of your team to invite you, or sign in the way you did before.')}
      </EmptyState>
    </CenteredPage>
  );
}
