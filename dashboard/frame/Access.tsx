import { IconLock, IconMapPinOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { configQuery } from '../data/queries.ts';
import { t } from '../language.ts';
import { paths as site } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { useTitle } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import { Later, loadedLater } from '../ui/page/Later.tsx';
import { Button } from '../ui/theme/mantine.ts';
import styles from './Access.module.css';
import { adminNames, useTeam } from './team.ts';

// Loaded on demand: few people need it, and it includes the QR code.
const OperatorSetUp = loadedLater(() => import('./security/OperatorSetUp.tsx'), 'OperatorSetUp');

/** Shows a page to admins, and shows everyone else which admin to ask. The server refuses them anyway. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { user, users } = useTeam();
  return user.data.level === 'admin' ? children : <Closed users={users} />;
}

function Closed({ users }: { users: ReturnType<typeof useTeam>['users'] }) {
  useTitle(t('Admins only'));
  return (
    <EmptyState
      icon={<IconLock size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>{t('Only admins can open this page.')}</h1>}
    >
      {t('Ask {admins}.', { admins: adminNames(users) })}
    </EmptyState>
  );
}

/** Shows a page to operators, the setup to operators without a second factor, and "not available" to everyone else. The server refuses them anyway. */
export function OperatorsOnly({ children }: { children: ReactNode }) {
  const { isOperator, isDemo } = useTeam();
  const { isOperatorToBe } = useSession();
  if (isOperator) return children;
  return isOperatorToBe && !isDemo ? (
    <Later>
      <OperatorSetUp />
    </Later>
  ) : (
    <NotAvailable />
  );
}

/** Shown for an unknown address or a missing record. */
export function NotAvailable() {
  const { paths } = useTeam();
  const { data: config } = useQuery(configQuery);
  useTitle(t('Not available'));
  return (
    <EmptyState
      icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>{t("You've reached a page that isn't available.")}</h1>}
      action={
        <div className={styles['actions']}>
          <Button component="a" href={config?.website ?? site.about}>
            {t('Visit our website')}
          </Button>
          <Button component={Link} to={paths.feed} variant="default">
            {t('Go to feedback')}
          </Button>
        </div>
      }
    >
      {t('It may have been moved or deleted, or the address has a mistake in it.')}
    </EmptyState>
  );
}
