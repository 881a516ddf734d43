import { useEffect, useRef } from 'react';
import * as v from 'valibot';
import { t } from '../../language.ts';
import { Notice } from '../messages/Notice.tsx';
import { Button } from '../theme/mantine.ts';
import { TextField } from './Fields.tsx';
import styles from './Form.module.css';
import { Form } from './Form.tsx';
import { type FormAction, useForm } from './useForm.ts';
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

/** Edits a name in place. Saving keeps the focus in the field; a teammate's change doesn't take it. */
export function RenameForm(props: RenameFormProps) {
  const { name, onName } = props;
  const container = useRef<HTMLDivElement>(null);
  const pending = useRef<string>(undefined);
  useEffect(() => {
    if (pending.current !== name) return;
    pending.current = undefined;
    container.current?.querySelector('input')?.focus();
  }, [name]);

  function submit(next: string): void {
    pending.current = next;
    onName(next);
  }

  return (
    <div ref={container}>
      <NameFields key={name} {...props} onName={submit} />
    </div>
  );
}

function NameFields({ label, autoComplete, name, action, onName }: RenameFormProps) {
  const form = useForm({ initialValues: { displayName: name }, schema: SCHEMA, action });
  const { displayName } = form.values;
  const isReady = nameProblem(displayName) === undefined && displayName.trim() !== name;
  return (
    <Form
      onSubmit={form.onSubmit(() => {
        if (isReady) onName(displayName.trim());
      })}
    >
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
