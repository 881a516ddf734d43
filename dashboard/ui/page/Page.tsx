import { type ReactNode, useId } from 'react';
import { useEarlyInput } from '../forms/early-input.ts';
import { useTitle } from '../hooks.ts';
import styles from './Page.module.css';

interface PageProps {
  readonly title: string;
  /** The page's name in the tab and in the history, where the heading alone would name another page, too. */
  readonly tabTitle?: string;
  /** A line below the heading. */
  readonly lead?: ReactNode;
  /** At the end of the heading's line, also where the actions stand below it. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the frame: its heading, which takes the focus on arrival, what can be done with it, and the rest. */
export function Page({ title, tabTitle = title, lead, beside, actions, children }: PageProps) {
  useTitle(tabTitle);
  return (
    <div ref={useEarlyInput()} className={styles['page']}>
      <div className={styles['head']}>
        <div className={styles['name']}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {beside}
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  /** A line below the heading. */
  readonly lead?: ReactNode;
  /** Beside the heading. */
  readonly action?: ReactNode;
  readonly tone?: 'danger';
  /** Something in it takes the focus. */
  readonly onFocus?: () => void;
  readonly children?: ReactNode;
}

/** A section of a page, with a heading of its own. */
export function Card({ title, lead, action, tone, onFocus, children }: CardProps) {
  const heading = useId();
  return (
    <section className={styles['card']} aria-labelledby={heading} data-tone={tone} onFocus={onFocus}>
      <div className={styles['cardHead']}>
        <div className={styles['cardName']}>
          <h2 id={heading}>{title}</h2>
          {lead && <p>{lead}</p>}
        </div>
        {action}
      </div>
      {children && <div className={styles['body']}>{children}</div>}
    </section>
  );
}

/** Names and values in two columns. A value that is undefined is left out. */
export const DescriptionList = ({ of }: { of: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles['descriptions']}>
    {Object.entries(of).map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
