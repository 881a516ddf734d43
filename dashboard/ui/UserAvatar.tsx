import { initials } from '#contract/core/names.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Level, User } from '#contract/user/user.ts';
import { t } from '../language.ts';
import rows from './page/Rows.module.css';
import { Avatar } from './theme/mantine.ts';
import styles from './UserAvatar.module.css';

interface UserAvatarProps {
  readonly person: User;
  /** Pixels, whatever the size of text. */
  readonly size: number;
}

/** A person's picture or initials. Hidden from screen readers, because the name is always shown beside it. */
export const UserAvatar = ({ person: { data }, size }: UserAvatarProps) => (
  <Avatar
    src={data.avatar ?? null}
    alt=""
    radius="xl"
    className={styles['avatar'] ?? ''}
    // The kit would convert a number to the size of text.
    style={{ '--avatar-size': `${size}px` }}
    aria-hidden
  >
    {initials(data.displayName)}
  </Avatar>
);

export const LEVEL_LABELS = translatable({ admin: 'Admin', user: 'User' });

/** A person's level in a list row. */
export const LevelBadge = ({ level, className = '' }: { level: Level; className?: string | undefined }) => (
  <span className={`${rows['badge']} ${className}`} data-tone={level === 'admin' ? 'accent' : undefined}>
    {t(LEVEL_LABELS[level])}
  </span>
);
