import { useQuery } from '@tanstack/react-query';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { inboxQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';

/** The layer of the dialog. */
export const MARK_ALL_READ = 'mark-all-read';

/** Marks everything as read for the current user. Asks for confirmation, because there is no undo. */
export function MarkAllReadDialog() {
  const { account } = useTeam();
  const unread = useQuery(inboxQuery(useSource(), account.id)).data?.unread ?? 0;
  const [isAsking, asking] = useLayer(MARK_ALL_READ);
  const mark = useAction('feedback', 'markAllRead');
  const effect =
    unread >= MOST_COUNTED
      ? t('More than a thousand items of feedback, across all properties and dates, will be marked as read for you.')
      : t.count(
          unread,
          'One item of feedback, across all properties and dates, will be marked as read for you.',
          '{count} items of feedback, across all properties and dates, will be marked as read for you.',
        );
  return (
    <ConfirmDialog
      isOpen={isAsking}
      onClose={asking.close}
      title={t('Mark all as read?')}
      action={{
        ...mark,
        label: t('Mark all as read'),
        isHarmless: true,
        run: () =>
          void mark.run({}, () => {
            asking.close();
            toast(t('All marked as read.'));
          }),
      }}
    >
      {effect} {t('Your teammates aren’t affected. This can’t be undone in one step, but you can mark single items as unread.')}
    </ConfirmDialog>
  );
}
