import { IconKeyboard } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useKept } from '../data/store.ts';
import { ActionIcon, Kbd, Modal } from '../ui/mantine.ts';
import styles from './ShortcutsHelp.module.css';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['J', '↓'], 'Next feedback'],
  [['K', '↑'], 'Previous feedback'],
  [['Enter'], 'Read the feedback'],
  [['Esc'], 'Back to the list'],
  [['1', '–', '5'], 'Show one rating, from Awful to Great'],
  [['0'], 'Show all ratings'],
  [['['], 'Shorter period'],
  [[']'], 'Longer period'],
  [['/'], 'Search'],
  [['?'], 'This list'],
];

/** The keys of the feed, by a button or by one of them. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  const areOn = useKept((kept) => kept.keys);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== '?' || !useKept.getState().keys || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="xl"
        className={styles['button'] ?? ''}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={20} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts" classNames={{ title: styles['title'] ?? '' }}>
        {!areOn && <p>Single keys are switched off in your profile.</p>}
        <dl className={styles['keys']}>
          {KEYS.map(([keys, does]) => (
            <div key={does}>
              <dt>{does}</dt>
              <dd>{keys.map((key) => (key === '–' ? <span key={key}>to</span> : <Kbd key={key}>{key}</Kbd>))}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </>
  );
}

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest('input, textarea, select') !== null;
