import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ExportedFile } from '#contract/export/export.ts';
import { useAction } from '../../data/useAction.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { ExportFiles } from '../../frame/exports/ExportFiles.tsx';
import { useExports } from '../../frame/exports/useExports.ts';
import { usePanel } from '../../frame/panel.ts';
import { planFacts, useIsBilled } from '../../frame/plan/plan.ts';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { day, localZone } from '../../ui/format/time.ts';
import { RenameForm } from '../../ui/forms/RenameForm.tsx';
import { useTypedName } from '../../ui/forms/useTypedName.tsx';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card, DescriptionList, Page } from '../../ui/page/Page.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './AdministrationPage.module.css';
import { sizeFacts } from './size-facts.ts';
import { VisitorRequests } from './VisitorRequests.tsx';

export const AdministrationPage = () => (
  <AdminsOnly>
    <Administration />
  </AdminsOnly>
);

/** The account's settings, plan, visitor requests, export and deletion. */
function Administration() {
  const team = useTeam();
  const { account } = team;
  const isBilled = useIsBilled();
  const archive = useAction('export', 'archive');
  const exportAll = () => void archive.run({ accountId: account.id, zone: localZone() });
  return (
    <Page title={t('Administration')}>
      <div className={styles['cards']}>
        <Card title={t('Account')}>
          <Rename />
          <DescriptionList of={{ [t('Account id')]: account.id, [t('Since')]: day(account.data.created), ...sizeFacts(team) }} />
        </Card>
        {isBilled && <CurrentPlan />}
        <Card
          title={t('Brand')}
          lead={t('Your logo and color on forms, kiosks, posters and emails to visitors.')}
          action={
            <Button variant="default" component={Link} to={team.paths.brand}>
              {t('Open brand')}
            </Button>
          }
        />
        <Card
          title={t('Sent messages')}
          lead={t('Every email to your team: when it was sent, each attempt, and the mail server’s response.')}
          action={
            <Button variant="default" component={Link} to={team.paths.deliveries}>
              {t('Open sent messages')}
            </Button>
          }
        />
        <Card
          title={t('Webhooks')}
          lead={t('Notify your own apps, Slack or Teams as feedback comes in.')}
          action={
            <Button variant="default" component={Link} to={team.paths.webhooks}>
              {t('Open webhooks')}
            </Button>
          }
        />
        <Card
          title={t('Topics')}
          lead={t('Choose what the overview counts in visitors’ words: staff, waiting time, cleanliness and more.')}
          action={
            <Button variant="default" component={Link} to={team.paths.topics}>
              {t('Open topics')}
            </Button>
          }
        />
        <Card
          title={t('API keys')}
          lead={t('Let your own programs read feedback, ask customers or start exports.')}
          action={
            <Button variant="default" component={Link} to={team.paths.apiKeys}>
              {t('Open API keys')}
            </Button>
          }
        />
        <VisitorRequests />
        <ExportCard action={archive} onExport={exportAll} />
        <DeleteAccount onExport={exportAll} />
      </div>
    </Page>
  );
}

/** The current plan, with a button that opens plan and payments. */
function CurrentPlan() {
  const { account } = useTeam();
  const { open } = usePanel();
  return (
    <Card
      title={t('Plan')}
      action={
        <Button id="manage-plan" variant="default" onClick={() => open('plan', { opener: 'manage-plan' })}>
          {t('Plan and payments')}
        </Button>
      }
    >
      <TestMode />
      <DescriptionList of={planFacts(account)} />
    </Card>
  );
}

/** Changes the company name that the team sees. */
function Rename() {
  const { account } = useTeam();
  const { id, data } = account;
  const save = useAction('account', 'save');
  return (
    <RenameForm
      label={t('Company name')}
      autoComplete="organization"
      name={data.displayName}
      action={save}
      onName={(displayName) => void save.run({ payload: { id, data: { displayName } } }, () => toast(t('Company name saved.')))}
    />
  );
}

/** Exports the account's data as one file, and shows the progress. */
function ExportCard({ action, onExport }: { action: { isPending: boolean; failure: string | undefined }; onExport: () => void }) {
  const exports = useExports({ isOn: true, onComplete: notifyReady });
  return (
    <Card
      title={t('Export everything')}
      lead={t('One ZIP with all your data: people, properties, forms, feedback with contacts, comments, and the event history.')}
      action={
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={action.isPending} onClick={onExport}>
          {t('Export everything')}
        </Button>
      }
    >
      {(action.failure !== undefined || exports.isError || exports.files.length > 0) && (
        <>
          <Notice tone="bad">{action.failure}</Notice>
          <ExportFiles exports={exports} />
        </>
      )}
    </Card>
  );
}

const notifyReady = ({ data: { name } }: ExportedFile): void => toast(t('{name} is ready.', { name }));

/** Deletes the account after its name is typed. */
function DeleteAccount({ onExport }: { onExport: () => void }) {
  const { account, properties, users } = useTeam();
  const [isAsking, asking] = useLayer('delete-account');
  const remove = useAction('account', 'delete', { allowNotFound: true });
  const fresh = useFreshSignIn(remove, t('For your safety, enter your password to delete the account.'));
  const { displayName } = account.data;
  const typedName = useTypedName(displayName, isAsking);

  return (
    <Card
      title={t('Delete account')}
      tone="danger"
      lead={t('Your data is hidden right away and erased after seven days. Until then, an admin can restore it.')}
      action={
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          {t('Delete account')}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Delete {name}?', { name: displayName })}
        inputs={[typedName, fresh]}
        action={{
          ...fresh.action,
          label: t('Delete account'),
          run: () => void fresh.run(() => remove.run({ accountId: account.id, displayName })),
        }}
      >
        {t(
          'This deletes {properties} with all feedback and {users}. Forms close immediately. You can undo this for seven days: sign in and restore the account.',
          {
            properties: t.count(properties.length, '{count} property', '{count} properties'),
            users: t.count(users.length, '{count} user', '{count} users'),
          },
        )}{' '}
        <TextLink
          onClick={() => {
            asking.close();
            onExport();
          }}
        >
          {t('Export everything first')}
        </TextLink>
      </ConfirmDialog>
    </Card>
  );
}
