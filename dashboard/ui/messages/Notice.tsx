import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from '../forms/Form.module.css';

const ICONS = { bad: IconAlertCircle, warn: IconAlertTriangle, good: IconCircleCheck, plain: IconInfoCircle } as const;

/** A message about a failure, a success or something worth knowing. Renders nothing without content. */
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

/** A failure, with what to do about it below. Renders nothing without one. */
export function Failure({ wayOut, children }: { wayOut: ReactNode; children: string | undefined }) {
  if (children === undefined || !wayOut) return <Notice tone="bad">{children}</Notice>;
  return (
    <Notice tone="bad">
      <p>{children}</p>
      <p>{wayOut}</p>
    </Notice>
  );
}
