import { type ReactNode, useId } from 'react';
import { useEarlyInput } from '../forms/early-input.ts';
import { useTitle } from '../hooks.ts';
import styles from './Page.module.css';

interface PageProps {
  readonly title: string;
  /** The title in the tab and history, if the heading alone would be ambiguous. */
  readonly tabTitle?: string;
  /** A line below the heading. */
  readonly lead?: ReactNode;
  /** Shown at the end of the heading's line, even if the actions are below it. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page in the frame: its heading, which takes the focus on arrival, its actions and its content. */
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
  /** Shown beside the heading. */
  readonly action?: ReactNode;
  readonly tone?: 'danger';
  /** Called when something in it gets the focus. */
  readonly onFocus?: () => void;
  readonly children?: ReactNode;
}

/** A section of a page with its own heading. */
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

/** Names and values in two columns, without undefined values. */
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
