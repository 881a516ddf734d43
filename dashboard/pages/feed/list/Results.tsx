import type { FeedList } from './useFeedList.ts';

/** Says what a filter left, for whoever does not see the list change. */
export function Results({ list: { status, rows, hasMore, isOld }, isNarrowed }: { list: FeedList; isNarrowed: boolean }) {
  const isThere = isNarrowed && !isOld && (status === 'populated' || status === 'empty');
  return (
    <p role="status" className="visually-hidden">
      {isThere ? `${rows.length}${hasMore ? ' or more' : ''} ${rows.length === 1 ? 'result' : 'results'}` : ''}
    </p>
  );
}
