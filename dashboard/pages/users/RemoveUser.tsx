import type { User } from '#contract/user.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { signOut } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { toast } from '../../ui/Toasts.tsx';
import styles from './UserPanel.module.css';

interface RemoveUserProps {
  readonly person: User;
  readonly isOff: boolean;
  readonly onRemoved: () => void;
}

/** Takes a person out of the team, after a warning that names them. */
export function RemoveUser({ person: { id, data }, isOff, onRemoved }: RemoveUserProps) {
  const { user } = useTeam();
  const [isAsking, asking] = useDisclosure();
  const remove = useAction('user', 'delete', { mayBeGone: true });
  const name = data.displayName;

  function removed(): void {
    if (id === user.id) return void signOut();
    asking.close();
    onRemoved();
    toast(`${name} is not in the team any more.`);
  }

  return (
    <div className={styles['danger']}>
      <Button variant="default" c="var(--c-danger-text)" disabled={isOff} onClick={asking.open}>
        {data.invited ? 'Withdraw invitation' : 'Remove user'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={data.invited ? `Withdraw the invitation of ${name}?` : `Remove ${name}?`}
        verb={data.invited ? 'Withdraw invitation' : 'Remove user'}
        action={remove}
        onConfirm={() => void remove.run({ userId: id }, removed)}
      >
        {data.invited
          ? `The link that was mailed to ${data.emailAddress} stops working.`
          : `${name} (${data.emailAddress}) is signed out everywhere and can no longer sign in. What they wrote stays.`}
      </ConfirmDialog>
    </div>
  );
}
