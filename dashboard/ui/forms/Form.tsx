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

/** A form with stacked fields. Browser validation is off; the page shows its own messages. */
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

/** A secondary sentence. */
export const Aside = ({ children }: { children: ReactNode }) => <p className={styles['hint']}>{children}</p>;

interface SubmitProps {
  /** Why the button is disabled; undefined while it is enabled. Omitted if it always is. */
  readonly missing?: string | undefined;
  readonly isPending: boolean;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
  /** A remedy, shown below the failure. */
  readonly wayOut?: ReactNode;
  readonly children: string;
}

/** A submit button. The failure or the missing input is shown below it, so that neither moves it. */
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
