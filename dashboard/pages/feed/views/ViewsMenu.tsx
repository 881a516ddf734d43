import { IconBookmark } from '@tabler/icons-react';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { MOST_OWN_VIEWS } from '#contract/saved-view/saved-view.ts';
import { useWhyReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { useSavedViews } from '../../../frame/views.ts';
import { t } from '../../../language.ts';
import type { PressButton } from '../../../ui/layers/OpenedBy.tsx';
import { Opening } from '../../../ui/layers/Opening.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { loadedLater } from '../../../ui/page/Later.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import type { FeedView } from './useFeedView.ts';
import styles from './ViewsMenu.module.css';

const ViewDialog = loadedLater(() => import('./ViewDialog.tsx'), 'ViewDialog');
const ViewItems = loadedLater(() => import('./ViewItems.tsx'), 'ViewItems');

interface ViewsMenuProps {
  readonly view: FeedView;
  readonly button?: ReactElement<PressButton>;
  /** Menu items above the views. */
  readonly children?: ReactNode;
}

const viewsButton = () => (
  <Button variant="subtle" px={10} className={styles['button'] ?? ''} title={t('Saved views')}>
    <IconBookmark size={18} aria-hidden />
    <span className={styles['label']}>{t.in('saved', 'Views')}</span>
  </Button>
);

/** The menu of saved views (docs/rules.md#saved-views). */
export function ViewsMenu({ view, button = viewsButton(), children }: ViewsMenuProps) {
  const team = useTeam();
  const views = useSavedViews();
  const [isSaving, saving] = useLayer('save-view');
  const [isEditing, editing] = useLayer('edit-view');
  const { open, shows, isNarrowed, setOpen } = view;
  const [saved, setSaved] = useState<string>();
  // Opening the view must wait until the dialog has left the browser history.
  useEffect(() => {
    if (isSaving || saved === undefined) return;
    setSaved(undefined);
    setOpen(saved);
  }, [isSaving, saved, setOpen]);
  const isFull = views.filter(({ data }) => data.createdBy === team.user.id).length >= MOST_OWN_VIEWS;
  const obstacle = !isNarrowed
    ? t('choose filters first')
    : isFull
      ? t('you have {count}, delete one first', { count: MOST_OWN_VIEWS })
      : undefined;
  const whyNot = useWhyReadOnly() ?? obstacle;
  return (
    <>
      <MenuButton className={styles['menu'] ?? ''} button={button}>
        {children}
        <ViewItems view={view} whyNotSave={whyNot} onSave={saving.open} onEdit={editing.open} />
      </MenuButton>
      <Opening isOpen={isSaving}>
        {(isNow) => <ViewDialog isOpen={isNow} onClose={saving.close} shows={shows} onSaved={({ id }) => setSaved(id)} />}
      </Opening>
      <Opening isOpen={isEditing}>{(isNow) => <ViewDialog isOpen={isNow} onClose={editing.close} view={open} />}</Opening>
    </>
  );
}
