import { initials, type User } from '#contract/user.ts';
import { Avatar } from './mantine.ts';
import styles from './Portrait.module.css';

/** A person's picture, or the two letters of their name. The name always stands beside it. */
export const Portrait = ({ person: { data }, size }: { person: User; size: number }) => (
  <Avatar src={data.avatar ?? null} alt="" size={size} radius="xl" className={styles['portrait'] ?? ''} aria-hidden>
    {initials(data.displayName)}
  </Avatar>
);
