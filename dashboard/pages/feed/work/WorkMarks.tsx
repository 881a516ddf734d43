import { IconArrowBackUp, IconCircleCheck, IconCircleDashed, IconHourglass, IconMessage2, IconTag, IconUser } from '@tabler/icons-react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { translatable } from '#contract/language/translate.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { statusLabel } from '../labels.ts';
import { useTags } from './useTags.ts';
import styles from './WorkMarks.module.css';

const ICONS = { open: IconCircleDashed, waiting: IconHourglass, done: IconCircleCheck };

/** What happened last in the private conversation. */
const REPLY_MARKS = {
  asked: { Icon: IconMessage2, label: translatable('Wants an answer') },
  received: { Icon: IconMessage2, label: translatable('New message') },
  sent: { Icon: IconArrowBackUp, label: translatable('Replied') },
};

/** The state of the conversation, the status, assignee and tags in a row of the list. New items show no status. */
export function WorkMarks({ item: { data } }: { item: Feedback }) {
  const team = useTeam();
  const Icon = data.status === 'new' ? undefined : ICONS[data.status];
  const reply = data.reply && REPLY_MARKS[data.reply];
  return (
    <>
      {reply && (
        <span className={styles['mark']} data-reply={data.reply}>
          <reply.Icon size={14} aria-hidden />
          {t(reply.label)}
        </span>
      )}
      {Icon && (
        <span className={styles['mark']} data-status={data.status}>
          <Icon size={14} aria-hidden />
          {statusLabel(data.status)}
        </span>
      )}
      {data.assignee !== undefined && (
        <span className={styles['mark']}>
          <IconUser size={14} aria-hidden />
          <span className="visually-hidden">{t('Assigned to')} </span>
          {personName(team, data.assignee)}
        </span>
      )}
      {data.tags.length > 0 && <TagMarks ids={data.tags} />}
    </>
  );
}

const TagMarks = ({ ids }: { ids: readonly string[] }) =>
  useTags()
    .byIds(ids)
    .map((tag) => (
      <span key={tag.id} className={styles['mark']}>
        <IconTag size={14} aria-hidden />
        <span dir="auto">{tag.data.displayName}</span>
      </span>
    ));
