import { IconCheck, IconCopy } from '@tabler/icons-react';
import styles from './CopyButton.module.css';
import { Button, useClipboard, useTimeout } from './theme/mantine.ts';

const MESSAGE_SHOWN_FOR = 2_000;
const LABELS = { idle: 'Copy', done: 'Copied', failed: 'Not copied' } as const;

/** Copies a text and shows whether it worked, because browsers may forbid it. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const clipboard = useClipboard({ timeout: MESSAGE_SHOWN_FOR });
  const { start } = useTimeout(clipboard.reset, MESSAGE_SHOWN_FOR);
  const state = clipboard.error ? 'failed' : clipboard.copied ? 'done' : 'idle';

  function copy(): void {
    clipboard.copy(text);
    start();
  }

  const Icon = state === 'done' ? IconCheck : IconCopy;
  return (
    <>
      <Button variant="default" className={styles['copy'] ?? ''} leftSection={<Icon size={16} aria-hidden />} onClick={copy}>
        {LABELS[state]}
        <span className="visually-hidden"> {of}</span>
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : LABELS[state]}
      </span>
    </>
  );
}
