import { IconKeyboard } from '@tabler/icons-react';
import { usePersisted } from '../data/persisted.ts';
import { ActionIcon, Kbd, Modal, useDisclosure } from '../ui/mantine.ts';
import styles from './ShortcutsHelp.module.css';
import { SHORTCUTS, useShortcuts } from './shortcuts.ts';

/** The list of shortcuts, by a button or by one of them. */
export function ShortcutsHelp() {
  const [isOpen, help] = useDisclosure();
  const areOn = usePersisted((persisted) => persisted.keys);
  useShortcuts((command) => {
    if (command.do !== 'help') return false;
    help.toggle();
    return true;
  });
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="xl"
        className={styles['button'] ?? ''}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={help.open}
      >
        <IconKeyboard size={20} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={help.close} title="Keyboard shortcuts" classNames={{ title: styles['title'] ?? '' }}>
        {!areOn && <p>Single keys are switched off in your profile.</p>}
        <dl className={styles['keys']}>
          {SHORTCUTS.map(({ keys, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{keys.map((key) => (key === '–' ? <span key={key}>to</span> : <Kbd key={key}>{key}</Kbd>))}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </>
  );
}
