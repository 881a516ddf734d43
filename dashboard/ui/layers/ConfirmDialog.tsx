import { Children, type ReactNode } from 'react';
import { t } from '../../language.ts';
import forms from '../forms/Form.module.css';
import { FIELD_GROUP } from '../forms/invalid-field.ts';
import type { FormAction } from '../forms/useForm.ts';
import { Notice } from '../messages/Notice.tsx';
import { Button } from '../theme/mantine.ts';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog.tsx';

/** Fields to fill in before confirming. */
export interface RequiredInput {
  readonly fields: ReactNode;
  /** The message for a missing or invalid value; undefined once the fields are complete. */
  readonly missing: string | undefined;
}

/** The confirmed action, as its hook returns it, and its button. */
interface ConfirmAction extends Omit<FormAction, 'problemOf'> {
  readonly label: string;
  /** Nothing is lost for good, so the button isn't red. */
  readonly isHarmless?: boolean;
  /** The label of the other button, if "Cancel" would be ambiguous. */
  readonly dismissLabel?: string;
  readonly run: () => void;
}

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Names what is removed: "Remove Sam Lee?" */
  readonly title: string;
  /** States what is lost. */
  readonly children: ReactNode;
  readonly inputs?: readonly RequiredInput[];
  readonly action: ConfirmAction;
}

/** The confirmation before something is removed. Cancel has the focus. */
export function ConfirmDialog({ isOpen, onClose, title, children, inputs = [], action }: ConfirmDialogProps) {
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title}>
      <div className={`${forms['form']} ${styles['body']}`} {...{ [FIELD_GROUP]: '' }}>
        <div>{children}</div>
        {Children.toArray(inputs.map(({ fields }) => fields))}
        <div className={styles['actions']}>
          <Button variant="default" data-autofocus onClick={close}>
            {action.dismissLabel ?? t('Cancel')}
          </Button>
          <Button
            {...(!action.isHarmless && { color: 'red' })}
            disabled={inputs.some(({ missing }) => missing !== undefined)}
            loading={action.isPending}
            onClick={action.run}
          >
            {action.label}
          </Button>
        </div>
        {/* Below the buttons, so that it doesn't move them. */}
        <Notice tone="bad">{action.failure}</Notice>
      </div>
    </Dialog>
  );
}
