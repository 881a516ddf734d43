import { useInfiniteQuery } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '#contract/webhook/webhook.ts';
import { webhookDeliveriesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { exactly, moment } from '../../ui/format/time.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button } from '../../ui/theme/mantine.ts';
import { attemptText, EVENT_LABELS, messageStateOf } from './labels.ts';
import { pollInterval } from './poll-interval.ts';
import styles from './Webhooks.module.css';

/** A webhook's messages with their attempts, and buttons to test and resend. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id, data } = webhook;
  const { isDemo } = useTeam();
  const query = useInfiniteQuery({
    ...webhookDeliveriesQuery(useSource(), id),
    refetchInterval: ({ state }) => pollInterval(webhook, state.data?.pages.flatMap((page) => page.deliveries) ?? [], Date.now()),
  });
  const test = useAction('webhook', 'test');
  const replay = useAction('webhook', 'replay');
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries);
  const obstacle = isDemo ? t('The demo sends nothing. These are samples.') : data.isOn ? undefined : t('Turn it on to send messages.');
  // The panel above shows that the account is read-only.
  const isReadOnly = useReadOnly() !== undefined;
  const why = isReadOnly ? undefined : obstacle;
  const isOff = isReadOnly || obstacle !== undefined;
  const resend = (which: { deliveryId: string } | { since: number }) =>
    void replay.run({ webhookId: id, ...which }, ({ count }) => toast(resentMessage(count)));
  return (
    <section className={styles['part']} aria-labelledby="webhook-log">
      <h3 id="webhook-log">{t('Last 30 days')}</h3>
      <div className={styles['buttons']} aria-describedby={why && 'webhook-why'}>
        <Button variant="default" disabled={isOff} loading={test.isPending} onClick={() => void test.run({ webhookId: id })}>
          {t('Send test')}
        </Button>
        {deliveries?.some(({ data: { status } }) => status === 'failed') && (
          <Button variant="default" disabled={isOff} loading={replay.isPending} onClick={() => resend({ since: 0 })}>
            {t('Resend all failed')}
          </Button>
        )}
      </div>
      {why && (
        <div id="webhook-why">
          <Aside>{why}</Aside>
        </div>
      )}
      <Notice tone="bad">{test.failure ?? replay.failure}</Notice>
      {query.isError && <LoadFailed onRetry={query.refetch}>{t('We couldn’t load the deliveries.')}</LoadFailed>}
      {deliveries?.length === 0 && <Aside>{t('Nothing yet. Send a test to see whether it arrives.')}</Aside>}
      {deliveries && deliveries.length > 0 && (
        <ul className={styles['log']} aria-label={t('Messages')}>
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <Delivery delivery={delivery} mayReplay={!isOff} onReplay={() => resend({ deliveryId: delivery.id })} />
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </section>
  );
}

const resentMessage = (count: number): string =>
  count === 0 ? t('There was nothing to resend.') : t.count(count, 'The message is being resent.', '{count} messages are being resent.');

interface DeliveryProps {
  readonly delivery: WebhookDelivery;
  readonly mayReplay: boolean;
  readonly onReplay: () => void;
}

/** One message, which expands to its attempts. */
function Delivery({ delivery, mayReplay, onReplay }: DeliveryProps) {
  const { id, data } = delivery;
  const { label, tone } = messageStateOf(delivery);
  return (
    <details>
      <summary>
        <span>
          {t(EVENT_LABELS[data.type])}
          <time className={styles['when']} dateTime={new Date(data.created).toISOString()} title={exactly(data.created)}>
            {moment(data.created)}
          </time>
        </span>
        <span className={rowStyles['badge']} data-tone={tone}>
          {label}
        </span>
      </summary>
      <div className={styles['tries']}>
        <span>
          {t('Id')} <code>{id}</code>
        </span>
        {data.attempts.length > 0 && (
          <ol aria-label={t('Attempts')}>
            {data.attempts.map((attempt) => (
              <li key={attempt.at}>
                {moment(attempt.at)}: {attemptText(attempt)}
              </li>
            ))}
          </ol>
        )}
        {data.next !== undefined && <span>{t('Next attempt: {time}.', { time: moment(data.next) })}</span>}
        {data.status !== 'waiting' && (
          <div className={styles['buttons']}>
            <Button size="compact-sm" variant="default" disabled={!mayReplay} onClick={onReplay}>
              {t('Send again')}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}
