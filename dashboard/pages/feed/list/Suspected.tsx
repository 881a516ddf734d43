import { useRef, useState } from 'react';
import { useAction } from '../../../data/useAction.ts';
import type { Counts } from '../../../frame/numbers/useCounts.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useFeedContent, useFeedCounts, useFilters } from '../contexts.ts';
import type { FeedSearch } from '../search.ts';
import styles from './Suspected.module.css';

/** A notice about answers set aside as suspected; above their own list, the actions on them (docs/rules.md#suspected). */
export function Suspected() {
  const { search, change } = useFilters();
  const counts = useFeedCounts();
  const isShown = useFirstDecision(search, counts);
  if (search.kind === 'suspected') return <SetAside />;
  if (!isShown) return null;
  const count = counts.shown?.suspected ?? 0;
  return (
    <Notice tone="plain">
      <div className={styles['notice']}>
        <span>{describe(count)}</span>
        {count > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => change({ kind: 'suspected', rating: undefined, source: undefined })}>
            {t('Review them')}
          </Button>
        )}
      </div>
    </Notice>
  );
}

function describe(count: number): string {
  if (count === 0) return t('Nothing is set aside.');
  return t.count(
    count,
    'One answer is set aside: many from one network, or repeated taps on a kiosk. They aren’t counted.',
    '{count} answers are set aside: many from one network, or repeated taps on a kiosk. They aren’t counted.',
  );
}

/**
 * Returns whether to show the notice, decided by the first counts of each view. Later counts change only its number, so that
 * the rows below stay in place (docs/rules.md#rows-stay).
 */
function useFirstDecision({ range, property, rating, kind, source }: FeedSearch, { shown, isOld }: Counts): boolean {
  const view = [range, property, rating, kind, source].join();
  const first = useRef<{ readonly view: string; readonly isShown: boolean }>(undefined);
  if (shown && !isOld && first.current?.view !== view) first.current = { view, isShown: shown.suspected > 0 };
  return first.current?.isShown ?? false;
}

/** The most items that one request changes. */
const MOST = 100;

function SetAside() {
  const { rows, status, isOld } = useFeedContent().list;
  const { run, isPending, failure } = useAction('feedback', 'trust');
  const isOff = useReadOnly() !== undefined;
  const [counted, setCounted] = useState<readonly string[]>([]);
  const shown = isOld ? [] : rows.filter(({ data }) => data.suspected === true).slice(0, MOST);
  const setCounts = (ids: readonly string[], counts: boolean) =>
    run({ feedbackIds: [...ids], counts }, () => setCounted(counts ? ids : []));
  if (status !== 'populated' && counted.length === 0 && failure === undefined) return null;
  return (
    <Notice tone="plain">
      {shown.length > 0 || isOld ? (
        <div className={styles['notice']}>
          <span>
            {t(
              'Many came from one network, or were repeated taps on a kiosk. They aren’t counted and trigger no alerts. Were they real visitors?',
            )}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            loading={isPending}
            disabled={shown.length === 0 || isOff}
            onClick={() =>
              void setCounts(
                shown.map(({ id }) => id),
                true,
              )
            }
          >
            {t.count(shown.length, 'Count this one', 'Count these {count}')}
          </Button>
        </div>
      ) : (
        <p>{t('Nothing is set aside.')}</p>
      )}
      {/* Always rendered, so that the outcome moves neither the button nor the rows. */}
      <div className={`${styles['notice']} ${styles['outcome']}`} role="status" data-tone={failure === undefined ? undefined : 'bad'}>
        {failure === undefined && counted.length > 0 && (
          <>
            <span>{t.count(counted.length, 'One answer is now counted.', '{count} answers are now counted.')}</span>
            <Button size="compact-sm" variant="default" loading={isPending} onClick={() => void setCounts(counted, false)}>
              {t('Undo')}
            </Button>
          </>
        )}
        {failure}
      </div>
    </Notice>
  );
}
