import type { Level } from '#contract/user.ts';
import styles from './Rows.module.css';

export const LEVEL_LABELS: Readonly<Record<Level, string>> = { admin: 'Admin', user: 'User' };

/** What somebody may do, in a row of a list. */
export const LevelBadge = ({ level, className = '' }: { level: Level; className?: string | undefined }) => (
  <span className={`${styles['badge']} ${className}`} data-tone={level === 'admin' ? 'accent' : undefined}>
    {LEVEL_LABELS[level]}
  </span>
);
