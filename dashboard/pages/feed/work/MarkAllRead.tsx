import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { inboxQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

/** Marks everything as read for the current user. Asks for confirmation, because there is no undo. */
export function MarkAllRead() {
  const { account } = useTeam();
  const unread = useQuery(inboxQuery(useSource(), account.id)).data?.unread ?? 0;
  const isOff = useReadOnly() !== undefined;
  const [isAsking, asking] = useLayer('mark-all-read');
  // The button stays after the last item is read, so that the focus can return to it.
  const [isDone, setDone] = useState(false);
  const mark = useAction('feedback', 'markAllRead');
  const count = unread >= MOST_COUNTED ? 'More than a thousand items' : unread === 1 ? 'One item' : `${unread} items`;
  return (
    <>
      {(unread > 0 || isDone) && !isOff && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconChecks size={16} aria-hidden />}
          aria-haspopup="dialog"
          {...(unread > 0 ? { onClick: asking.open } : { 'aria-disabled': true })}
        >
          {unread > 0 ? 'Mark all as read' : 'All read'}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title="Mark all as read?"
        verb="Mark all as read"
        action={mark}
        isHarmless
        onConfirm={() =>
          void mark.run({}, () => {
            setDone(true);
            asking.close();
            toast('All marked as read.');
          })
        }
      >
        {count} of feedback, across all properties and dates, will be marked as read for you. Your teammates aren’t affected. This can’t be
        undone in one step, but you can mark single items as unread.
      </ConfirmDialog>
    </>
  );
}
