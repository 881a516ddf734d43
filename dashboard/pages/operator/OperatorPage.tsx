import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { translatable } from '#contract/language/translate.ts';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import styles from './OperatorPage.module.css';

interface OperatorPageProps {
  readonly title: string;
  /** The search box and filters. */
  readonly search?: ReactNode;
  readonly children: ReactNode;
}

const TABS = [
  [paths.operatorAccounts, translatable('Accounts')],
  [paths.operatorUsers, translatable('Users')],
  [paths.operatorSubscriptions, translatable('Subscriptions')],
  [paths.operatorMessages, translatable('Messages')],
  [paths.operatorMails, translatable('Mail and webhooks')],
  [paths.auditLog, translatable('Audit log')],
] as const;

/** A page in the operator area. */
export function OperatorPage({ title, search, children }: OperatorPageProps) {
  const isBilled = useIsBilled();
  return (
    <>
      <p className={styles['bar']}>
        <span>
          <IconShieldLock size={18} aria-hidden />
          {t('Operator area: data of every business. Everything you do here is logged.')}
        </span>
      </p>
      <Page
        title={title}
        actions={
          <nav className={styles['tabs']} aria-label={t('Operator area')}>
            {TABS.filter(([to]) => isBilled || to !== paths.operatorSubscriptions).map(([to, label]) => (
              <Link key={to} to={to} activeOptions={{ includeSearch: false }} className={styles['tab']}>
                {t(label)}
              </Link>
            ))}
          </nav>
        }
      >
        {search && <div className={rowStyles['tools']}>{search}</div>}
        {children}
      </Page>
    </>
  );
}
