import { useState } from 'react';
import { useAction } from '../../../data/useAction.ts';
import { Button } from '../../../ui/mantine.ts';
import { Notice } from '../../../ui/Notice.tsx';
import type { ChangeSearch, FeedSearch } from '../search.ts';
import styles from './Suspected.module.css';
import type { FeedList } from './useFeedList.ts';

interface SuspectedProps {
  /** How many there are in this period. */
  readonly count: number;
  readonly search: FeedSearch;
  readonly change: ChangeSearch;
  readonly list: FeedList;
}

/** What is set aside: that it is there, and, above its own list, what can be done about it (docs/rules.md#suspected). */
export function Suspected({ count, search, change, list }: SuspectedProps) {
  if (search.kind === 'suspected') return <SetAside list={list} />;
  if (count === 0) return null;
  return (
    <Notice tone="plain">
      <div className={styles['notice']}>
        <span>
          {count === 1 ? 'One answer is' : `${count} answers are`} set aside: one network sent more than visitors do. They count nowhere.
        </span>
        <Button size="compact-sm" variant="default" onClick={() => change({ kind: 'suspected', rating: undefined, source: undefined })}>
          Look at them
        </Button>
      </div>
    </Notice>
  );
}

/** The most that one action changes. */
const MOST = 100;

function SetAside({ list: { rows, status, isOld } }: { list: FeedList }) {
  const { run, isPending, failure } = useAction('feedback', 'trust');
  const [counted, setCounted] = useState<readonly string[]>([]);
  const shown = isOld ? [] : rows.filter(({ data }) => data.suspected === true).slice(0, MOST);
  const count = (ids: readonly string[], counts: boolean) => run({ feedbackIds: [...ids], counts }, () => setCounted(counts ? ids : []));
  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      {counted.length > 0 && (
        <Notice tone="good">
          <div className={styles['notice']}>
            <span>{counted.length === 1 ? 'One answer counts' : `${counted.length} answers count`} now.</span>
            <Button size="compact-sm" variant="default" loading={isPending} onClick={() => void count(counted, false)}>
              Undo
            </Button>
          </div>
        </Notice>
      )}
      {status === 'populated' && (
        <Notice tone="plain">
          <div className={styles['notice']}>
            <span>
              These came from one network, more than visitors send. They are in no average and alert nobody. Was it a crowd of real
              visitors?
            </span>
            <Button
              size="compact-sm"
              variant="default"
              loading={isPending}
              disabled={shown.length === 0}
              onClick={() =>
                void count(
                  shown.map(({ id }) => id),
                  true,
                )
              }
            >
              {shown.length === 1 ? 'Count this one' : `Count these ${shown.length}`}
            </Button>
          </div>
        </Notice>
      )}
    </>
  );
}
