import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';

/** A part of the detail: names on the left, values on the right. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}
