import { IconCheck, IconCopy } from '@tabler/icons-react';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../language.ts';
import styles from './CopyButton.module.css';
import { SpokenLabel } from './Rich.tsx';
import { Button, useClipboard, useTimeout } from './theme/mantine.ts';

const MESSAGE_SHOWN_FOR = 2_000;
const LABELS = translatable({
  idle: 'Copy<spoken> {of}</spoken>',
  done: 'Copied<spoken> {of}</spoken>',
  failed: 'Not copied<spoken> {of}</spoken>',
});
const RESULTS = translatable({ done: 'Copied', failed: 'Not copied' });

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
        <SpokenLabel text={t(LABELS[state], { of })} />
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : t(RESULTS[state])}
      </span>
    </>
  );
}
