import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  readonly title: string;
  /** A line below the heading. */
  readonly lead?: ReactNode;
  /** Beside the heading. */
  readonly action?: ReactNode;
  readonly tone?: 'danger';
  readonly children?: ReactNode;
}

/** One matter of a page. */
export function Card({ title, lead, action, tone, children }: CardProps) {
  const heading = useId();
  return (
    <section className={styles['card']} aria-labelledby={heading} data-tone={tone}>
      <div className={styles['head']}>
        <div className={styles['name']}>
          <h2 id={heading}>{title}</h2>
          {lead && <p>{lead}</p>}
        </div>
        {action}
      </div>
      {children && <div className={styles['body']}>{children}</div>}
    </section>
  );
}
