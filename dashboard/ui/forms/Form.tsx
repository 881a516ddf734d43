import { type FormEvent, type ReactNode, type Ref, useId } from 'react';
import { Failure } from '../messages/Notice.tsx';
import { Button } from '../theme/mantine.ts';
import styles from './Form.module.css';

interface FormLayoutProps {
  readonly ref?: Ref<HTMLFormElement>;
  readonly label?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

/** Fields below one another. The page checks them itself, with its own messages. */
export function Form({ ref, label, onSubmit, children }: FormLayoutProps) {
  return (
    <form
      ref={ref}
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

/** A quiet sentence beside what a form is about. */
export const Aside = ({ children }: { children: ReactNode }) => <p className={styles['hint']}>{children}</p>;

interface SubmitProps {
  /** Why the button is off; undefined when it is on. Left out where it always is. */
  readonly missing?: string | undefined;
  readonly isPending: boolean;
  /** Why the last try did not work. */
  readonly failure: string | undefined;
  /** What to do about it, below it. */
  readonly wayOut?: ReactNode;
  readonly children: string;
}

/** A form's button. Below it what went wrong, else what is still missing, so that neither moves it. */
export function Submit({ isPending, failure, wayOut, children, ...rest }: SubmitProps) {
  const { missing } = rest;
  const line = useId();
  return (
    <>
      <Button type="submit" fullWidth size="md" disabled={missing !== undefined} loading={isPending} aria-describedby={line}>
        {children}
      </Button>
      <Failure wayOut={wayOut}>{failure}</Failure>
      {'missing' in rest && failure === undefined && (
        <p id={line} className={styles['missing']}>
          {missing}
        </p>
      )}
    </>
  );
}
