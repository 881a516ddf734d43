import { IconTemplate } from '@tabler/icons-react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { t } from '../../../language.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useReplyDraft } from './reply-drafts.ts';

const SavedReplyItems = loadedLater(() => import('./SavedReplyItems.tsx'), 'SavedReplyItems');
const SavedRepliesDialog = loadedLater(() => import('./SavedRepliesDialog.tsx'), 'SavedRepliesDialog');

interface SavedRepliesProps {
  readonly item: Feedback;
  readonly onInserted: () => void;
}

/** The menu of texts that the team often sends. */
export function SavedReplies({ item, onInserted }: SavedRepliesProps) {
  const [isOpen, dialog] = useLayer('saved-replies');
  const { text } = useReplyDraft(item.id);
  const button = (
    <Button variant="subtle" leftSection={<IconTemplate size={16} aria-hidden />}>
      {t('Saved replies')}
    </Button>
  );
  return (
    <>
      <MenuButton button={button}>
        <SavedReplyItems item={item} onInserted={onInserted} onEdit={dialog.open} />
      </MenuButton>
      {isOpen && (
        <Later>
          <SavedRepliesDialog text={text} onClose={dialog.close} />
        </Later>
      )}
    </>
  );
}
