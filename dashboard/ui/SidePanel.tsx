import type { ReactNode } from 'react';
import { Drawer } from './mantine.ts';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Called after the panel has slid away. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}

/** A sheet over the page from the right; the whole screen on a phone. */
export function SidePanel({ isOpen, title, onClose, onClosed, children }: SidePanelProps) {
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
      position="right"
      size="auto"
      returnFocus={onClosed === undefined}
      classNames={{ content: styles['content'] ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header component="div" className={styles['header'] ?? ''}>
          <Drawer.Title component="h2" className={styles['title'] ?? ''}>
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" size="lg" />
        </Drawer.Header>
        <Drawer.Body className={styles['body'] ?? ''}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** A sheet over the page from below, for thumbs. */
export function BottomSheet({ isOpen, title, onClose, children }: Omit<SidePanelProps, 'onClosed'>) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="bottom" size="auto" classNames={{ content: styles['sheet'] ?? '' }}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header component="div">
          <Drawer.Title component="h2" className={styles['title'] ?? ''}>
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" size="lg" />
        </Drawer.Header>
        <Drawer.Body className={styles['sheetBody'] ?? ''}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
