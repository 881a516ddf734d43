import type { ReactNode } from 'react';
import { Notice } from '../ui/messages/Notice.tsx';
import styles from './EditArea.module.css';
import { useReadOnly } from './plan/read-only.ts';

interface EditAreaProps {
  /** The sentence stands beside it already. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** Fields and buttons that change something: switched off, with the sentence that says why, where the team's pages are read only. */
export function EditArea({ isQuiet = false, children }: EditAreaProps) {
  const why = useReadOnly();
  return (
    <>
      {!isQuiet && <Notice tone="plain">{why}</Notice>}
      <fieldset className={styles['area']} disabled={why !== undefined}>
        {children}
      </fieldset>
    </>
  );
}
