import { useNavigate } from '@tanstack/react-router';
import { costInWords } from '#contract/billing.ts';
import { useAction } from '../../data/useAction.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { Card, DescriptionList, Page } from '../../ui/Page.tsx';
import { RenameForm } from '../../ui/RenameForm.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { day } from '../../ui/time.ts';
import styles from './AdministrationPage.module.css';

export const AdministrationPage = () => (
  <AdminsOnly>
    <Administration />
  </AdminsOnly>
);

/** The account's own page. */
function Administration() {
  const { account } = useTeam();
  const { created, subscription } = account.data;
  const { plan, paymentFrequency, phase, trialEndsAt } = subscription;
  return (
    <Page title="Administration">
      <div className={styles['cards']}>
        <Card title="Account">
          <Rename />
          <DescriptionList of={{ 'Account id': account.id, Since: day(created) }} />
        </Card>
        <Card title="Plan">
          <DescriptionList
            of={{
              Plan: plan ?? 'None',
              'Pay frequency': paymentFrequency,
              'Plan cost': plan && paymentFrequency && costInWords(plan, paymentFrequency),
              'Free trial': phase === 'trial' && trialEndsAt !== undefined ? `Until ${day(trialEndsAt)}` : undefined,
            }}
          />
        </Card>
        <DeleteAccount />
      </div>
    </Page>
  );
}

/** The company's name, as the team sees it. */
function Rename() {
  const { account } = useTeam();
  const { id, data } = account;
  const save = useAction('account', 'save');
  return (
    <RenameForm
      key={data.displayName}
      label="Company name"
      autoComplete="organization"
      name={data.displayName}
      action={save}
      onName={(displayName) => void save.run({ payload: { id, data: { displayName } } }, () => toast('The company name is saved.'))}
    />
  );
}

/** Deletes the account, after its name was typed. */
function DeleteAccount() {
  const navigate = useNavigate();
  const { account, properties, users, signOut } = useTeam();
  const [isAsking, asking] = useDisclosure();
  const remove = useAction('account', 'delete', { allowNotFound: true });
  const { displayName } = account.data;

  async function leave(): Promise<void> {
    await signOut().catch(() => undefined);
    await navigate({ to: paths.feed, replace: true });
  }

  return (
    <Card
      title="Delete account"
      tone="danger"
      lead="Everything is out of reach at once, and gone for good after seven days."
      action={
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          Delete account
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={`Delete ${displayName}?`}
        typed={displayName}
        verb="Delete account"
        action={remove}
        onConfirm={() => void remove.run({ accountId: account.id, displayName }, () => void leave())}
      >
        {counted(properties.length, 'property', 'properties')} with all feedback and {counted(users.length, 'user', 'users')} go. Forms
        close, and nobody of the team can sign in.
      </ConfirmDialog>
    </Card>
  );
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
