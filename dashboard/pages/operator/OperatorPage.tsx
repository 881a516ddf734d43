import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NotAvailable } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/Page.tsx';
import rows from '../../ui/Rows.module.css';
import { SearchField } from '../../ui/SearchField.tsx';
import styles from './OperatorPage.module.css';

interface MasterPageProps {
  readonly title: string;
  readonly searchLabel: string;
  readonly onSearch: (text: string) => void;
  readonly children: ReactNode;
}

const TABS = [
  [paths.masterAccounts, 'Accounts'],
  [paths.masterUsers, 'Users'],
  [paths.masterLog, 'Audit log'],
] as const;

/** The operator's area. For anybody else there is nothing at these addresses; the server sees to it. */
export const ForOperators = ({ children }: { children: ReactNode }) => (useTeam().isOperator ? children : <NotAvailable />);

export function MasterPage({ title, searchLabel, onSearch, children }: MasterPageProps) {
  return (
    <>
      <p className={styles['bar']}>
        <span>
          <IconShieldLock size={18} aria-hidden />
          Operator area: data of every business. What you do here is written down.
        </span>
      </p>
      <Page
        title={title}
        actions={
          <nav className={styles['tabs']} aria-label="Operator area">
            {TABS.map(([to, label]) => (
              <Link key={to} to={to} activeOptions={{ includeSearch: false }} className={styles['tab']}>
                {label}
              </Link>
            ))}
          </nav>
        }
      >
        <div className={rows['tools']}>
          <SearchField label={searchLabel} settles={300} onSearch={onSearch} />
        </div>
        {children}
      </Page>
    </>
  );
}
