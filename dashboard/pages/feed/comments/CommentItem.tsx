import { IconDots } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { is } from 'valibot';
import type { Comment } from '#contract/comment/comment.ts';
import { writtenText } from '#contract/core/schema.ts';
import type { User } from '#contract/user/user.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { LEFT, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { ago, exactly } from '../../../ui/format/time.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { loadedLater } from '../../../ui/page/Later.tsx';
import { ActionIcon, Button } from '../../../ui/theme/mantine.ts';
import { UserAvatar } from '../../../ui/UserAvatar.tsx';
import styles from './Comments.module.css';
import { setTyped, useTyped } from './drafts.ts';
import { MentionField } from './MentionField.tsx';
import { partsOf, withIds, withNames } from './mentions.ts';

const CommentMenu = loadedLater(() => import('./CommentMenu.tsx'), 'CommentMenu');

interface CommentItemProps {
  readonly comment: Comment;
  readonly now: number;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
  readonly onDeleted: () => void;
}

/** One comment with its actions. A deleted comment disappears at once and returns if the request fails. */
export function CommentItem({ comment, now, zone, onDeleted }: CommentItemProps) {
  const { users } = useTeam();
  const [isEdited, setEdited] = useState(useTyped(comment.id) !== undefined);
  const [isGone, setGone] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  const isOff = useReadOnly() !== undefined;
  const remove = useAction('comment', 'delete', { allowNotFound: true });
  const { created, createdBy, edited, text } = comment.data;
  const author = users.find(({ id }) => id === createdBy);
  if (isGone) return null;

  async function deleteComment(): Promise<void> {
    setGone(true);
    onDeleted();
    if (!(await remove.run({ commentId: comment.id }))) setGone(false);
  }

  function finish(): void {
    setEdited(false);
    setTyped(comment.id, undefined);
    requestAnimationFrame(() => menu.current?.focus());
  }

  return (
    <Entry author={author} when={<When at={created} now={now} edited={edited} zone={zone} />}>
      {isEdited ? (
        <Edit comment={comment} onDone={finish} />
      ) : (
        <>
          <CommentText text={text} />
          {!isOff && (
            <Actions ref={menu} comment={comment} author={author} onEdit={() => setEdited(true)} onDelete={() => void deleteComment()} />
          )}
        </>
      )}
      <Notice tone="bad">{remove.failure && `${t('Not deleted.')} ${remove.failure}`}</Notice>
    </Entry>
  );
}

interface EntryProps {
  /** Undefined if the author has left the team. */
  readonly author: User | undefined;
  readonly when: ReactNode;
  readonly children: ReactNode;
}

/** A row of the list: author and time, with the text below. */
export const Entry = ({ author, when, children }: EntryProps) => (
  <li className={styles['entry']}>
    {author ? <UserAvatar person={author} size={28} /> : <span className={styles['nobody']} aria-hidden />}
    <div className={styles['said']}>
      <p className={styles['who']}>
        <strong>{author?.data.displayName ?? t(LEFT)}</strong> {when}
      </p>
      {children}
    </div>
  </li>
);

const When = ({ at, now, edited, zone }: { at: number; now: number; edited: number | undefined; zone: string | undefined }) => (
  <>
    <time dateTime={new Date(at).toISOString()} title={exactly(at, zone)}>
      {ago(at, now, zone)}
    </time>
    {edited !== undefined && <span title={exactly(edited, zone)}> · {t('edited')}</span>}
  </>
);

export function CommentText({ text }: { text: string }) {
  const { users } = useTeam();
  return (
    <p className={styles['text']} dir="auto">
      {partsOf(text, users).map(({ text: words, isMention }, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which is drawn as a whole
        isMention ? <strong key={place}>{words}</strong> : words,
      )}
    </p>
  );
}

interface ActionsProps extends ComponentProps<typeof CommentMenu> {
  readonly ref: React.Ref<HTMLButtonElement>;
  readonly author: User | undefined;
}

const Actions = ({ ref, author, ...menu }: ActionsProps) => (
  <MenuButton
    button={
      <ActionIcon
        ref={ref}
        variant="subtle"
        size="lg"
        className={styles['menu'] ?? ''}
        aria-label={t('Comment by {name}: actions', { name: author?.data.displayName ?? t('a former teammate') })}
      >
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    }
  >
    <CommentMenu {...menu} />
  </MenuButton>
);

/** Edits a comment in place. The typed text stays until it is saved or canceled, also while other feedback is open. */
function Edit({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const { users } = useTeam();
  const typed = useTyped(comment.id) ?? withNames(comment.data.text, users);
  const save = useAction('comment', 'save');
  const text = withIds(typed, users).trim();

  const submit = () => is(writtenText, text) && void save.run({ payload: { id: comment.id, data: { text } } }, onDone);

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionField
        label={t('Edit comment')}
        value={typed}
        readOnly={save.isPending}
        onChange={(next) => setTyped(comment.id, next)}
        onSubmit={submit}
        onCancel={onDone}
        autoFocus
      />
      <Notice tone="bad">{save.failure}</Notice>
      <div className={styles['buttons']}>
        <Button variant="subtle" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!is(writtenText, text)}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}
