import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { TEST_MODE } from '#contract/billing/billing.ts';
import { invalidate } from '../../data/effects.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/hooks.ts';
import { Button } from '../../ui/theme/mantine.ts';
import { usePanel } from '../panel.ts';
import { adminNames, useTeam } from '../team.ts';
import { useIsBilled, useIsTestMode } from './plan.ts';
import styles from './SubscriptionBanner.module.css';
import { changesAt, type NoticeAct, noticeOf } from './subscription-notice.ts';

/** What has to be known of the subscription, above every page, with the one way on. The page of payments says it in its own words. */
export function SubscriptionBanner() {
  const { account, user, users, isDemo, isTeamless } = useTeam();
  const isBilled = useIsBilled();
  const isTestMode = useIsTestMode();
  const isPay = useRouterState({ select: ({ location }) => location.pathname === paths.pay });
  const now = useNow();
  const { subscription } = account.data;
  const isShown = isBilled && !isDemo && !isTeamless;
  useLookAgain(isShown ? changesAt(subscription) : undefined);
  const reader = { now, isAdmin: user.data.level === 'admin', admins: adminNames(users) };
  const notice = isShown && !isPay ? noticeOf(subscription, reader) : undefined;
  return (
    <section aria-label="Subscription" className={notice && styles['banner']} data-tone={notice?.tone} hidden={notice === undefined}>
      <p role="status">
        {notice?.heading && <strong>{notice.heading} </strong>}
        {notice?.text}
        {notice && isTestMode && ` ${TEST_MODE}`}
      </p>
      {notice?.act && <Way key={notice.act} act={notice.act} />}
    </section>
  );
}

const OPENER = 'open-plan';

/** The button that leads on. What can be done with one press is done here, and everything else is chosen in the plan's panel. */
function Way({ act }: { act: NoticeAct }) {
  const { open } = usePanel();
  const pay = useAction('account', 'changePayment');
  const keep = useAction('account', 'keepPlan');
  const { label, run } = {
    choose: { label: 'Choose a plan', run: () => open('plan', { opener: OPENER }) },
    resume: { label: 'Resume', run: () => open('plan', { opener: OPENER }) },
    keep: { label: 'Keep it', run: () => void keep.run({}) },
    'update-payment': {
      label: 'Update payment',
      run: () => void pay.run({}, ({ transactionId }) => location.assign(paths.payFor(transactionId))),
    },
  }[act];
  const failure = pay.failure ?? keep.failure;
  return (
    <>
      <Button id={OPENER} size="compact-sm" variant="default" loading={pay.isPending || keep.isPending} onClick={run}>
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
/** A browser's timers run no longer than some weeks, and a machine that slept is late. */
const LONGEST = 60 * MINUTE;

/** Reads the account anew when its subscription may mean something else, and each minute from then on until it does: the server's clock counts. */
function useLookAgain(at: number | undefined): void {
  const client = useQueryClient();
  const source = useSource();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn waits anew
  useEffect(() => {
    if (at === undefined) return undefined;
    const left = at - Date.now();
    const look = () => {
      if (Date.now() >= at) invalidate({ client, source }, ['account']);
      setTurn(turn + 1);
    };
    const timer = setTimeout(look, left > 0 ? Math.min(left, LONGEST) : MINUTE);
    return () => clearTimeout(timer);
  }, [at, turn]);
}
