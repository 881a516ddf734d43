import { IconCheck, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayChangeView, type SavedView } from '#contract/saved-view/saved-view.ts';
import { useAction } from '../../../data/useAction.ts';
import { useWhyReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { useSavedViews, viewAddress } from '../../../frame/views.ts';
import { t } from '../../../language.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import type { FeedView } from './useFeedView.ts';
import styles from './ViewsMenu.module.css';

interface ViewItemsProps {
  readonly view: FeedView;
  /** The reason that saving is off. */
  readonly whyNotSave: string | undefined;
  readonly onSave: () => void;
  readonly onEdit: () => void;
}

/** The menu: the saved views, Save as a view, and the actions on the open view. */
export function ViewItems({ view, whyNotSave, onSave, onEdit }: ViewItemsProps) {
  const views = useSavedViews();
  const { open } = view;
  return (
    <>
      {views.length === 0 && <Menu.Label>{t('No views yet. Save filters you use often.')}</Menu.Label>}
      {views.map((each) => (
        <ViewItem key={each.id} view={each} isOpen={each.id === open?.id} />
      ))}
      <Menu.Divider />
      <ViewAction whyNot={whyNotSave} onClick={onSave}>
        {t('Save as a view')}
      </ViewAction>
      {open && <OpenViewActions view={view} open={open} onEdit={onEdit} />}
    </>
  );
}

function ViewItem({ view, isOpen }: { view: SavedView; isOpen: boolean }) {
  const team = useTeam();
  const { displayName, isShared, createdBy } = view.data;
  const isMine = createdBy === team.user.id;
  const by = { name: personName(team, createdBy) };
  return (
    <Menu.Item
      renderRoot={(props: object) => <Link {...props} {...viewAddress(view, team)} aria-current={isOpen ? 'page' : undefined} />}
      leftSection={isOpen ? <IconCheck size={16} aria-hidden /> : <span className={styles['unmarked']} />}
      rightSection={isShared && <IconUsers size={14} aria-hidden />}
      {...(isShared && { title: isMine ? t('Shared by you') : t('Shared by {name}', by) })}
    >
      {displayName}
      {isShared && <span className="visually-hidden">, {isMine ? t('shared by you') : t('shared by {name}', by)}</span>}
    </Menu.Item>
  );
}

function OpenViewActions({ view, open, onEdit }: { view: FeedView; open: SavedView; onEdit: () => void }) {
  const team = useTeam();
  const remove = useAction('savedView', 'delete', { allowNotFound: true });
  const restore = useAction('savedView', 'restore');
  const may = mayChangeView({ userId: team.user.id, level: team.user.data.level }, open);
  const notYours = may ? undefined : t('only {name} and admins can change this view', { name: personName(team, open.data.createdBy) });
  const whyNot = useWhyReadOnly() ?? notYours;
  const name = { name: open.data.displayName };

  async function undoDelete(): Promise<void> {
    const isRestored = await restore.run({ savedViewId: open.id });
    toast(isRestored ? t('{name} was restored.', name) : t('{name} couldn’t be restored.', name), {
      tone: isRestored ? 'done' : 'failed',
    });
  }

  async function deleteView(): Promise<void> {
    const isDeleted = await remove.run({ savedViewId: open.id }, () => view.setOpen(undefined));
    if (isDeleted) toast(t('{name} was deleted.', name), { action: { label: t('Undo'), run: () => void undoDelete() } });
    else toast(t('We couldn’t delete the view.'), { tone: 'failed', action: { label: t('Try again'), run: () => void deleteView() } });
  }

  return (
    <>
      <Menu.Divider />
      <Menu.Label>{open.data.displayName}</Menu.Label>
      {view.isChanged && (
        <ViewAction whyNot={whyNot} onClick={view.update}>
          {t('Update view')}
        </ViewAction>
      )}
      <ViewAction whyNot={whyNot} onClick={onEdit}>
        {t('Rename or share')}
      </ViewAction>
      <ViewAction whyNot={whyNot} onClick={() => void deleteView()} isDanger>
        {t('Delete view')}
      </ViewAction>
      {whyNot !== undefined && <Menu.Label>{`${whyNot.charAt(0).toUpperCase()}${whyNot.slice(1)}.`}</Menu.Label>}
    </>
  );
}

interface ViewActionProps {
  /** The reason that the action is off. */
  readonly whyNot: string | undefined;
  readonly onClick: () => void;
  readonly isDanger?: boolean;
  readonly children: ReactNode;
}

/** An entry that is off can still have the focus, so that screen readers read the reason. */
const ViewAction = ({ whyNot, onClick, isDanger = false, children }: ViewActionProps) =>
  whyNot === undefined ? (
    <Menu.Item {...(isDanger && { c: 'var(--c-danger-text)' })} onClick={onClick}>
      {children}
    </Menu.Item>
  ) : (
    <Menu.Item aria-disabled="true" closeMenuOnClick={false} title={whyNot} className={styles['off'] ?? ''}>
      {children}
      <span className="visually-hidden"> ({whyNot})</span>
    </Menu.Item>
  );
