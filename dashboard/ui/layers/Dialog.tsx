import type { ReactNode } from 'react';
import { loadedLater } from '../page/Later.tsx';
import styles from './Dialog.module.css';
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
export const Dialog = ({ isOpen, onClose, title, size = 'md', children }: TitledDialogProps) => (
  <Opening isOpen={isOpen}>
    {(isNow) => (
      <Modal opened={isNow} onClose={onClose} title={title} size={size} classNames={{ title: styles['title'] ?? '' }}>
        {children}
      </Modal>
    )}
  </Opening>
);
