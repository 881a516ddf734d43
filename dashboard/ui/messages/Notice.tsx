import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from '../forms/Form.module.css';

const ICONS = { bad: IconAlertCircle, good: IconCircleCheck, plain: IconInfoCircle } as const;

/** What went wrong, what went well, or what is worth knowing. Nothing when there is nothing to say. */
export function Notice({ tone, children }: { tone: keyof typeof ICONS; children: ReactNode }) {
  if (!children) return null;
  const Icon = ICONS[tone];
  return (
    <div role={tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined} className={styles['box']} data-tone={tone}>
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </div>
  );
}

/** Why something did not work, and below it what to do about that. Nothing when it did. */
export function Failure({ wayOut, children }: { wayOut: ReactNode; children: string | undefined }) {
  if (children === undefined || !wayOut) return <Notice tone="bad">{children}</Notice>;
  return (
    <Notice tone="bad">
      <p>{children}</p>
      <p>{wayOut}</p>
    </Notice>
  );
}
