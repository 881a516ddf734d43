import type { ReactNode } from 'react';
import { Notice } from '../ui/messages/Notice.tsx';
import styles from './EditArea.module.css';
import { useReadOnly } from './plan/read-only.ts';

interface EditAreaProps {
  /** Hides the reason, because it's already shown nearby. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** Wraps fields and buttons that change data: disables them and shows reason while the team's pages are read-only. */
export function EditArea({ isQuiet = false, children }: EditAreaProps) {
  const reason = useReadOnly();
  return (
    <>
      {!isQuiet && <Notice tone="plain">{reason}</Notice>}
      <fieldset className={styles['area']} disabled={reason !== undefined}>
        {children}
      </fieldset>
    </>
  );
}
