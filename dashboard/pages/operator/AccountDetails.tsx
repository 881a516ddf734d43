import { useState } from 'react';
import { DELETED_FOR, type ListedAccount } from '#contract/account.ts';
import { costInWords } from '#contract/billing.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, TextInput, useDisclosure } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Facts } from '../../ui/Page.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { exactly } from '../../ui/time.ts';
import styles from './AccountDetails.module.css';

/** What is known of an account, and its end. */
export function AccountDetails({ listed, onDeleted }: { listed: ListedAccount; onDeleted: () => void }) {
  const { account, users, properties, deletedAt } = listed;
  const { displayName, created, subscription } = account.data;
  const { plan, paymentFrequency, status, phase, trialEndsAt } = subscription;
  return (
    <div className={styles['details']}>
      <Facts
        of={{
          Id: <code>{account.id}</code>,
          Created: exactly(created),
          Plan: plan && paymentFrequency ? `${plan}, ${costInWords(plan, paymentFrequency)}` : (plan ?? 'None'),
          Status: `${status.replace('_', ' ')} (${phase})`,
          'Trial ends': trialEndsAt === undefined ? undefined : exactly(trialEndsAt),
          Users: users,
          Properties: properties,
          Deleted: deletedAt === undefined ? undefined : exactly(deletedAt),
        }}
      />
      {deletedAt === undefined ? (
        <MasterDelete id={account.id} name={displayName} onDeleted={onDeleted} />
      ) : (
        <Notice tone="plain">Out of reach, and gone for good on {exactly(deletedAt + DELETED_FOR)}.</Notice>
      )}
    </div>
  );
}

function MasterDelete({ id, name, onDeleted }: { id: string; name: string; onDeleted: () => void }) {
  const isOwn = useTeam().account.id === id;
  const [isAsking, asking] = useDisclosure();
  const [reason, setReason] = useState('');
  const remove = useAction('account', 'masterDelete', { mayBeGone: true });

  const submit = () =>
    remove.run({ accountId: id, reason: reason.trim() }, () => {
      asking.close();
      onDeleted();
      toast(`${name} is deleted.`);
    });

  return (
    <div className={styles['danger']}>
      {isOwn && <p>This is the account that you are signed in to.</p>}
      <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
        Delete account
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={`Delete ${name}?`}
        typed={id}
        verb="Delete account"
        action={remove}
        isBlocked={reason.trim() === ''}
        onConfirm={() => void submit()}
      >
        <p>Its team is signed out and its forms close at once. After seven days nothing of it is left.</p>
        <TextInput
          label="Reason"
          description="Goes into the audit log"
          maxLength={500}
          mt={12}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ConfirmDialog>
    </div>
  );
}
