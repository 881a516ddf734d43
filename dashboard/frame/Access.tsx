import { IconLock, IconMapPinOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { configQuery } from '../data/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useTitle } from '../ui/hooks.ts';
import { Button } from '../ui/mantine.ts';
import styles from './Access.module.css';
import { adminNames, useTeam } from './team.ts';

/** Shows a page to admins; other people read whom to ask. The server refuses them all the same. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { user, users } = useTeam();
  return user.data.level === 'admin' ? children : <Closed users={users} />;
}

function Closed({ users }: { users: ReturnType<typeof useTeam>['users'] }) {
  useTitle('Admins only');
  return (
    <EmptyState icon={<IconLock size={32} stroke={1.5} aria-hidden />} title={<h1 tabIndex={-1}>Only admins can open this page.</h1>}>
      Ask {adminNames(users)}.
    </EmptyState>
  );
}

/** Shows a page to operators; for other people there is nothing at its address. The server refuses them all the same. */
export const OperatorsOnly = ({ children }: { children: ReactNode }) => (useTeam().isOperator ? children : <NotAvailable />);

/** The page of an address that leads nowhere, and of a record that does not exist (any more). */
export function NotAvailable() {
  const { paths } = useTeam();
  const { data: config } = useQuery(configQuery);
  useTitle('Not available');
  return (
    <EmptyState
      icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>You've reached a page that isn't available.</h1>}
      action={
        <div className={styles['actions']}>
          <Button component="a" href={config?.website ?? '/'}>
            Visit our website
          </Button>
          <Button component={Link} to={paths.feed} variant="default">
            Go to feedback
          </Button>
        </div>
      }
    >
      It may have been moved or deleted, or the address has a mistake in it.
    </EmptyState>
  );
}
