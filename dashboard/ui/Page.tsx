import type { ReactNode } from 'react';
import styles from './Page.module.css';
import { useTitle } from './useTitle.ts';

interface PageProps {
  readonly title: string;
  /** A line below the heading. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the frame: its heading, which takes the focus on arrival, what can be done with it, and the rest. */
export function Page({ title, lead, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <div className={styles['name']}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
