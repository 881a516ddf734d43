import { type Comment, mayDeleteComment } from '#contract/comment/comment.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import styles from './CommentMenu.module.css';

interface CommentMenuProps {
  readonly comment: Comment;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** A comment's actions. Forbidden ones are shown disabled, with the reason. */
export function CommentMenu({ comment, onEdit, onDelete }: CommentMenuProps) {
  const { user } = useTeam();
  const isOwn = comment.data.createdBy === user.id;
  const mayDelete = mayDeleteComment({ userId: user.id, level: user.data.level }, comment);
  return (
    <>
      <Menu.Item disabled={!isOwn} onClick={onEdit}>
        {t('Edit')}
        {!isOwn && <span className={styles['why']}>{t('Only the author can edit this.')}</span>}
      </Menu.Item>
      <Menu.Item disabled={!mayDelete} onClick={onDelete}>
        {t('Delete')}
        {!mayDelete && <span className={styles['why']}>{t('Only the author and admins can delete this.')}</span>}
      </Menu.Item>
    </>
  );
}
