import { IconArrowUp } from '@tabler/icons-react';
import { periodLabel } from '../../../frame/numbers/period.ts';
import { t } from '../../../language.ts';
import { clock } from '../../../ui/format/time.ts';
import { SpokenLabel } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useBulk, useFeedContent, useFilters } from '../contexts.ts';
import { StepsLeftButton } from '../first/StepsLeft.tsx';
import styles from './ListHead.module.css';
import { resultsOf, totalInWords } from './total.ts';
import type { FeedList } from './useFeedList.ts';
import type { Unseen } from './useUnseen.ts';

interface ListHeadProps {
  /** Loading takes long enough to show a message. */
  readonly isLoading: boolean;
  readonly onShow: () => void;
}

/** The line above the rows, always of the same height: the number of results, what is new, and what couldn't be loaded. */
export function ListHead({ isLoading, onShow }: ListHeadProps) {
  const { list, unseen, total } = useFeedContent();
  const { isOn } = useBulk();
  const { scope } = useFilters();
  const problem = list.failed || unseen.failed ? problemOf(list) : undefined;
  return (
    <div
      className={styles['head']}
      data-tone={problem === undefined ? undefined : 'warn'}
      data-loading={isLoading || undefined}
      // While rows are selected, this line scrolls away and the bulk actions stay in view.
      data-scrolls={isOn || undefined}
    >
      <p role="status">{problem ?? (list.isOld ? t('Loading…') : `${resultsOf(list, total, unseen)} · ${periodLabel(list.period)}`)}</p>
      {problem !== undefined && (
        <Button size="compact-sm" variant="default" onClick={list.failed ? list.retry : unseen.retry}>
          {t('Try again')}
        </Button>
      )}
      {problem === undefined && scope.of === 'account' && <StepsLeftButton />}
      <NewPill unseen={unseen} onShow={onShow} />
    </div>
  );
}

/** "3 new": shows new rows on demand, so that no row moves under the pointer. */
function NewPill({ unseen: { count, isAtLeast }, onShow }: { unseen: Unseen; onShow: () => void }) {
  return (
    <div role="status">
      {count > 0 && (
        <button type="button" className={styles['pill']} onClick={onShow}>
          <IconArrowUp size={16} aria-hidden />
          <SpokenLabel text={t('{count} new<spoken> – show</spoken>', { count: totalInWords({ count, isAtLeast }) })} />
        </button>
      )}
    </div>
  );
}

/** Returns the message for a failed request, stating what the rows show in its place. */
function problemOf({ isOld, period, periodOfRows, updatedAt }: FeedList): string {
  const [requested, shown] = [periodLabel(period), periodOfRows && periodLabel(periodOfRows)];
  if (isOld && shown !== undefined && requested !== shown)
    return t('We couldn’t load “{requested}”. Still showing “{shown}”.', { requested, shown });
  if (isOld && shown !== undefined) return t('Couldn’t refresh. Showing the previous results.');
  const message = t('We couldn’t load feedback.');
  return updatedAt > 0 ? `${message} ${t('Last updated {time}', { time: clock(updatedAt) })}` : message;
}
