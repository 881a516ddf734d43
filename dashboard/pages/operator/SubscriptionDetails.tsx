import { useState } from 'react';
import type { Account } from '#contract/account/account.ts';
import { useAction } from '../../data/useAction.ts';
import { useIsTestMode } from '../../frame/plan/plan.ts';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { t } from '../../language.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { exactly, localZone } from '../../ui/format/time.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import { useNow } from '../../ui/hooks.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import { Button, TextInput, useTimeout } from '../../ui/theme/mantine.ts';
import styles from './SubscriptionsPage.module.css';
import {
  endOfTrialDay,
  type ListedSubscription,
  planInWords,
  subscriptionStatusOf,
  trialDaysAt,
  whyNoBeta,
  whyNoTrial,
} from './subscriptions.ts';

interface SubscriptionDetailsProps {
  readonly listed: ListedSubscription;
  /** Called once the result of a sync should be there. */
  readonly onSynced: () => void;
}

/** An account's subscription, its ids at the provider, and the operator's actions. */
export function SubscriptionDetails({ listed: { account, customerId, subscriptionId, isDoubled }, onSynced }: SubscriptionDetailsProps) {
  const { subscription } = account.data;
  const { trialEndsAt, payment, endedAt } = subscription;
  const { label } = subscriptionStatusOf(subscription, useNow());
  const exactlyAt = (at: number | undefined): string | undefined => (at === undefined ? undefined : exactly(at));
  return (
    <div className={styles['details']}>
      <TestMode />
      {isDoubled && (
        <Notice tone="bad">{t('This account has more than one subscription and pays twice. End all but one with the provider.')}</Notice>
      )}
      <DescriptionList
        of={{
          [t('Plan')]: planInWords(subscription),
          [t('Status')]: label,
          [t('Trial ends')]: exactlyAt(trialEndsAt),
          [t('Next bill')]: exactlyAt(payment?.nextBilledAt),
          [t('Ends on')]: exactlyAt(payment?.cancelAt),
          [t('Works until')]: exactlyAt(payment?.graceEndsAt),
          [t('Ended')]: exactlyAt(endedAt),
        }}
      />
      <ul className={styles['ids']} aria-label={t('Ids')}>
        <Id of={t('account id')}>{account.id}</Id>
        {customerId !== undefined && <Id of={t('customer id')}>{customerId}</Id>}
        {subscriptionId !== undefined && <Id of={t('subscription id')}>{subscriptionId}</Id>}
      </ul>
      <SyncNow account={account} onSynced={onSynced} />
      <ExtendTrial account={account} />
      <GiveBeta account={account} />
    </div>
  );
}

const Id = ({ of, children }: { of: string; children: string }) => (
  <li>
    <span>
      {of}
      <code>{children}</code>
    </span>
    <CopyButton text={children} of={of} />
  </li>
);

/** A sync has been applied by then (ms). */
const SYNCED_AFTER = 5_000;

/** Fetches the subscription from the provider. */
function SyncNow({ account, onSynced }: { account: Account; onSynced: () => void }) {
  const sync = useAction('account', 'syncSubscription');
  const { start: startTimer } = useTimeout(onSynced, SYNCED_AFTER);

  function onStarted(): void {
    startTimer();
    toast(t('Syncing. The result appears in a few seconds.'));
  }

  return (
    <div className={styles['part']}>
      <Button variant="default" loading={sync.isPending} onClick={() => void sync.run({ accountId: account.id }, onStarted)}>
        {t('Sync now')}
      </Button>
      <Notice tone="bad">{sync.failure}</Notice>
    </div>
  );
}

/** Changes the end of the trial. */
function ExtendTrial({ account: { id, data } }: { account: Account }) {
  const [isAsking, asking] = useLayer('extend-trial');
  const extend = useAction('account', 'extendTrial');
  const zone = localZone();
  const isSandbox = useIsTestMode();
  const days = trialDaysAt(useNow(), data.subscription, { zone, isSandbox });
  const [chosen, setChosen] = useState(days.suggested);
  const endsAt = endOfTrialDay(chosen, days, zone);
  const why = whyNoTrial(data.subscription);
  const missing = endsAt === undefined ? t('Choose a day within a year.') : undefined;
  const lastDay = {
    fields: (
      <TextInput
        type="date"
        label={t('Last day')}
        description={
          isSandbox
            ? t('Everything works until the end of that day. This is a sandbox, so yesterday works too.')
            : t('Everything works until the end of that day.')
        }
        min={days.first}
        max={days.last}
        value={chosen}
        error={missing}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
    ),
    missing,
  };

  function onExtended(): void {
    asking.close();
    toast(t('The trial for {name} was extended.', { name: data.displayName }));
  }

  return (
    <div className={styles['part']}>
      <Button variant="default" disabled={why !== undefined} aria-describedby={why && 'why-no-trial'} onClick={asking.open}>
        {t('Extend trial')}
      </Button>
      {why && (
        <div id="why-no-trial">
          <Aside>{why}</Aside>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Extend the trial for {name}?', { name: data.displayName })}
        inputs={[lastDay]}
        action={{
          ...extend,
          label: t('Extend trial'),
          isHarmless: true,
          run: () => endsAt !== undefined && void extend.run({ accountId: id, endsAt }, onExtended),
        }}
      >
        {t('Nothing is charged until then, and everything works.')}
      </ConfirmDialog>
    </div>
  );
}

/** Gives an account the free Beta plan. */
function GiveBeta({ account: { id, data } }: { account: Account }) {
  const [isAsking, asking] = useLayer('give-beta');
  const give = useAction('account', 'giveBeta');
  const why = whyNoBeta(data.subscription);

  function onGiven(): void {
    asking.close();
    toast(t('{name} now has the Beta plan.', { name: data.displayName }));
  }

  return (
    <div className={styles['part']}>
      <Button variant="default" disabled={why !== undefined} aria-describedby={why && 'why-no-beta'} onClick={asking.open}>
        {t('Give Beta')}
      </Button>
      {why && (
        <div id="why-no-beta">
          <Aside>{why}</Aside>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Give {name} the Beta plan?', { name: data.displayName })}
        action={{ ...give, label: t('Give Beta'), run: () => void give.run({ accountId: id }, onGiven) }}
      >
        {t('Beta is free and never ends. {name} won’t be asked to pay.', { name: data.displayName })}
      </ConfirmDialog>
    </div>
  );
}
