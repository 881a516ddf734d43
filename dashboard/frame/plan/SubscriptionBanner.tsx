import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { TEST_MODE } from '#contract/billing/billing.ts';
import { invalidate } from '../../data/effects.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/hooks.ts';
import { Button } from '../../ui/theme/mantine.ts';
import { usePanel } from '../panel.ts';
import { adminNames, useTeam } from '../team.ts';
import { useIsBilled, useIsTestMode } from './plan.ts';
import styles from './SubscriptionBanner.module.css';
import { changesAt, type NoticeAct, noticeOf } from './subscription-notice.ts';

/** The subscription's notice above every page, with its action. The payment page has its own. */
export function SubscriptionBanner() {
  const { account, user, users, isDemo, isTeamless } = useTeam();
  const isBilled = useIsBilled();
  const isTestMode = useIsTestMode();
  const isPay = useRouterState({ select: ({ location }) => location.pathname === paths.pay });
  const now = useNow();
  const { subscription } = account.data;
  const isShown = isBilled && !isDemo && !isTeamless;
  useRefetchAt(isShown ? changesAt(subscription) : undefined);
  const reader = { now, isAdmin: user.data.level === 'admin', admins: adminNames(users) };
  const notice = isShown && !isPay ? noticeOf(subscription, reader) : undefined;
  return (
    <section aria-label={t('Subscription')} className={notice && styles['banner']} data-tone={notice?.tone} hidden={notice === undefined}>
      <p role="status">
        {notice?.heading && <strong>{notice.heading} </strong>}
        {notice?.text}
        {notice?.act === 'update-payment' && isTestMode && ` ${t(TEST_MODE)}`}
      </p>
      {notice?.act && <NoticeButton key={notice.act} act={notice.act} />}
    </section>
  );
}

const OPENER = 'open-plan';

/** The notice's button: acts directly where one press is enough, and opens the plan's panel otherwise. */
function NoticeButton({ act }: { act: NoticeAct }) {
  const { open } = usePanel();
  const pay = useAction('account', 'changePayment');
  const keep = useAction('account', 'keepPlan');
  const { label, run } = {
    choose: { label: t('Choose a plan'), run: () => open('plan', { opener: OPENER }) },
    resume: { label: t('Resume'), run: () => open('plan', { opener: OPENER }) },
    keep: { label: t('Keep it'), run: () => void keep.run({}) },
    'update-payment': {
      label: t('Update payment'),
      run: () => void pay.run({}, ({ transactionId }) => location.assign(paths.payFor(transactionId))),
    },
  }[act];
  const failure = pay.failure ?? keep.failure;
  return (
    <>
      <Button
        id={OPENER}
        size="compact-sm"
        variant="subtle"
        className={styles['act'] ?? ''}
        loading={pay.isPending || keep.isPending}
        onClick={run}
      >
        {label}
      </Button>
      {failure && (
        <p role="alert" className={styles['failure']}>
          {failure}
        </p>
      )}
    </>
  );
}

const MINUTE = 60_000;
/** The longest timer (ms): browsers limit timers to a few weeks, and one is late after the computer slept. */
const LONGEST = 60 * MINUTE;

/** Refetches the account at `at`, and then every minute until the subscription has changed, because the server's clock decides. */
function useRefetchAt(at: number | undefined): void {
  const client = useQueryClient();
  const source = useSource();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn starts the next timer
  useEffect(() => {
    if (at === undefined) return undefined;
    const delay = at - Date.now();
    const refetch = () => {
      if (Date.now() >= at) invalidate({ client, source }, ['account']);
      setTurn(turn + 1);
    };
    const timer = setTimeout(refetch, delay > 0 ? Math.min(delay, LONGEST) : MINUTE);
    return () => clearTimeout(timer);
  }, [at, turn]);
}
