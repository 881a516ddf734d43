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
const BETWEEN: ReadonlyMap<string, string> = new Map([
  ['–', 'to'],
  ['then', 'then'],
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
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {keys.map((key) =>
                  BETWEEN.get(key) === undefined ? <Kbd key={key}>{key}</Kbd> : <span key={key}>{BETWEEN.get(key)}</span>,
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
