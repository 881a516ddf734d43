import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { hostOfWebhook, MOST_WEBHOOKS, type Webhook } from '#contract/webhook/webhook.ts';
import { webhooksQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths as site } from '../../paths.ts';
import { AddButton } from '../../ui/AddButton.tsx';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { ColumnHeads } from '../../ui/page/Columns.tsx';
import { LoadingRow } from '../../ui/page/LoadingRow.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { EVENT_LABELS, stateOf } from './labels.ts';
import { NewWebhook } from './NewWebhook.tsx';
import { WebhookPanel } from './WebhookPanel.tsx';
import styles from './Webhooks.module.css';

export const WebhooksPage = () => (
  <AdminsOnly>
    <Webhooks />
  </AdminsOnly>
);

/** The list of webhooks. */
function Webhooks() {
  const { account } = useTeam();
  const { data: webhooks, isError, refetch } = useQuery(webhooksQuery(useSource(), account.id));
  const [isAdding, adding] = useLayer('add-webhook');
  const isFull = (webhooks?.length ?? 0) >= MOST_WEBHOOKS;
  const why = useReadOnly();
  return (
    <Page
      title={t('Webhooks')}
      lead={
        <>
          {t('Notify your own apps, Slack or Teams as feedback comes in.')} <Link to={site.guide('webhooks')}>{t('How it works')}</Link>
        </>
      }
      actions={
        <AddButton
          why={why}
          disabled={webhooks === undefined || isFull}
          {...(isFull && { 'aria-describedby': 'webhooks-full' })}
          onClick={adding.open}
        >
          {t('Add webhook')}
        </AddButton>
      }
    >
      {isFull && (
        <div id="webhooks-full">
          <Notice tone="plain">{t('You have {count} webhooks, the maximum. Delete one to add another.', { count: MOST_WEBHOOKS })}</Notice>
        </div>
      )}
      {isError && <LoadFailed onRetry={refetch}>{t('We couldn’t load the webhooks.')}</LoadFailed>}
      {(webhooks !== undefined || !isError) && (
        <div className={rowStyles['rows']} aria-busy={webhooks === undefined}>
          {webhooks === undefined ? <LoadingRow /> : webhooks.length > 0 ? <WebhookRows webhooks={webhooks} /> : <None />}
        </div>
      )}
      <SidePanel isOpen={isAdding} title={t('Add webhook')} onClose={adding.close}>
        <NewWebhook onDone={adding.close} />
      </SidePanel>
    </Page>
  );
}

const None = () => (
  <EmptyState icon={<IconWebhook size={32} stroke={1.5} aria-hidden />} title={t('No webhooks yet.')}>
    {t('Add the address of your own app, or of a Slack or Teams channel.')}
  </EmptyState>
);

const WebhookRows = ({ webhooks }: { webhooks: readonly Webhook[] }) => (
  <div className={styles['columns']}>
    <ColumnHeads titles={[t('Receiver'), t('Events to send'), t('State')]} />
    <ul aria-label={t('Webhooks')}>
      {webhooks.map((webhook) => (
        <li key={webhook.id}>
          <WebhookRow webhook={webhook} />
        </li>
      ))}
    </ul>
  </div>
);

/** One webhook. Its name opens its panel. */
function WebhookRow({ webhook }: { webhook: Webhook }) {
  const [isOpen, panel] = useLayer(`webhook ${webhook.id}`);
  const { url, description, events } = webhook.data;
  const { label, tone } = stateOf(webhook);
  const host = hostOfWebhook(url);
  return (
    <div className={rowStyles['row']}>
      <button type="button" className={rowStyles['open']} aria-haspopup="dialog" onClick={panel.open}>
        {description || host}
      </button>
      <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>{events.map((name) => t(EVENT_LABELS[name])).join(', ')}</span>
      <span className={`${rowStyles['badge']} ${rowStyles['beside']}`} data-tone={tone}>
        {label}
      </span>
      <SidePanel isOpen={isOpen} title={description || host} onClose={panel.close}>
        <WebhookPanel webhook={webhook} onDeleted={panel.close} />
      </SidePanel>
    </div>
  );
}
