import { useQuery } from '@tanstack/react-query';

import { NotFound } from '../../../data/errors.ts';
import { itemQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { propertyName, propertyZone, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Face } from '../../../ui/Face.tsx';
import { ratingWord } from '../../../ui/format/rating.ts';
import { ago } from '../../../ui/format/time.ts';
import { useNow } from '../../../ui/hooks.ts';
import { Comments } from './Comments.tsx';
import styles from './CommentsPanel.module.css';

/** The comments on one piece of feedback, in a panel that opens over any page. */
export function CommentsPanel({ feedbackId }: { feedbackId: string | undefined }) {
  const team = useTeam();
  const now = useNow();
  const { data: item, error } = useQuery({ ...itemQuery(useSource(), feedbackId ?? ''), enabled: feedbackId !== undefined });
  if (feedbackId === undefined || error instanceof NotFound) return <p>{t('This feedback isn’t available.')}</p>;
  return (
    <div className={styles['panel']}>
      {item && (
        <div className={styles['about']}>
          <Face rating={item.data.rating} />
          <div>
            <p className={styles['where']}>
              {t('{rating} visit', { rating: ratingWord(item.data.rating) })} · {propertyName(team, item.data.projectId)} ·{' '}
              {ago(item.data.created, now, propertyZone(team, item.data.projectId))}
            </p>
            <p className={styles['words']} dir="auto">
              {item.data.textFeedback ?? t('No comment')}
            </p>
          </div>
        </div>
      )}
      <Comments feedbackId={feedbackId} now={now} zone={item && propertyZone(team, item.data.projectId)} />
    </div>
  );
}
