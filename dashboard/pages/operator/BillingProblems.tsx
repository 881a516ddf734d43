import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingProblem } from '#contract/billing/subscription.ts';
import { translatable } from '#contract/language/translate.ts';
import { messageOf } from '../../data/errors.ts';
import { billingProblemsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { exactly, moment } from '../../ui/format/time.ts';
import { NotLoaded } from '../../ui/messages/EmptyState.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './SubscriptionsPage.module.css';

/** The payment provider's events that couldn't be processed, and the state of the sync. */
export function BillingProblems() {
  const { data, error, refetch } = useQuery(billingProblemsQuery(useSource()));
  if (!data)
    return (
      error && (
        <NotLoaded title={t('We couldn’t load the payment provider’s events.')} onRetry={refetch}>
          {messageOf(error)}
        </NotLoaded>
      )
    );
  const { problems, readAt, failure } = data;
  return (
    <Card title={t('From the payment provider')} lead={leadOf(readAt)}>
      <Notice tone="bad">{failure && t('The last sync failed: {failure}', { failure })}</Notice>
      {problems.length > 0 && (
        <ul className={styles['problems']} aria-label={t('Unprocessed events')}>
          {problems.map((problem) => (
            <li key={problem.eventId}>
              <ProblemRow problem={problem} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const leadOf = (readAt: number | undefined): string =>
  readAt === undefined ? t('Its events haven’t been read yet.') : t('Its events were last read on {moment}.', { moment: exactly(readAt) });

type ProblemOutcome = BillingProblem['outcome'];

const TONES: Readonly<Record<ProblemOutcome, string>> = { unmatched: 'warn', failed: 'bad', noted: 'accent' };
const OUTCOMES = translatable({
  unmatched: { label: 'No matching account', verb: 'Apply again' },
  failed: { label: 'Failed', verb: 'Apply again' },
  noted: { label: 'Notice', verb: 'Dismiss' },
} satisfies Record<ProblemOutcome, object>);

function ProblemRow({ problem: { eventId, type, at, outcome, why, accountId } }: { problem: BillingProblem }) {
  const replay = useAction('account', 'replayBillingEvent');
  const [isUnsettled, setUnsettled] = useState(false);
  const { label, verb } = OUTCOMES[outcome];

  function onReplayed({ isSettled }: { readonly isSettled: boolean }): void {
    setUnsettled(!isSettled);
    if (isSettled) toast(outcome === 'noted' ? t('Dismissed.') : t('Applied.'));
  }

  return (
    <article className={styles['problem']} aria-label={`${type}, ${moment(at)}`}>
      <p className={styles['problemHead']}>
        <span className={rowStyles['badge']} data-tone={TONES[outcome]}>
          {t(label)}
        </span>
        <strong>{type}</strong>
        <time dateTime={new Date(at).toISOString()} title={exactly(at)}>
          {moment(at)}
        </time>
      </p>
      <p>{why}</p>
      <p className={rowStyles['quiet']}>
        <code>{eventId}</code>
        {accountId !== undefined && (
          <>
            {' '}
            <code>{accountId}</code>
          </>
        )}
      </p>
      <div>
        <Button variant="default" size="compact-sm" loading={replay.isPending} onClick={() => void replay.run({ eventId }, onReplayed)}>
          {t(verb)}
        </Button>
      </div>
      <Notice tone="bad">{replay.failure ?? (isUnsettled && !replay.isPending && t('It still couldn’t be applied.'))}</Notice>
    </article>
  );
}
