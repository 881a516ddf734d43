import { IconReceiptOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTeam } from '../../frame/team.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTitle } from '../../ui/hooks.ts';
import { Button } from '../../ui/mantine.ts';

/** Where a payment is made. Nobody takes one here: it says so, whatever the subscription says. */
export function PayPage() {
  const { paths } = useTeam();
  useTitle('Payment');
  return (
    <EmptyState
      icon={<IconReceiptOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>Nothing is to be paid.</h1>}
      action={
        <Button component={Link} to={paths.feed}>
          Go to feedback
        </Button>
      }
    />
  );
}
