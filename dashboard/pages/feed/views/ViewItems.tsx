import { IconCheck, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayChangeView, type SavedView } from '#contract/saved-view/saved-view.ts';
import { useAction } from '../../../data/useAction.ts';
import { useWhyReadOnly } from '../../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { useSavedViews, viewAddress } from '../../../frame/views.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import type { FeedView } from './useFeedView.ts';
import styles from './ViewsMenu.module.css';

interface ViewItemsProps {
  readonly view: FeedView;
  /** Why nothing can be saved now. */
  readonly whyNotSave: string | undefined;
  readonly onSave: () => void;
  readonly onEdit: () => void;
}

/** Each view to open, to save what is shown, and what can be done with the view that is open. */
export function ViewItems({ view, whyNotSave, onSave, onEdit }: ViewItemsProps) {
  const views = useSavedViews();
  const { open } = view;
  return (
    <>
      {views.length === 0 && <Menu.Label>No views yet. A view is a named set of filters.</Menu.Label>}
      {views.map((each) => (
        <ViewItem key={each.id} view={each} isOpen={each.id === open?.id} />
      ))}
      <Menu.Divider />
      <ViewAction whyNot={whyNotSave} onClick={onSave}>
        Save as a view
      </ViewAction>
      {open && <OpenViewActions view={view} open={open} onEdit={onEdit} />}
    </>
  );
}

function ViewItem({ view, isOpen }: { view: SavedView; isOpen: boolean }) {
  const team = useTeam();
  const { displayName, isShared, createdBy } = view.data;
  const by = createdBy === team.user.id ? 'you' : personName(team, createdBy);
  return (
    <Menu.Item
      renderRoot={(props: object) => <Link {...props} {...viewAddress(view, team)} aria-current={isOpen ? 'page' : undefined} />}
      leftSection={isOpen ? <IconCheck size={16} aria-hidden /> : <span className={styles['unmarked']} />}
      rightSection={isShared && <IconUsers size={14} aria-hidden />}
      {...(isShared && { title: `Shared by ${by}` })}
    >
      {displayName}
      {isShared && <span className="visually-hidden">, shared by {by}</span>}
    </Menu.Item>
  );
}

function OpenViewActions({ view, open, onEdit }: { view: FeedView; open: SavedView; onEdit: () => void }) {
  const team = useTeam();
  const remove = useAction('savedView', 'delete', { allowNotFound: true });
  const restore = useAction('savedView', 'restore');
  const may = mayChangeView({ userId: team.user.id, level: team.user.data.level }, open);
  const notYours = may ? undefined : `only ${personName(team, open.data.createdBy)} and admins can change this view`;
  const whyNot = useWhyReadOnly() ?? notYours;

  async function takeBack(): Promise<void> {
    const isBack = await restore.run({ savedViewId: open.id });
    toast(isBack ? `${open.data.displayName} is back.` : `${open.data.displayName} couldn’t be restored.`, {
      tone: isBack ? 'done' : 'failed',
    });
  }

  async function deleteView(): Promise<void> {
    const isGone = await remove.run({ savedViewId: open.id }, () => view.setOpen(undefined));
    if (isGone) toast(`${open.data.displayName} was deleted.`, { action: { label: 'Undo', run: () => void takeBack() } });
    else toast('The view was not deleted.', { tone: 'failed', action: { label: 'Try again', run: () => void deleteView() } });
  }

  return (
    <>
      <Menu.Divider />
      <Menu.Label>{open.data.displayName}</Menu.Label>
      {view.isChanged && (
        <ViewAction whyNot={whyNot} onClick={view.update}>
          Update view
        </ViewAction>
      )}
      <ViewAction whyNot={whyNot} onClick={onEdit}>
        Rename or share
      </ViewAction>
      <ViewAction whyNot={whyNot} onClick={() => void deleteView()} isDanger>
        Delete view
      </ViewAction>
      {whyNot !== undefined && <Menu.Label>{`${whyNot.charAt(0).toUpperCase()}${whyNot.slice(1)}.`}</Menu.Label>}
    </>
  );
}

interface ViewActionProps {
  /** Why it cannot be done now. */
  readonly whyNot: string | undefined;
  readonly onClick: () => void;
  readonly isDanger?: boolean;
  readonly children: ReactNode;
}

/** Where it cannot be done it can have the focus, so that its reason is read. */
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
