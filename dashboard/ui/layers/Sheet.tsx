import { type ReactNode, useState } from 'react';
import { t } from '../../language.ts';
import { useIsTopmost } from './dialogs.ts';
import { HoldProvider } from './hold.ts';
import { Drawer } from './overlays.ts';
import styles from './SidePanel.module.css';

interface SheetProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onClosed?: (() => void) | undefined;
  readonly children: ReactNode;
}

interface TitledSheetProps extends SheetProps {
  readonly from: 'right' | 'bottom';
  readonly title: string;
}

const CLASSES = {
  right: { content: 'content', header: 'header', body: 'body' },
  bottom: { content: 'sheet', header: '', body: 'sheetBody' },
};

/** A sheet with a title and a close button. */
export function TitledSheet({ isOpen, from, title, onClose, onClosed, children }: TitledSheetProps) {
  const { content, header, body } = CLASSES[from];
  const isTopmost = useIsTopmost(isOpen);
  const [holds, setHolds] = useState(0);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={isTopmost}
      closeOnClickOutside={holds === 0}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
      position={from}
      size="auto"
      returnFocus={onClosed === undefined}
      classNames={{ inner: styles['inner'] ?? '', content: styles[content] ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header component="div" className={styles[header] ?? ''}>
          <Drawer.Title component="h2" className={styles['title'] ?? ''}>
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={t('Close')} size="lg" />
        </Drawer.Header>
        <Drawer.Body className={styles[body] ?? ''}>
          <HoldProvider value={setHolds}>{children}</HoldProvider>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface WholeSheetProps extends SheetProps {
  readonly label: string;
  /** Attributes to find it by. */
  readonly marks: Readonly<Record<string, string>>;
}

/** A full-screen sheet. Its owner decides where the focus goes on closing. */
export function WholeSheet({ isOpen, label, marks, onClose, onClosed, children }: WholeSheetProps) {
  const isTopmost = useIsTopmost(isOpen);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={isTopmost}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
      position="right"
      size="100%"
      returnFocus={false}
      classNames={{ inner: styles['inner'] ?? '' }}
    >
      <Drawer.Content aria-label={label} {...marks}>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  );
}
