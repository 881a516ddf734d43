import { useState } from 'react';
import type { User } from '#contract/user.ts';
import { useSource } from '../../data/source.ts';
import { useTeamCache } from '../../data/useTeamCache.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { signOut } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button } from '../../ui/mantine.ts';
import { toast } from '../../ui/toast.ts';
import styles from './UserPanel.module.css';

interface RemoveUserProps {
  readonly person: User;
  readonly isOff: boolean;
  readonly onRemoved: () => void;
}

/** Takes a person out of the team, after a warning that names them. */
export function RemoveUser({ person: { id, data }, isOff, onRemoved }: RemoveUserProps) {
  const source = useSource();
  const { account, user } = useTeam();
  const { dropUser, refetchUsers } = useTeamCache(account.id);
  const [isAsking, setAsking] = useState(false);
  const work = useWork();
  const name = data.displayName;

  async function remove(): Promise<void> {
    if (!(await work.run(() => source.call('user', 'delete', { userId: id })))) return void refetchUsers();
    if (id === user.id) return signOut();
    setAsking(false);
    onRemoved();
    toast(`${name} is not in the team any more.`);
    dropUser(id);
  }

  return (
    <div className={styles['danger']}>
      <Button variant="default" c="var(--c-danger-text)" disabled={isOff} onClick={() => setAsking(true)}>
        {data.invited ? 'Withdraw invitation' : 'Remove user'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={data.invited ? `Withdraw the invitation of ${name}?` : `Remove ${name}?`}
        verb={data.invited ? 'Withdraw invitation' : 'Remove user'}
        work={work}
        onConfirm={() => void remove()}
      >
        {data.invited
          ? `The link that was mailed to ${data.emailAddress} stops working.`
          : `${name} (${data.emailAddress}) is signed out everywhere and can no longer sign in. What they wrote stays.`}
      </ConfirmDialog>
    </div>
  );
}
