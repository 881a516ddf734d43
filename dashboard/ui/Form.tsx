import { type FormEvent, type ReactNode, useId } from 'react';
import styles from './Form.module.css';
import { Button } from './mantine.ts';
import { Notice } from './Notice.tsx';

interface FormLayoutProps {
  readonly label?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

/** Fields below one another. The page checks them itself, with its own messages. */
export function Form({ label, onSubmit, children }: FormLayoutProps) {
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

interface SubmitProps {
  /** Why the button is off; undefined when it is on. Left out where it always is. */
  readonly missing?: string | undefined;
  readonly isPending: boolean;
  /** Why the last try did not work. */
  readonly failure: string | undefined;
  readonly children: string;
}

/** A form's button, below what went wrong and above what is still missing. */
export function Submit({ isPending, failure, children, ...rest }: SubmitProps) {
  const { missing } = rest;
  const line = useId();
  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      <Button type="submit" fullWidth size="md" disabled={missing !== undefined} loading={isPending} aria-describedby={line}>
        {children}
      </Button>
      {'missing' in rest && (
        <p id={line} className={styles['missing']}>
          {missing}
        </p>
      )}
    </>
  );
}
