import { type ReactNode, useEffect, useRef } from 'react';
import { useEarlyInput } from '../forms/early-input.ts';
import { useTitle } from '../hooks.ts';
import styles from './CenteredPage.module.css';
import { LanguageLinks } from './LanguageLinks.tsx';
import { Wordmark } from './Wordmark.tsx';

interface CenteredPageProps {
  /** Shown between the wordmark and the card. */
  readonly intro?: ReactNode;
  /** A link back, at the top of the card. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

/** A page outside the frame: one centered card, with links below it. */
export function CenteredPage({ intro, above, children, below }: CenteredPageProps) {
  return (
    <main ref={useEarlyInput()} className={styles['page']}>
      <div className={styles['mark']}>
        <Wordmark />
      </div>
      {intro}
      <div className={styles['card']}>
        {above && <div className={styles['above']}>{above}</div>}
        {children}
      </div>
      {below && (
        <div className={styles['below']}>
          {below}
          <LanguageLinks />
        </div>
      )}
    </main>
  );
}

interface FormResultProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The result of a form, shown in its place. */
export const FormResult = ({ title, children }: FormResultProps) => (
  <div className={styles['result']}>
    <ViewHeading>{title}</ViewHeading>
    <p>{children}</p>
  </div>
);

/** The heading of a view that replaces another. It takes the focus and sets the page's title. */
export function ViewHeading({ children, takesFocus = true }: { children: string; takesFocus?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(children);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
