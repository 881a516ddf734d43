import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Account } from '#contract/account.ts';
import type { User } from '#contract/user.ts';
import { adminNames } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { CenteredPage } from '../../ui/CenteredPage.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTitle } from '../../ui/hooks.ts';
import { Button } from '../../ui/mantine.ts';
import { isLocked } from './steps.ts';

/** For signed-in people who can do nothing here: the account has to be opened by an admin, or paid for. */
export function AccountLocked({ account, users }: { account: Account; users: readonly User[] }) {
  const title = isLocked(account) ? 'This subscription is not active' : 'This account is not set up yet';
  useTitle(title);
  return (
    <CenteredPage>
      <EmptyState
        icon={<IconLock size={32} stroke={1.5} aria-hidden />}
        title={<h1>{title}</h1>}
        action={
          <Button component={Link} to={paths.signOut} variant="default">
            Sign out
          </Button>
        }
      >
        Ask {adminNames(users)} to open {account.data.displayName} again. Nothing is lost meanwhile.
      </EmptyState>
    </CenteredPage>
  );
}
