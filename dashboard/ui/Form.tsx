import type { FormEvent, ReactNode } from 'react';
import styles from './Form.module.css';

interface FormProps {
  readonly label?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

/** Fields below one another. The page checks them itself, in its own words. */
export function Form({ label, onSubmit, children }: FormProps) {
  return (
    <form
      className={styles['form']}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
    >
      {children}
    </form>
  );
}

/** A sentence below a form's heading. */
export const Lead = ({ children }: { children: ReactNode }) => <p className={styles['lead']}>{children}</p>;
