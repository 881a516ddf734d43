import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Account } from '#contract/account/account.ts';
import { translatable } from '#contract/language/translate.ts';
import type { User } from '#contract/user/user.ts';
import { adminNames } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../../ui/page/CenteredPage.tsx';
import { Button } from '../../ui/theme/mantine.ts';

const TITLE = translatable('This account is not set up yet');

/** Shown to members before an admin has finished signing up. */
export function NotSetUp({ account, users }: { account: Account; users: readonly User[] }) {
  useTitle(t(TITLE));
  return (
    <CenteredPage>
      <EmptyState
        icon={<IconLock size={32} stroke={1.5} aria-hidden />}
        title={<h1>{t(TITLE)}</h1>}
        action={
          <Button component={Link} to={paths.signOut} variant="default">
            {t('Sign out')}
          </Button>
        }
      >
        {t('Ask {admins} to finish setting up {name}.', { admins: adminNames(users), name: account.data.displayName })}
      </EmptyState>
    </CenteredPage>
  );
}
