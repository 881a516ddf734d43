import { IconKeyboard } from '@tabler/icons-react';
import { useSingleKeys } from '../../data/shortcuts.ts';
import { t } from '../../language.ts';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { ActionIcon, Kbd } from '../../ui/theme/mantine.ts';
import { useTeam } from '../team.ts';
import styles from './ShortcutsHelp.module.css';
import { SHORTCUTS, useShortcuts } from './shortcuts.ts';

/** The words between keys. */
const BETWEEN: ReadonlyMap<string, () => string> = new Map([
  ['–', () => t.in('keys', 'to')],
  ['then', () => t.in('keys', 'then')],
]);
/** The keys whose names depend on the keyboard's language. */
const KEYS: ReadonlyMap<string, () => string> = new Map([
  ['Ctrl', () => t.in('keys', 'Ctrl')],
  ['Enter', () => t.in('keys', 'Enter')],
  ['Shift', () => t.in('keys', 'Shift')],
]);

/** Shows the list of shortcuts, opened by a button or a shortcut. */
export function ShortcutsHelp() {
  const [isOpen, help] = useLayer('shortcuts');
  const { areOn } = useSingleKeys();
  const isAdmin = useTeam().user.data.level === 'admin';
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
        aria-label={t('Keyboard shortcuts')}
        aria-keyshortcuts="?"
        title={t('Keyboard shortcuts (?)')}
        onClick={help.open}
      >
        <IconKeyboard size={20} aria-hidden />
      </ActionIcon>
      <Dialog isOpen={isOpen} onClose={help.close} title={t('Keyboard shortcuts')}>
        {!areOn && <p>{t('Single-key shortcuts are off in your profile.')}</p>}
        <dl className={styles['keys']}>
          {SHORTCUTS.filter(({ isForAdmins }) => !isForAdmins || isAdmin).map(({ keys, label }) => (
            <div key={t(label)}>
              <dt>{t(label)}</dt>
              <dd>
                {keys.map((key) =>
                  BETWEEN.has(key) ? <span key={key}>{BETWEEN.get(key)?.()}</span> : <Kbd key={key}>{KEYS.get(key)?.() ?? key}</Kbd>,
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
