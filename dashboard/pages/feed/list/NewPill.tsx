import { IconArrowUp } from '@tabler/icons-react';
import styles from './NewPill.module.css';
import type { Unseen } from './useUnseen.ts';

/** "3 new": shows them on demand, so that no row moves under the pointer. */
export function NewPill({ unseen: { count, isAtLeast, show } }: { unseen: Unseen }) {
  return (
    <div role="status" className={styles['place']}>
      {count > 0 && (
        <button type="button" className={styles['pill']} onClick={show}>
          <IconArrowUp size={16} aria-hidden />
          {count}
          {isAtLeast ? '+' : ''} new
          <span className="visually-hidden"> – show</span>
        </button>
      )}
    </div>
  );
}
