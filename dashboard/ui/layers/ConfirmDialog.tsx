import { type ReactNode, useState } from 'react';
import forms from '../forms/Form.module.css';
import type { FormAction } from '../forms/useForm.ts';
import { CHECKED } from '../forms/wrong-field.ts';
import { Notice } from '../messages/Notice.tsx';
import { Button, TextInput } from '../theme/mantine.ts';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog.tsx';
import { useDialogAbove } from './dialogs.ts';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Names what is removed: "Remove Sam Lee?" */
  readonly title: string;
  /** States what is lost. */
  readonly children: ReactNode;
  /** The text to type before confirming. */
  readonly typed?: string;
  /** The label of the confirm button, which names the action. */
  readonly verb: string;
  /** The label of the other button, if "Cancel" would be ambiguous. */
  readonly dismiss?: string;
  /** More fields to fill in first. */
  readonly fields?: ReactNode;
  readonly action: Omit<FormAction, 'problemOf'>;
  /** Nothing is lost for good, so the button isn't red. */
  readonly isHarmless?: boolean;
  /** Another field must be filled in first. */
  readonly isBlocked?: boolean;
  readonly onConfirm: () => void;
}

/** The confirmation before something is removed. Cancel has the focus. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  typed,
  fields,
  verb,
  dismiss = 'Cancel',
  action,
  isHarmless = false,
  isBlocked = false,
  onConfirm,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  useDialogAbove(isOpen);
  const close = () => {
    setText('');
    action.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title}>
      <div className={`${forms['form']} ${styles['body']}`} {...{ [CHECKED]: '' }}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {fields}
        <div className={styles['actions']}>
          <Button variant="default" data-autofocus onClick={close}>
            {dismiss}
          </Button>
          <Button
            {...(!isHarmless && { color: 'red' })}
            disabled={isBlocked || (typed !== undefined && text.trim() !== typed)}
            loading={action.isPending}
            onClick={onConfirm}
          >
            {verb}
          </Button>
        </div>
        {/* Below the buttons, so that it doesn't move them. */}
        <Notice tone="bad">{action.failure}</Notice>
      </div>
    </Dialog>
  );
}
