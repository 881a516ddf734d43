import type { Feedback } from '#contract/feedback/feedback.ts';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import styles from './ReplyPlace.module.css';
import { forecast, usualText } from './reply-words.ts';

const PrivateReplies = loadedLater(() => import('./PrivateReplies.tsx'), 'PrivateReplies');

interface ReplyPlaceProps {
  readonly item: Feedback;
  readonly now: number;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** The private conversation with the visitor, which loads later in the space that it will probably take. */
export const ReplyPlace = ({ item, now, zone }: ReplyPlaceProps) => (
  <div className={styles['place']} data-expects={forecast(item.data)} data-reserved={usualText(item.data.contact?.phone)}>
    <Later>
      <PrivateReplies key={item.id} item={item} now={now} zone={zone} />
    </Later>
  </div>
);
