import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import styles from './CopyButton.module.css';
import { Button } from './mantine.ts';

const SAYS_FOR = 2_000;
const WORDS = { idle: 'Copy', done: 'Copied', failed: 'Not copied' } as const;

/** Copies a text, and says whether that worked: browsers may forbid it. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SAYS_FOR);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState('done');
    } catch {
      setState('failed');
    }
  }

  const Icon = state === 'done' ? IconCheck : IconCopy;
  return (
    <>
      <Button variant="default" className={styles['copy'] ?? ''} leftSection={<Icon size={16} aria-hidden />} onClick={() => void copy()}>
        {WORDS[state]}
        <span className="visually-hidden"> {of}</span>
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : WORDS[state]}
      </span>
    </>
  );
}
