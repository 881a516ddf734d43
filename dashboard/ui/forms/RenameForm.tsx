import * as v from 'valibot';
import { t } from '../../language.ts';
import { Notice } from '../messages/Notice.tsx';
import { Button } from '../theme/mantine.ts';
import { TextField } from './Fields.tsx';
import styles from './Form.module.css';
import { Form } from './Form.tsx';
import type { FormAction } from './useForm.ts';
import { useStoredForm } from './useStoredForm.ts';
import { displayName as displayNameSchema, NAME_LIMIT, nameProblem } from './validation.ts';

interface RenameFormProps {
  readonly label: string;
  readonly autoComplete: 'name' | 'organization';
  /** The current name. */
  readonly name: string;
  readonly action: FormAction;
  readonly onName: (name: string) => void;
}

const SCHEMA = v.object({ displayName: displayNameSchema });

/** Edits a name in place. */
export function RenameForm({ label, autoComplete, name, action, onName }: RenameFormProps) {
  const form = useStoredForm({ stored: { displayName: name }, schema: SCHEMA, action });
  const { displayName } = form.values;
  const isReady = nameProblem(displayName) === undefined && displayName.trim() !== name;

  function submit(): void {
    if (isReady) onName(displayName.trim());
  }

  return (
    <Form onSubmit={form.onSubmit(submit)}>
      <div className={styles['line']}>
        <TextField
          label={label}
          name={autoComplete}
          autoComplete={autoComplete}
          limit={NAME_LIMIT}
          {...form.getInputProps('displayName')}
        />
        <Button type="submit" disabled={!isReady} loading={action.isPending}>
          {t('Save name')}
        </Button>
      </div>
      <Notice tone="bad">{action.failure}</Notice>
    </Form>
  );
}
