import { IconMapPinOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { configQuery } from '../data/queries.ts';
import { useTitle } from '../ui/hooks.ts';
import { Button } from '../ui/mantine.ts';
import { State } from '../ui/State.tsx';
import { useTeam } from './data.tsx';
import styles from './NotAvailable.module.css';

/** Every address that is nothing, and records that are not there (any more). */
export function NotAvailable() {
  const { paths } = useTeam();
  const { data: config } = useQuery(configQuery);
  useTitle('Not available');
  return (
    <State
      icon={<IconMapPinOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>You've reached a page that isn't available.</h1>}
      action={
        <div className={styles['ways']}>
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
    </State>
  );
}
