import type { Feedback } from '#contract/feedback/feedback.ts';
import { filledReply, type SavedReply } from '#contract/saved-reply/saved-reply.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import { typeReply, useReplyDraft } from './reply-drafts.ts';
import { useSavedReplies } from './useSavedReplies.ts';

interface SavedReplyItemsProps {
  readonly item: Feedback;
  readonly onInserted: () => void;
  readonly onEdit: () => void;
}

/** The saved replies, each of which is added to the text with its names filled in. */
export function SavedReplyItems({ item: { id, data }, onInserted, onEdit }: SavedReplyItemsProps) {
  const team = useTeam();
  const { data: replies, isError } = useSavedReplies();
  const { text, status } = useReplyDraft(id);

  function insert({ data: reply }: SavedReply): void {
    const filled = filledReply(reply.text, { name: data.contact?.name, property: propertyName(team, data.projectId) });
    typeReply(id, text.trim() === '' ? filled : `${text.trimEnd()}\n\n${filled}`);
    // The menu takes the focus back to its button first.
    requestAnimationFrame(onInserted);
  }

  return (
    <>
      {replies === undefined && <Menu.Label>{isError ? t('We couldn’t load the saved replies.') : t('Loading…')}</Menu.Label>}
      {replies?.length === 0 && <Menu.Label>{t('No saved replies yet. Save texts you often send.')}</Menu.Label>}
      {replies?.map((reply) => (
        <Menu.Item key={reply.id} disabled={status === 'sending'} onClick={() => insert(reply)}>
          <span dir="auto">{reply.data.displayName}</span>
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={onEdit}>{t('Edit saved replies')}</Menu.Item>
    </>
  );
}
