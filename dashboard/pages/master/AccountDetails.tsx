import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DELETED_FOR, type ListedAccount } from '#contract/account.ts';
import { costInWords } from '#contract/billing.ts';
import { topicKey } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Button, TextInput } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { exactly } from '../../ui/time.ts';
import { toast } from '../../ui/toast.ts';
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
  const source = useSource();
  const client = useQueryClient();
  const isOwn = useTeam().account.id === id;
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const work = useWork();

  async function remove(): Promise<void> {
    const call = () => source.call('account', 'masterDelete', { accountId: id, reason: reason.trim() });
    if (!(await work.run(call))) return;
    setAsking(false);
    onDeleted();
    toast(`${name} is deleted.`);
    await client.invalidateQueries({ queryKey: topicKey(source, 'operator') });
  }

  return (
    <div className={styles['danger']}>
      {isOwn && <p>This is the account that you are signed in to.</p>}
      <Button variant="default" c="var(--c-danger-text)" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        typed={id}
        verb="Delete account"
        work={work}
        isBlocked={reason.trim() === ''}
        onConfirm={() => void remove()}
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
