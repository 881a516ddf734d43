import { useState } from 'react';
import styles from './Form.module.css';
import { useInterval } from './mantine.ts';
import { Notice } from './Notice.tsx';
import { TextLink } from './TextLink.tsx';

const WAIT = 30;

interface ResendProps {
  /** Says whether it worked. */
  readonly onResend: () => Promise<boolean>;
  readonly failure: string | undefined;
  /** A code was mailed just now, so another one has to wait. */
  readonly isFresh?: boolean;
}

/** Another code, half a minute after the last one. The seconds are seen, and not read out. */
export function Resend({ onResend, failure, isFresh = true }: ResendProps) {
  const [left, setLeft] = useState(isFresh ? WAIT : 0);
  const [isSent, setSent] = useState(false);
  const isWaiting = left > 0;
  useInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000, { autoInvoke: true });

  async function resend(): Promise<void> {
    setSent(false);
    if (!(await onResend())) return;
    setSent(true);
    setLeft(WAIT);
  }

  return (
    <div className={styles['resend']}>
      <p>
        Didn’t get it?{' '}
        {isWaiting ? `Resend in 0:${String(left).padStart(2, '0')}` : <TextLink onClick={() => void resend()}>Resend</TextLink>}
      </p>
      <div role="status">{isSent && 'A new code is on its way.'}</div>
      <Notice tone="bad">{failure}</Notice>
    </div>
  );
}
