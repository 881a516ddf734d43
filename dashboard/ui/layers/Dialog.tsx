import { type ReactNode, useState } from 'react';
import { loadedLater } from '../page/Later.tsx';
import styles from './Dialog.module.css';
import { useIsTopmost } from './dialogs.ts';
import { HoldProvider } from './hold.ts';
import { Opening } from './Opening.tsx';

const Modal = loadedLater(() => import('./overlays.ts'), 'Modal');

interface TitledDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: 'md' | 'lg';
  readonly children: ReactNode;
}

/** A modal dialog. */
export function Dialog({ isOpen, onClose, title, size = 'md', children }: TitledDialogProps) {
  const isTopmost = useIsTopmost(isOpen);
  const [holds, setHolds] = useState(0);
  return (
    <Opening isOpen={isOpen}>
      {(isNow) => (
        <Modal
          opened={isNow}
          onClose={onClose}
          closeOnEscape={isTopmost}
          closeOnClickOutside={holds === 0}
          title={title}
          size={size}
          classNames={{ title: styles['title'] ?? '' }}
        >
          <HoldProvider value={setHolds}>{children}</HoldProvider>
        </Modal>
      )}
    </Opening>
  );
}
