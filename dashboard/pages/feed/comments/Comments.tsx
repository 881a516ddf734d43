import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useId, useRef } from 'react';
import { is } from 'valibot';
import { writtenText } from '#contract/core/schema.ts';
import { commentsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useShortcuts } from '../../../frame/chrome/shortcuts.ts';
import { LoadMore } from '../../../frame/LoadMore.tsx';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { CommentItem } from './CommentItem.tsx';
import styles from './Comments.module.css';
import { addUnsent, setTyped, useTyped, useUnsent } from './drafts.ts';
import { MentionField } from './MentionField.tsx';
import { withIds } from './mentions.ts';
import { Unsent } from './Unsent.tsx';

interface CommentsProps {
  readonly feedbackId: string;
  readonly now: number;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** The team's comments on one piece of feedback: a field for a new one, then the list, newest first. */
export function Comments({ feedbackId, now, zone }: CommentsProps) {
  const heading = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const why = useReadOnly();
  const restore = useAction('comment', 'restore');
  const query = useInfiniteQuery(commentsQuery(useSource(), feedbackId));
  const unsent = useUnsent().filter((each) => each.feedbackId === feedbackId);
  const all = query.data?.pages.flatMap(({ comments }) => comments);
  const count = query.data?.pages[0]?.count;
  const isSlow = useDelayed(query.isPending);
  const composer = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLUListElement>(null);

  function offerUndo(commentId: string): void {
    title.current?.focus();
    toast(t('Comment deleted.'), { action: { label: t('Undo'), run: () => void undoDelete(commentId) } });
  }

  async function undoDelete(commentId: string): Promise<void> {
    if (!(await restore.run({ commentId }))) toast(t('We couldn’t restore the comment.'), { tone: 'failed' });
  }

  return (
    <section className={styles['comments']} aria-labelledby={heading} aria-busy={query.isPending || undefined}>
      <h3 id={heading} ref={title} tabIndex={-1}>
        {count ? t('Comments ({count})', { count }) : t('Comments')}
      </h3>
      {why === undefined ? <Composer key={feedbackId} feedbackId={feedbackId} field={composer} /> : <Notice tone="plain">{why}</Notice>}
      <ul ref={list} className={styles['list']} aria-label={t('Comments, newest first')}>
        {unsent.map((each) => (
          <Unsent key={each.key} comment={each} now={now} onChange={() => composer.current?.focus()} />
        ))}
        {all?.map((comment) => (
          <CommentItem key={comment.id} comment={comment} now={now} zone={zone} onDeleted={() => offerUndo(comment.id)} />
        ))}
      </ul>
      {all?.length === 0 && unsent.length === 0 && <p className={styles['quiet']}>{t('No comments yet.')}</p>}
      {query.isError && !all && (
        <p role="alert" className={styles['quiet']}>
          {t('We couldn’t load the comments.')}{' '}
          <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {query.isPending && isSlow && <p role="status">{t('Loading comments')}</p>}
      <LoadMore query={query} list={list} />
    </section>
  );
}

function Composer({ feedbackId, field }: { feedbackId: string; field: RefObject<HTMLTextAreaElement | null> }) {
  const { users } = useTeam();
  const typed = useTyped(feedbackId) ?? '';
  const text = withIds(typed, users).trim();
  useShortcuts((command) => {
    if (command.do !== 'comment') return false;
    field.current?.focus();
    return true;
  });

  function add(): void {
    if (!is(writtenText, text)) return;
    addUnsent({ feedbackId, text });
    setTyped(feedbackId, '');
    field.current?.focus();
  }

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <MentionField
        ref={field}
        label={t('Comment')}
        labelProps={{ className: 'visually-hidden' }}
        description={t('Only your team sees this. Type @ to mention a teammate.')}
        value={typed}
        onChange={(next) => setTyped(feedbackId, next)}
        onSubmit={add}
      />
      <Button type="submit" variant="default" disabled={!is(writtenText, text)}>
        {t('Add comment')}
      </Button>
    </form>
  );
}
