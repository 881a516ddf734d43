import { IconArrowLeft } from '@tabler/icons-react';
import { useRef } from 'react';
import { SHORTCUTS_PASS } from '../../../frame/shortcuts.ts';
import { Button, Drawer } from '../../../ui/mantine.ts';
import type { Selection } from '../useSelection.ts';
import { Steps } from './Detail.tsx';
import styles from './DetailSheet.module.css';
import { OpenFeedback } from './OpenFeedback.tsx';

/** What is open, as a screen of its own with the way back: for narrow windows. */
export function DetailSheet({ selection, now }: { selection: Selection; now: number }) {
  const { openId, shown, can, step, close } = selection;
  // Still drawn while it slides away.
  const last = useRef({ id: openId, shown });
  if (openId !== undefined) last.current = { id: openId, shown };
  const { id, shown: known } = last.current;
  return (
    <Drawer.Root opened={openId !== undefined} onClose={() => void close()} position="right" size="100%" returnFocus={false}>
      <Drawer.Content aria-label="Feedback" {...{ [SHORTCUTS_PASS]: '' }}>
        <div className={styles['bar']}>
          <Button variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={() => void close()}>
            Back
          </Button>
          <Steps onPrevious={can(-1) ? () => step(-1) : undefined} onNext={can(1) ? () => step(1) : undefined} />
        </div>
        {id !== undefined && <OpenFeedback key={id} id={id} known={known} now={now} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}
