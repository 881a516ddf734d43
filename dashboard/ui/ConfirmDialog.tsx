import { type ReactNode, useState } from 'react';
import styles from './ConfirmDialog.module.css';
import { Button, Modal, TextInput } from './mantine.ts';
import { Notice } from './Notice.tsx';
import type { FormAction } from './useForm.ts';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Names what is removed: "Remove Sam Lee?" */
  readonly title: string;
  /** A sentence that says what is lost. */
  readonly children: ReactNode;
  /** The text that has to be typed first. */
  readonly typed?: string;
  /** The label of the button: it names the loss once more. */
  readonly verb: string;
  readonly action: Omit<FormAction, 'problemOf'>;
  /** Another field has to be filled in first. */
  readonly isBlocked?: boolean;
  readonly onConfirm: () => void;
}

/** The warning before something is removed. Cancel has the focus. */
export function ConfirmDialog({ isOpen, onClose, title, children, typed, verb, action, isBlocked = false, onConfirm }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const close = () => {
    setText('');
    action.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} classNames={{ title: styles['title'] ?? '' }}>
      <div className={styles['body']}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed}`}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        <Notice tone="bad">{action.failure}</Notice>
        <div className={styles['actions']}>
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
          <Button
            color="red"
            disabled={isBlocked || (typed !== undefined && text.trim() !== typed)}
            loading={action.isPending}
            onClick={onConfirm}
          >
            {verb}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
